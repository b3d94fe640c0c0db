"""The code blocks of a lesson, and what the text claims about each. Pure."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest

from tutor_lsp.core.language.language import Lines
from tutor_lsp.library.markdown import Code, code_blocks, headings, without_code

_IN_LINE = re.compile(r"[^\s>].*(?:`{3,}|~{3,})[\w-]*\s*$")
_PLAIN = frozenset({"", "text", "txt", "output", "console", "plain", "stdout", "none"})
_WRONG_INFO = frozenset({"compile_fail", "wrong", "bad", "error", "does-not-compile"})
_WRONG = re.compile(
    r"❌|✗|✘|\berror:"
    r"|\b(?:does|will|would|do)(?:\s+not|n['’]t)\s+(?:compile|build)\b"
    r"|\b(?:won['’]t|cannot|can['’]t)\s+(?:compile|build)\b"
    r"|\b(?:compile|compiler|build)[- ]error\b",
    re.IGNORECASE,
)
_RAISES = re.compile(r"^(?:#\s*|\W*raises\s+)[A-Z]\w*Error\b", re.MULTILINE)
_CLAIM = r"(?:(?:prints?|shows?|outputs?|output)\b:?\s*|=>\s*|->\s*|→\s*)(?P<value>.*?)"
_VALUE = r"(?P<value>[-+]?\d[\d_.]*|\"[^\"]*\"|'[^']*'|(?i:true|false|none)|[\[({].*[\])}])"
"""Nothing but a value."""
_SAID = re.compile(
    r"(?:^|[.!?:;]\s+)(?:it|this|that|the program|the code|running it)\s+(?:now\s+|then\s+)?"
    r"(?:prints|shows|outputs|writes)\s+`(?P<value>[^`\n]+)`",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = 300
"""Longest line that is searched for claims, in characters."""
_BETWEEN_LINES, _BETWEEN = 2, 240
"""Most lines and characters of text between a program and its output."""
_CHANGED = re.compile(
    r"\b(?:instead|without|would|were|had|unless|suppose|imagine|chang\w+|replac\w+|remov\w+"
    r"|swap\w*|leav\w+ out|typ(?:e|ed|es) in|enter\w*|before|after|file|command|should)\b",
    re.IGNORECASE,
)
"""Words that speak of something else than the program above."""
_ENDS = re.compile(r"^(?:warning\b|called `|(?:index|slice|range|byte|end byte|attempt)\b.* )")
"""What a program says that does not end well."""
_ELIDED = re.compile(r"^\s*(?:…|\.\.\.|\[\.\.\.\])\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block. `line` is that of its opening fence.

    `wrong` if lesson or code say that it does not work, `codes` are the errors that they name.
    `output` is its complete claimed output, `lines` are claims of single lines, `said` claims in
    the text below.
    """

    info: str
    code: str
    line: int
    heading: str
    wrong: bool = False
    codes: frozenset[str] = frozenset()
    output: str | None = None
    lines: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """The first word of the info string, in lower case."""
        words = re.split(r"[\s,{]", self.info.strip().lower())
        return words[0] if words else ""


def blocks_of(lesson: str, language: Lines) -> tuple[Block, ...]:
    """Every fenced block in order; `language` is the one that its comments are read in."""
    lines = lesson.split("\n")
    fences = [code for code in code_blocks(lesson) if code.fenced]
    marks = [mark for mark in headings(lesson) if mark.level == 2]
    found = []
    for code, following in zip_longest(fences, fences[1:]):
        heading = next((m.text for m in reversed(marks) if m.line < code.first), "")
        below = lines[code.last : following.first - 1] if following else lines[code.last :]
        between = "\n".join(line for line in below if line.strip())
        shown = not _plain(code.info) and _is_output(between, following, language)
        after = following if not between or shown else None
        if after is not None:
            nearest = (each.first - 1 for each in fences if each.first > after.last)
            below = [*below, *lines[after.last : next(nearest, len(lines))]]
        said = re.split(r"^#+ ", "\n".join(below), maxsplit=1, flags=re.MULTILINE)[0]
        block = _read(code, heading, after, language)
        found.append(replace(block, said=tuple(m["value"] for m in _SAID.finditer(said))))
    return tuple(found)


