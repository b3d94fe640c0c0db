"""Rust text that serves nothing but to change what its tests say: pure, by tokens.

Rust joins no tokens (`concat_idents!` is not stable), so a name that is not in a text is not in
what a macro makes of it either. `process::exit` and the like are left alone: a program that ends
itself does not pass (`rust_exit`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tutor_lsp.toolchains.tampering import Tampering, words

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
_OPEN, _CLOSE = {"(": ")", "{": "}", "[": "]"}, ")}]"


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
    found = [*_names(tokens), *_strings(tokens), *_foreign(tokens), *_equalities(tokens)]
    return [Tampering(file, line, what) for line, what in sorted(found)]


def _tokens(text: str) -> list[_Token]:
    from tutor_lsp.toolchains.treesitter import Source, walk

    source = Source("rust", text)
    strings = ("string_literal", "raw_string_literal")
    found = []
    for node in walk(source.root, lambda node: node.type not in strings):
        whole = node.type in strings
        if (node.child_count == 0 or whole) and "comment" not in node.type:
            word = source.text_of(node).removeprefix("r#")
            kind = "string" if whole else node.type
            if word and (node.parent is None or "comment" not in node.parent.type):
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


def _foreign(tokens: Sequence[_Token]) -> Iterator[tuple[int, str]]:
    """Functions of the system that are declared in `extern` blocks."""
    for at, token in enumerate(tokens):
        if token.text != "extern" or token.kind == "string":
            continue
        start = at + 1
        if start < len(tokens) and tokens[start].kind == "string":
            start += 1
        if start >= len(tokens) or tokens[start].text != "{":
            continue
        block = tokens[start : _end(tokens, start)]
        for this, following in pairwise(block):
            if this.text == "fn" and following.text in _FOREIGN:
                yield following.line, f"calls `{following.text}` of the system by itself"


def _equalities(tokens: Sequence[_Token]) -> Iterator[tuple[int, str]]:
    """An `eq` or `ne` that does not look at both values."""
    for at, token in enumerate(tokens[:-2]):
        name = tokens[at + 1].text
        if token.text != "fn" or name not in ("eq", "ne") or tokens[at + 2].text != "(":
            continue
        closed = _end(tokens, at + 2)
        taken = [each.text for each in tokens[at + 3 : closed - 1]]
        brace = next((i for i in range(closed, len(tokens)) if tokens[i].text in "{;"), None)
        if "self" not in taken or brace is None or tokens[brace].text == ";":
            continue
        body = _used(tokens[brace + 1 : _end(tokens, brace) - 1])
        rest = taken[taken.index("self") + 1 :]
        other = next((word for word in rest if re.fullmatch(r"[^\W\d]\w*", word)), "_")
        if body != ["false"] and not {"self", other} <= set(body):
            yield token.line, f"compares without looking at both values (`{name}`)"


def _used(body: Sequence[_Token]) -> list[str]:
    """The words of a body without statements that only name a value: `let _x = other;`."""
    words = [token.text for token in body]
    for at in range(len(words) - 4):
        if words[at] == "let" and words[at + 1].startswith("_") and words[at + 2] == "=":
            rest = words[at:]
            stop = at + rest.index(";") + 1 if ";" in rest else len(words)
            words[at:stop] = [""] * (stop - at)
    return [word for word in words if word]


def _end(tokens: Sequence[_Token], start: int) -> int:
    """One past the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(tokens)):
        if tokens[at].text in _OPEN:
            depth += 1
        elif tokens[at].text in _CLOSE:
            depth -= 1
            if depth == 0:
                return at + 1
    return len(tokens)
