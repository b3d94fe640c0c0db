"""The code blocks of a lesson, and what the text claims about each. Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tutor_lsp.library.markdown import headings

_OPEN = re.compile(r"^(?P<before>.*?)(?P<mark>`{3,}|~{3,})\s*(?P<info>[^`]*)$")
_PLAIN = frozenset({"", "text", "txt", "output", "console", "plain", "stdout", "none"})
_WRONG_INFO = frozenset({"compile_fail", "wrong", "bad", "error", "does-not-compile"})
_WRONG = re.compile(
    r"❌|✗|✘|\berror\[E\d|\berror:"
    r"|\b(?:does|will|would|do)(?:\s+not|n['’]t)\s+(?:compile|build)\b"
    r"|\b(?:won['’]t|cannot|can['’]t)\s+(?:compile|build)\b"
    r"|\b(?:compile|compiler|build)[- ]error\b",
    re.IGNORECASE,
)
_RAISES = re.compile(r"^#\s*(?:raises\s+)?[A-Z]\w*Error\b", re.MULTILINE)
_CATCHES = re.compile(r"\b(?:try|except|suppress)\b|\bpytest\.raises\b")
_CODES = re.compile(r"\b(?:E\d{4}|[A-Z]\w*(?:Error|Exception|Exit|Interrupt))\b")
_TELLS = re.compile(
    r"^[^\S\n]*+(?:error\b|error\[|Traceback \(most recent|[A-Z]\w*Error\b)", re.MULTILINE
)
_CLAIM = re.compile(
    r"(?:print\w*!?|puts|printf|dbg!)\s*\(.*(?://|\#|/\*)\s*"
    r"(?:(?:prints?|shows?|outputs?|output)\b:?\s*|=>\s*|->\s*|→\s*)(?P<value>.*?)\s*(?:\*/)?\s*$"
)
_VALUE = re.compile(
    r"(?:^\s*print|print\w*!|\bprintf|\bputs)\s*\(.*\)\s*;?\s*(?://|\#|/\*)\s*"
    r"(?P<value>[-+]?\d[\d_.]*|\"[^\"]*\"|'[^']*'|True|False|None|true|false|[\[({].*[\])}])"
    r"\s*(?:\*/)?\s*$"
)
"""A line that prints, and behind it nothing but a value."""
_SAID = re.compile(
    r"(?:^|[.!?:;]\s+)(?:it|this|that|the program|the code|running it)\s+(?:now\s+|then\s+)?"
    r"(?:prints|shows|outputs|writes)\s+`(?P<value>[^`\n]+)`",
    re.IGNORECASE | re.MULTILINE,
)
_CLAIMS, _FENCES = 300, 1000
"""Most characters of a line that claims what is printed, and of one that begins a block."""
_ELIDED = re.compile(r"^\s*(?:…|\.\.\.|\[\.\.\.\])\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block. `line` is that of its opening fence, `own_line` whether that stands alone.

    `wrong` if lesson or code say that it does not work, `codes` are the errors that they name.
    `output` is what it is claimed to print as a whole, `lines` what single lines claim, `said` what
    the text below says that it prints.
    """

    info: str
    code: str
    line: int
    heading: str
    own_line: bool = True
    wrong: bool = False
    codes: frozenset[str] = frozenset()
    output: str | None = None
    lines: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """The first word behind the fence, in small letters."""
        words = re.split(r"[\s,{]", self.info.strip().lower())
        return words[0] if words else ""


def blocks_of(lesson: str) -> tuple[Block, ...]:
    """Every fenced block in order, also those whose fence does not stand on a line of its own."""
    raw = _raw(lesson.split("\n"))
    marks = [mark for mark in headings(lesson) if mark.level == 2]
    found = []
    for number, (first, last, info, code, own) in enumerate(raw):
        heading = next((m.text for m in reversed(marks) if m.line < first), "")
        following = raw[number + 1] if number + 1 < len(raw) else None
        after = None
        if (
            following is not None
            and not "".join(lesson.split("\n")[last : following[0] - 1]).strip()
        ):
            after = following
        block = _read(Block(info, code, first, heading, own), after)
        below = _prose(lesson.split("\n"), raw, number + (after is not None))
        found.append(replace(block, said=tuple(m["value"] for m in _SAID.finditer(below))))
    return tuple(found)