def _is_output(between: str, following: Code | None, language: Lines) -> bool:
    """Whether a plain block is what the program above it prints, with text between the two. An
    error there is mostly that of another program, of which the text speaks."""
    if following is None or not _plain(following.info) or not following.text.strip():
        return False
    short = between.count("\n") < _BETWEEN_LINES and len(between) <= _BETWEEN
    if not short or between.startswith("#") or "\n#" in between or _CHANGED.search(between):
        return False
    return not _tells(language).search(following.text) and not _ENDS.search(following.text)


def fences_in_lines(lesson: str) -> list[int]:
    """The lines (1-based) that end with a fence which does not begin them, so that it is none."""
    lines = enumerate(without_code(lesson).split("\n"), start=1)
    return [number for number, line in lines if _IN_LINE.search(line[-_LINE:])]


def _read(code: Code, heading: str, after: Code | None, language: Lines) -> Block:
    told = (
        after is not None and _plain(after.info) and _tells(language).search(after.text) is not None
    )
    info = set(re.split(r"[\s,{}]+", code.info.lower()))
    comments = "\n".join(_comments(code.text, language))
    raises = bool(_RAISES.search(comments)) and not re.search(language.catches, code.text)
    wrong = bool(info & _WRONG_INFO) or told or raises or _is_wrong(comments, language)
    codes: set[str] = set()
    if wrong:
        named = re.compile(rf"\b(?:{language.codes})\b")
        codes = set(named.findall(comments)) | set(named.findall(code.info))
        if told and after is not None:
            codes |= set(named.findall(after.text))
    output = None
    if after is not None and not told and _plain(after.info):
        output = after.text
    shown = (line for line in code.text.split("\n") if len(line) <= _LINE)
    said, value = (_comment_after_printing(form, language) for form in (_CLAIM, _VALUE))
    claims = (said.search(line) or value.search(line) for line in shown)
    lines = tuple(_unquoted(claim["value"]) for claim in claims if claim and claim["value"])
    return Block(code.info, code.text, code.first, heading, wrong, frozenset(codes), output, lines)


def _is_wrong(comments: str, language: Lines) -> bool:
    code = rf"\berror\[(?:{language.codes})\]"
    return bool(_WRONG.search(comments) or re.search(code, comments, re.IGNORECASE))


@cache
def _tells(language: Lines) -> re.Pattern[str]:
    own = f"|{language.fails}" if language.fails else ""
    return re.compile(rf"^[^\S\n]*+(?:error\b|[A-Z]\w*Error\b{own})", re.MULTILINE)


def _plain(info: str) -> bool:
    return info.strip().lower() in _PLAIN


def _comments(code: str, language: Lines) -> list[str]:
    found = (re.search(rf"(?:{language.marks}).*$", line) for line in code.split("\n"))
    return [match[0] for match in found if match]


@cache
def _comment_after_printing(form: str, language: Lines) -> re.Pattern[str]:
    closes = "|".join(map(re.escape, language.block[1:]))
    return re.compile(rf"{language.prints}.*(?:{language.marks})\s*{form}\s*(?:{closes})?\s*$")


def _unquoted(value: str) -> str:
    text = value.strip().rstrip(".") if value.endswith(("`.", '".')) else value.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "`\"'" else text


def fits(claimed: str, printed: str) -> bool:
    """Whether a program printed what the text shows; a line `…` matches any number of lines."""
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
    """The first claimed line that was not printed in order, or None."""
    lines = iter(line.rstrip() for line in printed.split("\n"))
    return next((claim for claim in claims if claim not in lines), None)
