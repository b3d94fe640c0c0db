"""No answer of a model freezes the server: everything in it is bounded, and every check linear."""

import json

import pytest
import stage_samples as samples
from answer_shapes import cost_ms, longest_hold_ms, shapes

from tutor_lsp.authoring.readable import ReadableRunner, unreadable
from tutor_lsp.contracts.models import MODELS
from tutor_lsp.contracts.validate import MAX_ANSWER_BYTES, ContractError, validate
from tutor_lsp.core.stage import CONTRACTS, Rejection, Role
from tutor_lsp.core.text.plain_text import plain_words, unescaped
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.registry import dialect
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.stages.backends.scripted import ScriptedBackend
from tutor_lsp.stages.runner import Runner
from tutor_lsp.tutor.hinting.coach import forms, grounds, pieces, prose
from tutor_lsp.tutor.hinting.coach.claims import told
from tutor_lsp.tutor.hinting.coach.sentences import only

HINT_BYTES, CODE_BYTES = 2000, 1500
LIMIT_MS = 60.0
"""Most that one check of a text may take; measured below 15 on a quiet machine."""
HELD_MS = 40.0
"""Longest that work in a thread may keep all others from going on; 5 is usual."""
GRAMMARS = {name: dialect(name).grammar for name in ("python", "rust", "c")}
BODY = parse(
    "total = 0\nfor price in prices:\n    total += cents(price)\nreturn total\n", GRAMMARS["python"]
).tokens


def parts(schema, root, path="$"):
    """Every part of a model's own JSON schema, with its path."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    yield path, schema
    for name, part in schema.get("properties", {}).items():
        yield from parts(part, root, f"{path}.{name}")
    for part in schema.get("anyOf", []):
        yield from parts(part, root, path)
    if "items" in schema:
        yield from parts(schema["items"], root, f"{path}[]")


@pytest.mark.parametrize("contract", sorted(set(CONTRACTS.values())))
def test_every_text_and_list_of_an_answer_has_a_limit(contract):
    schema = MODELS[contract].model_json_schema()
    for path, part in parts(schema, schema):
        if part.get("type") == "string" and not part.keys() & {"const", "enum"}:
            assert part.get("maxBytes"), path
        if part.get("type") == "array":
            assert part.get("maxItems"), path
    assert 0 < MODELS[contract].answer_bytes <= MAX_ANSWER_BYTES


def places(value, path=()):
    """The path of every text and list in a document."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        yield path
        for at, item in enumerate(value):
            yield from places(item, (*path, at))
    elif isinstance(value, str):
        yield path


def put(document, path, value):
    """The document with another value at a path."""
    document = json.loads(json.dumps(document))
    target = document
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return document


FIELDS = [(role, path) for role in Role for path in places(samples.payload(role)) if path]


@pytest.mark.parametrize(("role", "path"), FIELDS, ids=[f"{r.value}-{p}" for r, p in FIELDS])
def test_too_much_in_a_field_is_refused_by_its_name(role, path):
    contract = CONTRACTS[role]
    for value in ("é" * 35_000, [1] * 20_000):
        document = put(samples.payload(role), path, value)
        with pytest.raises(ContractError) as caught:
            validate(contract, json.dumps(document, ensure_ascii=False))
        named = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
        issue = caught.value.errors[0]
        assert issue["path"] == f"${named}"
        assert "at most" in issue["reason"] or issue["reason"].startswith("must be")
        assert len(issue["reason"]) < 200


MEGABYTES = {
    "one word": "a" * 1_000_000,
    "many words": "word " * 200_000,
    "nested Markdown": "".join(" " * (at % 400) + "- > **a [b `c\n" for at in range(4700)),
    "brackets": "[" * 1_000_000,
    "backticks": "`" * 1_000_000,
}  # fmt: skip


