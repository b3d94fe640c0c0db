"""Rust text that serves nothing but to change what its tests say: pure, by tokens.

Rust joins no tokens (`concat_idents!` is not stable), so a name that is not in a text is not in
what a macro makes of it either. `process::exit` and the like are left alone: a program that ends
itself does not pass (`exit`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutor_lsp.languages.common.tampering import Tampering
from tutor_lsp.languages.common.texts import words
from tutor_lsp.languages.common.treesitter import Source, walk

_HINT = re.compile(
    r"\b(?:no_mangle|export_name|link_section|link_name|link|asm|global_asm|naked_asm|include"
    r"|extern|macro_rules|(?:debug_)?assert(?:_eq|_ne)?|panic|fn\s+(?:eq|ne))\b|/proc/"
)
_ATTRIBUTES = {
    "no_mangle": "puts a function in the place of one that every program uses (`no_mangle`)",
    "export_name": "puts a function in the place of one that every program uses (`export_name`)",
    "link_section": "runs code of its own before the tests (`link_section`)",
    "link_name": "calls a function of the system under another name (`link_name`)",
}
_MACROS = {
    "asm": "holds machine code (`asm!`)",
    "global_asm": "holds machine code (`global_asm!`)",
    "naked_asm": "holds machine code (`naked_asm!`)",
    "include": "takes in code that is not in a source file (`include!`)",
}
_FOREIGN = words(
    "_exit _Exit exit quick_exit abort atexit at_quick_exit on_exit __cxa_atexit syscall mprotect "
    "mmap mremap munmap dlsym dlopen ptrace prctl fork vfork clone raise kill tgkill signal "
    "sigaction pthread_kill pthread_sigmask pthread_exit write pwrite writev read pread open dup "
    "dup2 dup3 fcntl longjmp siglongjmp _longjmp setcontext makecontext swapcontext execve execv "
    "execvp execl execlp fexecve posix_spawn process_vm_readv process_vm_writev getcontext"
)
_JUDGES = words("assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne panic")
_PROCESS = re.compile(r"/proc/(?:self|thread-self)/(?:mem|fd|environ|cmdline|maps|task|exe)\b")
_OPEN, _CLOSE = ("(", "{", "["), (")", "}", "]")


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    line: int
    kind: str


def look(file: str, text: str) -> list[Tampering]:
    """What is found in a source file, in order."""
    if not _HINT.search(text):
        return []
    tokens = _tokens(text)
    ends = _ends(tokens)
    found = [*_names(tokens), *_strings(tokens)]
    found += [*_foreign(tokens, ends), *_equalities(tokens, ends)]
    return [Tampering(file, line, what) for line, what in sorted(found)]


def _tokens(text: str) -> list[_Token]:
    source = Source("rust", text)
    strings = ("string_literal", "raw_string_literal")
    whole = (*strings, "line_comment", "block_comment")
    found = []
    for node in walk(source.root, lambda node: node.type not in whole):
        if node.type in strings or (node.child_count == 0 and "comment" not in node.type):
            kind = "string" if node.type in strings else node.type
            if word := source.text_of(node).removeprefix("r#"):
                found.append(_Token(word, source.line(node), kind))
    return found


def _names(tokens: Sequence[_Token]) -> Iterator[tuple[int, str]]:
    for at, token in enumerate(tokens):
        if token.kind == "string":
            continue
        before = [each.text for each in tokens[max(at - 2, 0) : at]]
        after = [each.text for each in tokens[at + 1 : at + 2]]
        if token.text in _ATTRIBUTES:
            yield token.line, _ATTRIBUTES[token.text]
        elif token.text == "link" and before == ["#", "["]:
            yield token.line, "links another library (`#[link]`)"
        elif token.text in _MACROS and after == ["!"]:
            yield token.line, _MACROS[token.text]
        elif token.text in _JUDGES and (before == ["macro_rules", "!"] or before[-1:] == ["as"]):
            yield token.line, f"puts its own `{token.text}!` in the place of the one in the tests"


def _strings(tokens: Sequence[_Token]) -> Iterator[tuple[int, str]]:
    for token in tokens:
        found = _PROCESS.search(token.text) if token.kind == "string" else None
        if found:
            yield token.line, f"reaches into the running test program ({found[0]})"


def _foreign(tokens: Sequence[_Token], ends: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Functions of the system that are declared in `extern` blocks."""
    inside = 0
    for at, token in enumerate(tokens[:-1]):
        following = tokens[at + 1]
        if token.text == "extern" and token.kind != "string":
            brace = at + 1 + (following.kind == "string")
            if brace < len(tokens) and tokens[brace].text == "{":
                inside = max(inside, ends[brace])
        elif token.text == "fn" and at < inside and following.text in _FOREIGN:
            yield following.line, f"calls `{following.text}` of the system by itself"


