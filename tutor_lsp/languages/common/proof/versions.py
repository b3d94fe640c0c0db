"""Many versions of each stub in one program, tried by a harness: for languages with a switch.

Each test file gets one more test, which tries the versions of the units whose tests stand there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.core.language.guards import Guards
from tutor_lsp.core.language.mutants import Program, Tries
from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.language.variants import Place
from tutor_lsp.core.ports import Files, Toolchain
from tutor_lsp.languages.common.proof.guard import guarded
from tutor_lsp.languages.common.proof.switchboard import Wiring, put_in, with_bodies

TEST = "test_tutor_mutants"
PICKS = 3
"""Most picks of a case."""


@dataclass(frozen=True, slots=True)
class Harness:
    """How a language writes it. `watched` is a watched test under another name, `table` what is
    told of a unit: its number, its versions, and its watched tests by their new names; `trying` a
    test of that name which tries the units of these numbers; `added` puts all of that into a test
    file; `prepared` adds to the files what all need."""

    watched: Callable[[str, str, str], str]
    table: Callable[[int, Tries, Sequence[int], Sequence[str], str], str]
    trying: Callable[[str, Sequence[int]], str]
    added: Callable[[str, str], str]
    prepared: Callable[[dict[str, str]], dict[str, str]]


@dataclass(frozen=True, slots=True)
class Switched:
    """Makes such programs for one language."""

    grammar: Grammar
    wiring: Wiring
    guards: Guards
    harness: Harness

    def program(
        self, solved: Files, tries: Sequence[Tries], accepts: Mapping[str, str], tools: Toolchain
    ) -> Program:
        """See `core.language.mutants.Mutations`."""
        bodies = {(each.unit.file, each.unit.stub): each.bodies for each in tries}
        made = with_bodies(solved, bodies, tools, self.grammar, self.wiring)
        files, copies, held = made if made is not None else (dict(solved), {}, {})
        files = self.wiring.prepared(files)
        if accepts:
            files = guarded(files, [each.unit for each in tries], accepts, tools, self.guards)
        files = put_in(files, held)
        tests: list[str] = []
        watched: dict[tuple[str, int], tuple[str, str]] = {}
        for path, text in solved.items():
            if not path.startswith("tests/"):
                continue
            there = {site.name for site in tools.tests(text)}
            added, units = "", []
            for number, each in enumerate(tries):
                versions = [version for version in each.bodies if version in copies]
                if not versions or not set(each.unit.tests) <= there:
                    continue
                units.append(number)
                names = []
                for at, one in enumerate(each.watched):
                    names.append(f"tutor_watched_{number}_{at}")
                    code = self.harness.watched(one.code, one.test, names[-1])
                    watched[each.unit.id, at] = (path, code)
                    added += code
                added += self.harness.table(number, each, versions, names, text)
            if units:
                tests.append(f"{TEST}_{len(tests)}")
                added += self.harness.trying(tests[-1], units)
                files[path] = self.harness.added(text, added)
        files = self.harness.prepared(files)
        return Program(
            files,
            tuple(tests),
            {number: Place.of(path, files[path], copy) for number, (path, copy) in copies.items()},
            {key: Place.of(path, files[path], code) for key, (path, code) in watched.items()},
        )


def row_of(each: Tries) -> str:
    """The cases as one text, which compilers read faster than as many numbers: of each its watched
    test, then pairs of a pick and its text, with blanks between them."""
    made: list[int] = []
    for test, picks in each.cases:
        flat = [number for pair in picks[:PICKS] for number in pair]
        made += [test, *flat, *([0] * (2 * PICKS - len(flat)))]
    return " ".join(map(str, made))
