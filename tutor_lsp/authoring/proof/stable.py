"""Step `stable`: three runs on the reference have the same results. Pure."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.proof.reading.definitions import Definitions
from tutor_lsp.authoring.proof.trial import Trial, test_output
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RunOutcome, TestOutcome
from tutor_lsp.core.language.syntax import Token
from tutor_lsp.core.ports import SourceReader
from tutor_lsp.languages.common.proof.splice import replaced

RUNS = 3
_ELSEWHERE = (
    "Does it depend on the clock, the working directory, the time zone, the locale, the order "
    "within a set, a hash, an address, or memory that nobody wrote?"
)
_FILE_TIMES = re.compile(
    r"\b(?:stx?_(?:[mac]|birth|b)tim\w*|get[mac]time|[fl]?utimes?|futimens|utimensat"
    r"|set_(?:modified|times))\b|\.(?:modified|accessed|created|[mac]time)\(\)"
)


def check(
    trial: Trial, reports: Sequence[RawReport], elsewhere: Sequence[RawReport] = ()
) -> list[ProofFinding]:
    """Every test must end the same way in every run, in any order, also `elsewhere`: at
    another time, in another folder and time zone, with another locale, and with another order of
    what has none."""
    found: list[ProofFinding] = []
    if not reports:
        return found
    first, rest = reports[0], [*reports[1:], *elsewhere]
    outcomes = {test.name: test.outcome for test in first.tests}
    told: set[str] = set()
    last_elsewhere = not trial.dialect.shares_process and len(reports) == RUNS
    for report in rest:
        if report.outcome not in (RunOutcome.PASSED, RunOutcome.FAILED):
            text = f"A second run on the same reference does not complete: {report.reason}"
            return [*found, ProofFinding("stable", text)]
        now = {test.name: test for test in report.tests}
        for name in outcomes.keys() | now.keys():
            before, after = outcomes.get(name), now.get(name)
            if name in told or (after is not None and after.outcome == before):
                continue
            told.add(name)
            text = (
                f"The test `{name}` does not always end the same way on the same code: "
                f"{before or 'not collected'}, then {after.outcome if after else 'not collected'}. "
            )
            if report in elsewhere or (last_elsewhere and report is reports[-1]):
                text += _ELSEWHERE
            elif trial.dialect.shares_process:
                text += "Does it depend on the order of the tests?"
            text = text.rstrip()
            output = test_output(after) if after is not None else ""
            found.append(trial.at_test("stable", text, name, output=output))
    return found


def reads_file_times(files: Mapping[str, str]) -> bool:
    """Whether code names the times of files, which elsewhere are not ahead as the clock is."""
    return any(map(_FILE_TIMES.search, files.values()))


def runs_alike(reports: Sequence[RawReport]) -> int:
    """How many runs passed everything."""
    return sum(
        report.outcome is RunOutcome.PASSED
        and all(test.outcome is TestOutcome.PASSED for test in report.tests)
        for report in reports
    )


def unsure(trial: Trial) -> list[ProofFinding]:
    """Tests that wait, use random numbers, look at the clock or use the network, directly or
    through a helper of their file."""
    found: list[ProofFinding] = []
    signs = trial.dialect.unsure
    shared = {path: Definitions.of_file(trial, path) for path in trial.candidate.under("tests")}
    for name, place in trial.tests.items():
        imported = trial.dialect.full_names(trial.candidate.files[place.file])
        used = {token.text for token in place.body if token.kind == "id"}
        tokens = [*place.body, *shared[place.file].reached(used)]
        hit = next(filter(None, map(signs.search, _lines(tokens, imported))), None)
        if hit:
            reason = (
                f"The test `{name}` uses `{hit[0].strip()}`: what it finds may differ from run to "
                "run."
            )
            found.append(trial.at_test("stable", reason, name))
    return found


def _lines(tokens: Sequence[Token], imported: Mapping[str, str]) -> Iterator[str]:
    """The code line by line, without strings and comments, with full names."""
    lines: dict[int, list[str]] = {}
    for at, token in enumerate(tokens):
        if token.kind == "literal" and token.text[:1] in "\"'":
            continue
        inner = at > 0 and tokens[at - 1].text in (".", "::")
        said = token.text if inner else imported.get(token.text, token.text)
        lines.setdefault(token.line, []).append(said)
    for pieces in lines.values():
        yield re.sub(r" ?(\.|::|\() ?| (?=\))", r"\1", " ".join(pieces))


def shuffled(tests: Mapping[str, str], reader: SourceReader, turn: int) -> dict[str, str]:
    """The test files with their top-level test functions in another order: reversed in the first
    turn, then shuffled, deterministically. Everything else keeps its place."""
    return {path: _mixed(text, reader, turn) for path, text in tests.items()}


def _mixed(text: str, reader: SourceReader, turn: int) -> str:
    names = {site.name for site in reader.tests(text)}
    sites = [site for site in reader.functions(text) if site.name in names]
    top = [s for s in sites if s.start == 0 or text[s.start - 1] == "\n"]
    pieces = [text[site.start : site.end] for site in top]
    if turn == 1:
        pieces.reverse()
    else:
        random.Random(f"{turn} {text}").shuffle(pieces)  # noqa: S311 - no secret
    places = zip(top, pieces, strict=True)
    return replaced(text, [(site.start, site.end, piece) for site, piece in places])
