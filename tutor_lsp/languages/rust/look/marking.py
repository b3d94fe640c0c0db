"""A Rust test that tells its calls: each is put into a macro, on the line where it stands."""

from collections.abc import Collection, Iterator, Sequence

from tutor_lsp.core.exercise.report import RawTest
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.look.marks import BEGUN, END, ENDED, MOST, SEP, VALUE_LIMIT, Calls
from tutor_lsp.languages.common.predict.insert import Insertions
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk
from tutor_lsp.languages.rust.explain import explain
from tutor_lsp.languages.rust.reading import Reader, variables
from tutor_lsp.languages.rust.source import below_attributes, call_ranges, is_test

_HELP = (
    "#[allow(unused_macros)] macro_rules! tutor_call {"
    " ($at:expr, [$(($name:expr, $value:expr)),*], $call:expr) => { match ({"
    " #[allow(unused_imports)] use crate::tutor_seen::Other as _;"
    " crate::tutor_seen::begun($at,"
    " &[$(($name, crate::tutor_seen::Value(&$value).shown())),*]); }, $call) { ((), value) => {"
    " #[allow(unused_imports)] use crate::tutor_seen::Other as _;"
    " crate::tutor_seen::ended($at, crate::tutor_seen::Value(&value).shown()); value } } }; } "
    "#[allow(dead_code, unused_imports)] mod tutor_seen { use std::fmt::Write as _;"
    " static BEGAN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();"
    " static TOLD: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);"
    " struct Short(String); impl std::fmt::Write for Short {"
    " fn write_str(&mut self, text: &str) -> std::fmt::Result {"
    " for each in text.chars() { if self.0.len() > LIMIT { return Err(std::fmt::Error); }"
    " self.0.push(if each < ' ' { ' ' } else { each }); } Ok(()) } }"
    " pub struct Value<'a, T: ?Sized>(pub &'a T);"
    " impl<T: ?Sized + std::fmt::Debug> Value<'_, T> { pub fn shown(&self) -> String {"
    " let mut text = Short(String::new());"
    " if write!(text, \"{:?}\", self.0).is_err() { text.0.push('…'); } text.0 } }"
    " pub trait Other { fn shown(&self) -> String; }"
    " impl<T: ?Sized> Other for Value<'_, T> { fn shown(&self) -> String { String::new() } }"
    " pub fn begun(at: &str, names: &[(&str, String)]) {"
    " let since = BEGAN.get_or_init(std::time::Instant::now).elapsed().as_millis();"
    " if TOLD.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > MOST { return; }"
    ' let mut text = format!("BEGUN{at}SEP{since}");'
    ' for (name, value) in names { text += &format!("SEP{name}SEP{value}"); }'
    ' eprintln!("{text}END"); }'
    " pub fn ended(at: &str, value: String) {"
    " if TOLD.load(std::sync::atomic::Ordering::Relaxed) <= MOST {"
    ' eprintln!("ENDED{at}SEP{value}END"); } } } '
)
"""Shows what can be shown, and nothing of any other type: the method of the type itself is found
before that of the trait."""

_CONSTANT = ("const_item", "static_item", "macro_definition", "function_item")


def lacks(test: RawTest, files: Files, stubs: Sequence[str]) -> bool:
    """See `Marker`."""
    return Reader.of(test, files, stubs).lacks(test, explain(test, files, stubs))


def helpers() -> Files:
    """See `Marker`."""
    return {}


def marked(
    file: str,
    files: Files,
    stubs: Collection[str],
    tests: Collection[str],
    without: Collection[int],
) -> tuple[str, Calls]:
    """See `Marker`."""
    source = Source("rust", files[file])
    put, calls = Insertions(source), dict[tuple[int, int], str]()
    for function in _functions(source, tests, without):
        for start, end in _outermost(source, function, stubs):
            call = source.slice(start, end)
            line = source.data.count(b"\n", 0, start) + 1
            place = line, source.column(start)
            shown = "".join(f'("{name}", {name}),' for name in variables(call)).rstrip(",")
            put.before(start, f'tutor_call!("{place[0]}:{place[1]}", [{shown}], ')
            put.after(end, ")")
            calls[place] = call
    whole, at = put.text(), below_attributes(source)
    return whole[:at] + _help() + whole[at:], calls


def _help() -> str:
    def written(mark: str) -> str:
        return "".join(f"\\u{{{ord(each):x}}}" if each < " " else each for each in mark)

    parts = {"BEGUN": BEGUN, "ENDED": ENDED, "SEP": SEP, "END": END}
    text = _HELP.replace("MOST", str(MOST)).replace("LIMIT", str(VALUE_LIMIT))
    for name, mark in parts.items():
        for before in ('"', "}"):
            text = text.replace(f"{before}{name}", f"{before}{written(mark)}")
    return text


def _functions(source: Source, tests: Collection[str], without: Collection[int]) -> Iterator[Node]:
    """The bodies of these tests, and of all that is no test."""
    for node in walk(source.root):
        name, body = field(node, "name"), field(node, "body")
        if node.type != "function_item" or name is None or body is None:
            continue
        if any(source.line(node) <= line <= source.end_line(node) for line in without):
            continue
        modifiers = [source.text_of(n) for n in node.children if n.type == "function_modifiers"]
        if any("const" in each for each in modifiers):
            continue
        if source.text_of(name) in tests or not is_test(source, node):
            yield body


def _outermost(source: Source, body: Node, stubs: Collection[str]) -> list[tuple[int, int]]:
    """Where calls of stubs begin and end; of a chain, the whole."""
    chains: dict[int, int] = {}
    for name, start, end in call_ranges(source, body, lambda each: each.type not in _CONSTANT):
        if name in stubs:
            chains[start] = max(end, chains.get(start, 0))
    return sorted(chains.items())
