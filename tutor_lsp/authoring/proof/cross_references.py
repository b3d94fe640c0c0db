"""Step `references`: names, headings and links fit together, and comments only orient. Pure."""

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from tutor_lsp.authoring.proof import literals, wording
from tutor_lsp.authoring.proof.reading.links import broken, unknown_names
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import LESSON, Unit, prefixes_of_tests
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.stub_comment import StubComment, parse_stub_comment
from tutor_lsp.core.stage import EXPAND_ROLES, Role
from tutor_lsp.library.markdown import CLOSING_LINK, alike, code_blocks, headings, split_at

_ORDERS = re.compile(
    r"\b(?:learners?|students?|you|implementers?|implementors?|readers?|users?)\s+"
    r"(?:must|should|shall|need(?:s)?\s+to|ha(?:ve|s)\s+to)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"\s*(?:what|which|how|where|when|who|whose|why|do|does)\b", re.IGNORECASE)
_STEP = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+(?=\S)")
_IN_LINE = re.compile(r"(?<!\S)\d[.)]\s+(?=[A-Z])")
_FEW = 2  # this many list markers in a comment are steps
_MANY = 3  # this many commands in running text are steps
_VERBS = (
    r"(?:add|append|assign|break|build|calculate|call|check|collect|combine|compare|compute|concat\w*"
    r"|convert|copy|count|create|decrement|declare|define|divide|find|get|go|increment|initiali[sz]e"
    r"|insert|iterate|join|keep|loop|make|multiply|pass|pop|print|push|put|read|remove|repeat"
    r"|replace|return|reverse|set|skip|sort|split|start|stop|store|subtract|sum|swap|take|test|turn"
    r"|update|use|walk|write)\b"
)
_COMMAND = re.compile(
    rf"\s*(?:(?:first|then|next|now|finally|lastly|after that|at last),?\s+)?{_VERBS}",
    re.IGNORECASE,
)
_SEQUENCE = re.compile(
    rf"\b(?:first|then|next|finally|lastly|after that),?\s+{_VERBS}", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?:\A|[.;:]\s++|\n\s*+)(?P<first>[A-Z][^.;]*)")
_CONTRACT = re.compile(
    r"\s*(?:convert|count|find|get|keep|pass|print|read|remove|replace|return|skip|sort|stop|take"
    r"|use|write)\b",
    re.IGNORECASE,
)
"""What a contract may legitimately say about a function: "Return the sum. Skip empty lines." """
_START = re.compile(r"\s*Start here\s*:", re.IGNORECASE)
_VAGUE_WORDS = """
works work working basic basics test tests case cases correctly example examples it properly stuff
things behaviour behavior as expected a
"""
"""Words that are never the value that a test is about, as "correct", "first" or "ok" may be."""
_VAGUE = frozenset(_VAGUE_WORDS.split())


def check(trial: Trial, there: Collection[Role] = EXPAND_ROLES) -> list[ProofFinding]:
    """All rules on comments, test names and lesson sections that need no run, as far as the loops
    that wrote them are over (`there`)."""
    found = [*_comments(trial), *_order(trial)]
    if Role.TEST in there:
        found += [*_names(trial), *literals.constants(trial)]
    if Role.LESSON in there:
        found += [*sections(trial), *lesson_names(trial)]
    return found


def of_words(trial: Trial) -> list[ProofFinding]:
    """Rules on the words of tests: signs that somebody may not be able to pass them, which count
    where nobody did."""
    known = literals.known_of(trial)
    return [*_vague(trial), *literals.exceptions(trial, known), *wording.check(trial, known)]


def _comments(trial: Trial) -> Iterator[ProofFinding]:
    for unit in trial.units:
        site = trial.stub_site(unit)
        if site is None:
            continue
        comment = parse_stub_comment(site.comment or "")
        if comment is None:
            begin = f"The comment of `{unit.stub}`" if site.comment else f"`{unit.stub}`"
            said = (
                f"{begin} has none of the lines {unit.id} - First principle, Read, Test and "
                "Start here."
            )
            yield trial.at_stub("references", said, unit)
        else:
            missing = _missing(comment)
            if missing:
                said = f"The stub comment of `{unit.stub}` lacks {', '.join(missing)}."
                yield _at(unit, site.comment_line, said)
        text = site.comment or ""
        if found := next((m for m in _ORDERS.finditer(text) if not _asks(text, m)), None):
            said = f'The comment of `{unit.stub}` orders ("{found[0]}") instead of orienting.'
            yield _at(unit, site.comment_line + text.count("\n", 0, found.start()), said)
        at = _steps(text, unit.id)
        if at is not None:
            said = f"The comment of `{unit.stub}` is a list of steps instead of orienting."
            yield _at(unit, site.comment_line + at, said)


def _asks(text: str, found: re.Match[str]) -> bool:
    """Whether it is in a question of what there is to know or look at, not an order."""
    begin = re.split(r"[.!?:]\s", text[: found.start()])[-1]
    end = re.search(r"[.!?](?=\s|$)", text[found.end() :])
    return bool(_QUESTION.match(begin)) and end is not None and end[0] == "?"


def _steps(text: str, unit_id: str) -> int | None:
    """The line at which a comment starts to give step-by-step instructions, if it does.

    Numbers count as steps anywhere, and list markers below the contract. In the contract a list
    may enumerate cases; items that are commands are steps, and so are many commands in a row.
    """
    lines = text.split("\n")
    begin = next((n for n, line in enumerate(lines) if line.strip().startswith(unit_id)), 0)
    start = next((n for n, line in enumerate(lines) if _START.match(line)), len(lines))
    marks = [n for n, line in enumerate(lines) if _STEP.match(line)]
    steps = [
        n for n in marks
        if n > begin or lines[n].strip()[0].isdigit() or _COMMAND.match(_STEP.sub("", lines[n]))
    ]  # fmt: skip
    if len(steps) >= _FEW:
        return steps[0]
    contract = "\n".join(lines[:begin])
    told = [
        *_SEQUENCE.finditer(contract),
        *(
            found
            for found in _SENTENCE.finditer(contract)
            if _COMMAND.match(found["first"]) and not _CONTRACT.match(found["first"])
        ),
    ]
    if len(told) >= _MANY:
        return contract.count("\n", 0, min(found.start() for found in told))
    begun = " ".join(lines[start:])
    listed = len(_IN_LINE.findall(begun)) >= _FEW
    return start if listed or len(_SEQUENCE.findall(begun)) >= _MANY else None


def _missing(comment: StubComment) -> list[str]:
    parts = {
        "what the function does, above the line with the unit": comment.contract,
        "the first principle": comment.first_principle,
        "the line Read": comment.heading,
        "the line Test": comment.tests,
        "the line Start here": comment.start_here,
    }
    return [name for name, value in parts.items() if not value]


def _at(unit: Unit, line: int, message: str) -> ProofFinding:
    return ProofFinding("references", message, unit.file, line, unit.id)


def _names(trial: Trial) -> Iterator[ProofFinding]:
    for name, _, unit in trial.owned():
        prefixes = [p for asked in trial.asks(unit) for p in prefixes_of_tests(asked)]
        rest = next((name.removeprefix(p) for p in prefixes if name.startswith(p)), name)
        if rest == name:
            wanted = prefixes_of_tests(unit.stub)[-1]
            said = f"`{name}` is not named {wanted}…: its name must say what it tests."
            yield trial.at_test("references", said, name)


def _vague(trial: Trial) -> Iterator[ProofFinding]:
    for name, _, unit in trial.owned():
        prefixes = [p for asked in trial.asks(unit) for p in prefixes_of_tests(asked)]
        rest = next((name.removeprefix(p) for p in prefixes if name.startswith(p)), None)
        if rest is not None and vague(rest):
            said = f"`{name}` does not say in words what it asserts."
            yield trial.at_test("references", said, name)


def vague(rest: str) -> bool:
    """Whether the end of a test's name says nothing of what the test asserts."""
    words = [word for word in rest.lower().split("_") if re.search(r"[^\W\d]", word)]
    return all(word in _VAGUE for word in words)


def _order(trial: Trial) -> Iterator[ProofFinding]:
    """Stubs must be in the order of their units, and tests in that of the stubs.

    If no comment numbers the units, there is no required order.
    """
    sites = [trial.stub_site(unit) for unit in trial.units]
    if not any(site and parse_stub_comment(site.comment or "") for site in sites):
        return
    by_file: dict[str, list[Unit]] = {}
    for unit in trial.units:
        by_file.setdefault(unit.file, []).append(unit)
    for units in by_file.values():
        wrong = next((b for a, b in pairwise(units) if b.line < a.line), None)
        if wrong is not None:
            said = f"`{wrong.stub}` ({wrong.id}) is above the stub of an earlier unit."
            yield trial.at_stub("references", said, wrong)
    positions = {unit.id: number for number, unit in enumerate(trial.units)}
    last: dict[str, int] = {}
    for name, place, owner in trial.owned():
        before = last.get(place.file, 0)
        if positions[owner.id] < before:
            said = f"`{name}` is not in the order of the stubs."
            yield trial.at_test("references", said, name)
        last[place.file] = max(before, positions[owner.id])


def sections(trial: Trial) -> Iterator[ProofFinding]:
    """Every section must name a stub and link to it, but for one that opens the lesson and is no
    unit's, such as on a misconception."""
    lesson = trial.candidate.authored.get(LESSON, "")
    marks = [mark for mark in headings(lesson) if mark.level == 2]
    if not marks:
        yield ProofFinding("references", "The lesson has no section headings (## …).", LESSON, 1)
    stubs = {unit.stub: unit for unit in trial.units}
    pieces = split_at(lesson, 2)
    for number, piece in enumerate(pieces):
        head = next((mark for mark in headings(piece) if mark.level == 2), None)
        line = marks[number].line if number < len(marks) else 1
        title = head.text if head else "The lesson"
        named = [name for name in stubs if _names_it(piece, name)]
        mine = next((u for u in trial.units if head and alike(u.lesson_heading, head.text)), None)
        opens = mine is None and number == 0 and not _closing(piece)
        if not named and not opens:
            said = f'"{title}" names no stub of the exercise (in backticks).'
            yield ProofFinding("references", said, LESSON, line)
        elif mine is not None and mine.stub not in named:
            said = f'"{title}" does not name its stub `{mine.stub}`.'
            yield ProofFinding("references", said, LESSON, line, mine.id)
        unit = mine.id if mine else None
        if not opens and (wrong := _link(piece, title, stubs, mine)):
            end = line + piece.count("\n") if head else line
            yield ProofFinding("references", wrong, LESSON, end, unit)
        if not code_blocks(piece) and (mine or number < len(pieces) - 1):
            said = f'"{title}" has no worked example: begin it with a program that runs.'
            yield ProofFinding("references", said, LESSON, line, unit)


def lesson_names(trial: Trial) -> Iterator[ProofFinding]:
    """Links and names of the lesson must lead somewhere."""
    lesson, stubs = trial.candidate.authored.get(LESSON, ""), frozenset(trial.stubs)
    texts = {
        **trial.candidate.files,
        **{f"solution/{k}": v for k, v in trial.candidate.solution.items()},
    }
    texts.pop(LESSON, None)
    closing = {link for piece in split_at(lesson, 2) if (link := _closing(piece))}
    for line, said in broken(lesson, trial.candidate.files):
        if not any(link in said for link in closing):
            yield ProofFinding("references", said, LESSON, line)
    for line, said in unknown_names(lesson, texts, stubs):
        yield ProofFinding("references", said, LESSON, line)


def _closing(piece: str) -> str:
    link = CLOSING_LINK.search(piece.rstrip())
    return f"[{link[1]}]({link[2]})" if link is not None else ""


def _link(piece: str, title: str, stubs: dict[str, Unit], mine: Unit | None) -> str | None:
    """What is wrong with the link at the end of a section."""
    link = CLOSING_LINK.search(piece.rstrip())
    if link is None:
        wanted = f" `{mine.stub}`" if mine else ""
        return f'"{title}" does not end with a link to its stub{wanted}.'
    target = stubs.get(link[1].rpartition(".")[2].rpartition(":")[2])
    if target is None or target.file != link[2]:
        return f'The link at the end of "{title}" leads nowhere: [{link[1]}]({link[2]}).'
    if mine is not None and target.id != mine.id:
        return f'"{title}" is about `{mine.stub}`, but ends with a link to `{target.stub}`.'
    return None


def _names_it(text: str, name: str) -> bool:
    return re.search(rf"`[^`\n]*\b{re.escape(name)}\b[^`\n]*`", text) is not None
