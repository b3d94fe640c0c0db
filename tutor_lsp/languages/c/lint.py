"""The C compiler's own warnings, more of them than a build asks for."""

from collections.abc import Collection
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import Remark
from tutor_lsp.languages.c.compiler import FindCompiler, compiler_spec
from tutor_lsp.languages.c.diagnostics import compiler_said
from tutor_lsp.languages.c.files import FLAGS
from tutor_lsp.languages.common.toolchain import contained
from tutor_lsp.process.box import Area
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.scratch import scratch_folder

WARNINGS = ("-Wshadow", "-Wcast-qual", "-Wwrite-strings", "-Wvla", "-Wpointer-arith")
FLOW = ("-O1", "-S")
"""Values without a first one are seen where code is optimised, and so compiled."""
LARGEST = 1024 * 1024


async def lint(
    folder: Path,
    files: Collection[str],
    limit_s: float,
    finder: FindCompiler,
    containment: Containment,
) -> tuple[Remark, ...]:
    """See `core.ports.Toolchain.lint`; `finder` knows the compiler."""
    sources = sorted(file for file in files if file.endswith(".c"))
    if not sources:
        return ()
    try:
        compiler = await finder.get()
        paths = (f"-I{folder / 'src'}", f"-I{folder / 'tests'}")
        flags = (*FLAGS, *compiler.extra, *WARNINGS, *paths, *FLOW)
        argv = (compiler.path, *flags, *(str(folder / source) for source in sources))
        async with scratch_folder("lint") as scratch:
            spec = compiler_spec(argv, scratch, limit_s, scratch)
            ended = await contained(spec, Area(folder, scratch, copied=False), containment)
    except TutorError:
        return ()
    if ended is None:
        return ()
    texts = {file: _text(folder / file) for file in sources}
    said = compiler_said(ended.stdout.decode("utf-8", "replace"), texts, guesses=True)
    return tuple(
        Remark(each.file, each.line, each.end_line, f"-W{each.code}", each.message, rank=0)
        for each in said.warnings
        if each.code
    )


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(LARGEST).decode("utf-8", "surrogateescape")