_Raw = tuple[int, int, str, str, bool]


def _prose(lines: Sequence[str], raw: Sequence[_Raw], number: int) -> str:
    """The text below a block, to the next block or heading."""
    begin = raw[number][1]
    end = raw[number + 1][0] - 1 if number + 1 < len(raw) else len(lines)
    text = "\n".join(lines[begin:end])
    return re.split(r"^#+ ", text, maxsplit=1, flags=re.MULTILINE)[0]


def _raw(lines: Sequence[str]) -> list[_Raw]:
    """First line, last line (both 1-based), info, code, whether the fence has its own line."""
    found: list[_Raw] = []
    at = 0
    never: set[str] = set()
    while at < len(lines):
        opened = _OPEN.match(lines[at]) if len(lines[at]) <= _FENCES else None
        if opened is None or ("`" in opened["before"] and opened["before"].count("```") % 2):
            at += 1
            continue
        own = not opened["before"].strip(" >")
        close = opened["mark"][:3]
        rest = range(at + 1, len(lines) if close not in never else at + 1)
        end = next((i for i in rest if lines[i].lstrip().startswith(close)), len(lines))
        if end == len(lines):
            never.add(close)
        if not own and end == len(lines):
            at += 1
            continue
        found.append((at + 1, end + 1, opened["info"], "\n".join(lines[at + 1 : end]), own))
        at = end + 1
    return found


def _read(block: Block, after: _Raw | None) -> Block:
    told = after is not None and _plain(after[2]) and _TELLS.search(after[3]) is not None
    info = set(re.split(r"[\s,{}]+", block.info.strip().lower()))
    comments = "\n".join(_comments(block.code))
    raises = bool(_RAISES.search(comments)) and not _CATCHES.search(block.code)
    wrong = bool(info & _WRONG_INFO) or told or raises or bool(_WRONG.search(comments))
    codes: set[str] = set()
    if wrong:
        codes = set(_CODES.findall(comments)) | set(_CODES.findall(block.info))
        if told and after is not None:
            codes |= set(_CODES.findall(after[3]))
    output = None
    if after is not None and not told and _plain(after[2]):
        output = after[3]
    shown = (line for line in block.code.split("\n") if len(line) <= _CLAIMS)
    claims = (_CLAIM.search(line) or _VALUE.search(line) for line in shown)
    lines = tuple(_unquoted(claim["value"]) for claim in claims if claim and claim["value"])
    return Block(
        block.info, block.code, block.line, block.heading, block.own_line, wrong,
        frozenset(codes), output, lines,
    )  # fmt: skip


def _plain(info: str) -> bool:
    return info.strip().lower() in _PLAIN


def _comments(code: str) -> list[str]:
    found = (re.search(r"(?://|\#|/\*)(?!\[).*$", line) for line in code.split("\n"))
    return [match[0] for match in found if match]


def _unquoted(value: str) -> str:
    text = value.strip().rstrip(".") if value.endswith(("`.", '".')) else value.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "`\"'" else text


def fits(claimed: str, printed: str) -> bool:
    """Whether a program printed what the text shows; a line `…` stands for any number of lines."""
    want = [line.rstrip() for line in claimed.strip("\n").split("\n")]
    have = [line.rstrip() for line in printed.strip("\n").split("\n")]
    if not any(_ELIDED.match(line) for line in want):
        return want == have
    at = 0
    anywhere = False
    for line in want:
        if _ELIDED.match(line):
            anywhere = True
            continue
        places = range(at, len(have)) if anywhere else range(at, min(at + 1, len(have)))
        hit = next((place for place in places if have[place] == line), None)
        if hit is None:
            return False
        at, anywhere = hit + 1, False
    return anywhere or at == len(have)


def missing_line(claims: Collection[str], printed: str) -> str | None:
    """The first claimed line that was not printed in its turn, or None."""
    lines = iter(line.rstrip() for line in printed.split("\n"))
    return next((claim for claim in claims if claim not in lines), None)
