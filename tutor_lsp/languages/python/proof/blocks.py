"""The programs of a lesson, started as one."""

import re
from collections.abc import Sequence

from tutor_lsp.core.language.dialect import Bench, Tried
from tutor_lsp.core.ports import Files, Toolchain
from tutor_lsp.languages.common.proof.dialect import BLOCK_S
from tutor_lsp.languages.common.proof.placing import put_files
from tutor_lsp.languages.common.texts import harness_text
from tutor_lsp.languages.python.proof.names import read
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.process.libraries import own_python

_HARNESS = "blocks.py"
_ERROR = re.compile(
    r"^(\w+(?:\.\w+)*(?:Error|Exception|Warning|Interrupt|Exit|Iteration))\b", re.MULTILINE
)
_HEAD = re.compile(rb"block-(\d+) (\d+) (\d+)")


def program(toolchain: Toolchain) -> tuple[str, ...]:
    """The interpreter for the learner's code, with its options."""
    return toolchain.program() if isinstance(toolchain, PythonToolchain) else own_python()


def is_session(code: str) -> bool:
    """Whether a block is what an interactive interpreter shows."""
    return code.lstrip().startswith(">>>")


def codes_in(said: str) -> frozenset[str]:
    """The names of errors and warnings in what a program says."""
    return frozenset(_ERROR.findall(said))


def files_of(name: str, code: str, reference: Files) -> dict[str, str]:
    """What a block needs to run, its own file under that name."""
    files = {name: code + "\n"}
    if re.search(r"\bexercise\b", code):
        files |= {path: text for path, text in reference.items() if path.startswith("src/")}
    return files


async def ended_well(blocks: Sequence[str], reference: Files, bench: Bench) -> dict[int, Tried]:
    """What came of the programs that end well, by their numbers: run one after the other, they load
    an interpreter once for all. Whatever else there is to say takes a run of its own."""
    programs = {
        f"block-{number}": files_of("block.py", code, reference)
        for number, code in enumerate(blocks)
        if not is_session(code) and not read("block.py", code)[0]
    }
    if len(programs) < 2:
        return {}
    folder = bench.folder / "blocks"
    files = {f"{name}/{path}": t for name, each in programs.items() for path, t in each.items()}
    await put_files(folder, {**files, _HARNESS: harness_text(__file__, _HARNESS)})
    interpreter, *libraries = program(bench.toolchain)
    folders = [str(folder / name) for name in programs]
    ended = await bench.execute(
        (interpreter, "-s", "-B", *libraries, _HARNESS, str(BLOCK_S), *folders),
        folder,
        limit_s=BLOCK_S * len(programs),
        environment={"PYTHONPATH": str(folder / "src"), "PYTHONUTF8": "1"},
    )
    return _told(ended.stdout)


def _told(said: bytes) -> dict[int, Tried]:
    """What the harness says, as far as it is whole."""
    found: dict[int, Tried] = {}
    while said:
        head, _, rest = said.partition(b"\n")
        match = _HEAD.fullmatch(head)
        if match is None:
            break
        number, printed, complained = map(int, match.groups())
        if len(rest) < printed + complained:
            break
        texts = (rest[:printed], rest[printed : printed + complained])
        output, errors = (text.decode("utf-8", "replace") for text in texts)
        found[number] = Tried(
            built=True, ran=True, output=output, said=errors, codes=codes_in(errors)
        )
        said = rest[printed + complained :]
    return found
