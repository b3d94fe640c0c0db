"""What most dialects have in common, to build one on."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.language.dialect import Bench, Built, Tried
from tutor_lsp.core.language.guards import Guards, NoGuard
from tutor_lsp.core.language.mutants import Mutations
from tutor_lsp.core.language.predictions import Predictions
from tutor_lsp.core.language.probes import ProbeRefused, Probes
from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.language.variants import Merged, Variant
from tutor_lsp.core.language.watching import NoWatch, Watch
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain
from tutor_lsp.languages.common.proof.switchboard import Wiring, wired

BLOCK_S = 10.0
ELSEWHERE: Mapping[str, str] = {"TZ": "XXX-13:30", "LC_ALL": "C", "LANG": "C", "LANGUAGE": "x"}
"""A time zone and a locale that nobody's machine has. Runs with variables are also in another
folder and at another time."""
AHEAD_S = 1000.0 * 24 * 60 * 60
"""How far the clock is ahead there, in seconds, but for some hours."""
OWN_CLOCK: Mapping[str, str] = {"TUTOR_OWN_CLOCK": "1"}
"""Beside other surroundings: the clock stays as it is."""
_NOTHING = re.compile(r"(?!)")


class BaseDialect:
    """Implements `core.language.dialect.Dialect` but for `language`, `grammar`, `stub_body` and
    `complete_block`: files are only read, and every version is run apart."""

    language: str
    grammar: Grammar
    wiring: Wiring | None = None
    """How several bodies of a stub go into one program, where each test has its own process."""
    mutations: Mutations | None = None
    shares_process = False
    unsure = _NOTHING
    missing_name = _NOTHING
    unknown_name = ""
    crash_word: str | None = None

    @property
    def guards(self) -> Guards:
        raise NoGuard(f"there are no guards in {self.language}")

    @property
    def probes(self) -> Probes:
        raise ProbeRefused(f"there are no probes in {self.language}")

    @property
    def watch(self) -> Watch:
        raise NoWatch(f"nothing looks at code in {self.language}")

    @property
    def predictions(self) -> Predictions:
        raise NotImplementedError(f"there are no units that ask for answers in {self.language}")

    def shape(self, authored: Files, files: Files, stubs: Sequence[str]) -> list[ProofFinding]:
        return []

    def completed(self, authored: Files, files: Files) -> list[ProofFinding]:
        return []

    def lacks(self, code: str, said: str, files: Files) -> str:
        return ""

    def undefined(self, file: str, text: str) -> tuple[str, ...]:
        return ()

    def elsewhere(self, files: Files) -> Sequence[Mapping[str, str]]:
        return (ELSEWHERE,)

    async def build_starter(self, files: Files, bench: Bench) -> Built:
        read = bench.toolchain.syntax_error
        found = (read(path, text) for path, text in files.items() if path.startswith("src/"))
        return Built(tuple(error for error in found if error is not None))

    async def check(self, files: Files, bench: Bench) -> tuple[BuildError, ...]:
        return ()

    def neutral(self, src: Files, file: str, site: FunctionSite) -> str | None:
        return None

    def merge(
        self,
        solved: Files,
        variants: Sequence[Variant],
        again: Sequence[Variant],
        toolchain: Toolchain,
    ) -> Merged | None:
        if self.wiring is None:
            return None
        return wired(solved, variants, toolchain, self.grammar, self.wiring)

    def mend_imports(self, tests: Files, src: Files, toolchain: Toolchain) -> dict[str, str]:
        return dict(tests)

    def used_imports(self, text: str) -> str:
        return text

    def full_names(self, text: str) -> Mapping[str, str]:
        return {}

    def uncalled(self, text: str, test: str) -> str:
        return text

    async def try_blocks(
        self, blocks: Sequence[str], reference: Files, bench: Bench
    ) -> list[Tried]:
        tries = (self.try_block(number, blocks, reference, bench) for number in range(len(blocks)))
        return list(await asyncio.gather(*tries))

    async def try_block(
        self, number: int, blocks: Sequence[str], reference: Files, bench: Bench
    ) -> Tried:
        """Build the block of that number, and run it if it is a program."""
        raise NotImplementedError


async def run_block(
    argv: Sequence[str], folder: Path, bench: Bench, environment: Mapping[str, str] | None = None
) -> Tried:
    """Run a program that a block is or became; it has `BLOCK_S` seconds."""
    ended = await bench.execute(argv, folder, limit_s=BLOCK_S, environment=environment)
    output, said = (text.decode("utf-8", "replace") for text in (ended.stdout, ended.stderr))
    fine = ended.returncode == 0 and not ended.timed_out
    return Tried(built=True, ran=fine, output=output, said=said)