@pytest.mark.parametrize("text", MEGABYTES.values(), ids=MEGABYTES)
@pytest.mark.parametrize("role", list(Role), ids=[role.value for role in Role])
async def test_a_megabyte_is_refused_so_that_it_is_asked_again(role, text):
    path = next(p for r, p in FIELDS if r is role and p[-1] not in ("schema_version", "role"))
    answer = put(samples.payload(role), path, text)
    backend = ScriptedBackend([{"stage": role.value, "payload": answer}])
    result = await Runner(lambda _event: None).run(samples.request(role), backend)
    assert result.kind is Rejection.SCHEMA_VALIDATION_FAILED
    assert "at most" in result.reason


def test_what_is_nested_deeply_is_refused_before_anything_recurses():
    for depth in (11, 300, 900, 5000):
        for key in ("a", "role", "text", "tags", "fix"):
            with pytest.raises(ContractError) as caught:
                validate("hint_pack_v1", f'{{"{key}": ' + "[" * depth + "]" * depth + "}")
            assert all(len(issue["reason"]) < 200 for issue in caught.value.errors)


HINT_CHECKS = {
    "blocks": lambda text: pieces.blocks(text, text),
    "copies": lambda text: forms.copies(BODY, text, text),
    "shows_code": lambda text: grounds.shows_code(text, "x = 1 " * 2000),
    "contradicts": lambda text: grounds.contradicts(text, failing=True),
    "only": lambda text: only(text, lambda said: grounds.stands(said, "x = 1", {"test_a"})),
    "told": lambda text: list(told(text, {"f"}, dialect("python").grammar)),
    "dictates": lambda text: prose.dictates(text, BODY, ["prices"]),
}
SLOWEST = pytest.mark.long("takes as long as all others together")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=SLOWEST if n == "dictates" else ()) for n in HINT_CHECKS]
)
def test_checks_of_a_hint_are_quick_at_its_limit(name):
    slow = {
        shape: round(cost)
        for shape, text in shapes(HINT_BYTES)
        if (cost := cost_ms(HINT_CHECKS[name], text)) > LIMIT_MS
    }
    assert not slow


@pytest.mark.long("measures a growth; checks of a hint at its limit stand for it here")
@pytest.mark.first(1)
@pytest.mark.parametrize("read", [plain_words, unescaped])
def test_telling_a_text_takes_no_square_of_it(read):
    slow = [name for name, text in shapes(16_000) if cost_ms(read, text) > LIMIT_MS]
    assert not slow


@pytest.mark.sample("c-text3")
@pytest.mark.parametrize(
    ("language", "text"),
    [("rust", "x)" * 8000), ("rust", '"' * 16_000), ("python", "{}" * 8000), ("c", "f'{" * 5000)],
)  # fmt: skip
def test_a_text_full_of_errors_is_parsed_without_holding_up_others(language, text):
    reader = toolchains()[language]
    assert longest_hold_ms(lambda: reader.functions(text)) < HELD_MS


@pytest.mark.sample("a", "<!--", "`")
@pytest.mark.parametrize("bit", ["a", "<code>", "fn f(){", "http://a ", "a b(c) ", "<!--", "`"])
def test_looking_for_code_in_a_hint_holds_nobody_up(bit):
    text = bit * (HINT_BYTES // len(bit))
    held = longest_hold_ms(lambda: pieces.pieces(text, text[:CODE_BYTES]))
    assert held < HELD_MS


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("language", "text", "at"),
    [
        ("python", "/* your " * 1000, 0),
        ("python", "def f(a):\n    return a\n" * 1300, None),
        ("rust", "x)" * 8000, None),
        ("c", "int f(int a) { return a + 1; }\n" * 1000, None),
    ],
)
async def test_code_that_holds_up_its_reader_is_found_where_it_can_be_killed(language, text, at):
    assert await unreadable(language, [text]) == at


async def test_a_section_that_cannot_be_read_is_refused():
    payload = samples.payload(Role.STARTER) | {"content": "/* your " * 370}
    backend = ScriptedBackend([{"stage": Role.STARTER.value, "payload": payload}])
    runner = ReadableRunner(Runner(lambda _event: None), "python")
    result = await runner.run(samples.request(Role.STARTER), backend)
    assert (result.accepted, result.kind) == (False, Rejection.POLICY_VIOLATION)
    assert "takes too long to parse" in result.reason