@dataclass(slots=True)
class _Equality:
    """An `eq` or `ne` from its `fn` at `start` to `end`, whose body begins at `brace`; `other` is
    what it calls the other value, `body` the body's words without those of an `eq` in it."""

    start: int
    brace: int
    end: int
    other: str
    body: list[str]


def _equalities(tokens: Sequence[_Token], ends: Sequence[int]) -> Iterator[tuple[int, str]]:
    """An `eq` or `ne` that does not look at both values."""
    found = list(_comparisons(tokens, ends))
    _fill(tokens, found)
    for each in found:
        body = _used(each.body)
        if body != ["false"] and not {"self", each.other} <= set(body):
            name = tokens[each.start + 1].text
            yield tokens[each.start].line, f"compares without looking at both values (`{name}`)"


def _comparisons(tokens: Sequence[_Token], ends: Sequence[int]) -> Iterator[_Equality]:
    """Those that have a body and take `self`."""
    body = _next(tokens, ("{", ";", "fn"))  # not that of the next function
    for at, token in enumerate(tokens[:-2]):
        named = token.text == "fn" and tokens[at + 1].text in ("eq", "ne")
        if not named or tokens[at + 2].text != "(":
            continue
        closed = ends[at + 2]
        other = _other(tokens, at + 3, closed - 1)
        brace = body[closed]
        if other is not None and brace < len(tokens) and tokens[brace].text == "{":
            yield _Equality(at, brace, ends[brace], other, [])


def _other(tokens: Sequence[_Token], start: int, end: int) -> str | None:
    """The first name after `self` among what a function takes; None where it takes no `self`."""
    taken = (tokens[at].text for at in range(start, end))
    for word in taken:
        if word == "self":
            return next((each for each in taken if re.fullmatch(r"[^\W\d]\w*", each)), "_")
        if word == "fn":
            return None
    return None


def _fill(tokens: Sequence[_Token], found: Sequence[_Equality]) -> None:
    """Give each its words: every token to the innermost that it is in."""
    waiting = iter([*found, None])
    following = next(waiting)
    within: list[_Equality] = []
    for at, token in enumerate(tokens):
        while within and within[-1].end - 1 <= at:
            within.pop()
        if following is not None and following.start == at:
            within.append(following)
            following = next(waiting)
        if within and at > within[-1].brace:
            within[-1].body.append(token.text)


def _used(body: Sequence[str]) -> list[str]:
    """The words of a body without statements that only name a value: `let _x = other;`."""
    used = []
    skips = False
    for at, word in enumerate(body):
        if word == "let" and body[at + 2 : at + 3] == ["="] and body[at + 1].startswith("_"):
            skips = True
        if not skips:
            used.append(word)
        elif word == ";":
            skips = False
    return used


def _ends(tokens: Sequence[_Token]) -> list[int]:
    """For each bracket that opens, one past the one that closes it, or the end of the text."""
    ends = [len(tokens)] * len(tokens)
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.text in _OPEN:
            opened.append(at)
        elif token.text in _CLOSE and opened:
            ends[opened.pop()] = at + 1
    return ends


def _next(tokens: Sequence[_Token], wanted: Sequence[str]) -> list[int]:
    """For each place, and the end, the next of these tokens."""
    places = [len(tokens)] * (len(tokens) + 1)
    for at in reversed(range(len(tokens))):
        places[at] = at if tokens[at].text in wanted else places[at + 1]
    return places
