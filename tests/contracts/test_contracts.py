"""Every contract takes its valid documents and says exactly what is wrong with the others."""

import json
from pathlib import Path

import pytest

from tutor_lsp.contracts import NAMES
from tutor_lsp.contracts.validate import ContractError, validate

FIXTURES = Path(__file__).parent / "fixtures"
VALID = sorted(FIXTURES.glob("valid/*/*.json"))
INVALID = sorted(FIXTURES.glob("invalid/*/*.json"))


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def errors_of(contract: str, data) -> dict[str, str]:
    with pytest.raises(ContractError) as caught:
        validate(contract, data)
    assert len({error["path"] for error in caught.value.errors}) == len(caught.value.errors)
    return {error["path"]: error["reason"] for error in caught.value.errors}


def test_every_contract_has_fixtures():
    assert {path.parent.name for path in VALID} == set(NAMES)
    assert {path.parent.name for path in INVALID} == set(NAMES)


@pytest.mark.parametrize("path", VALID, ids=_name)
def test_valid_documents_are_taken(path):
    document = json.loads(path.read_text("utf-8"))
    before = json.dumps(document)
    payload = validate(path.parent.name, document)
    assert {key: payload[key] for key in document} == document
    assert all(payload[key] is None for key in payload.keys() - document.keys())
    assert json.dumps(document) == before, "the caller's data changed"
    assert validate(path.parent.name, path.read_text("utf-8")) == payload
    assert validate(path.parent.name, payload) == payload


@pytest.mark.parametrize("path", INVALID, ids=_name)
def test_invalid_documents_are_refused_with_every_reason(path):
    fixture = json.loads(path.read_text("utf-8"))
    found = errors_of(path.parent.name, fixture["document"])
    assert sorted(found) == sorted(error["path"] for error in fixture["expect"])
    for error in fixture["expect"]:
        assert error["reason"] in found[error["path"]]


@pytest.mark.parametrize("as_text", [True, False])
def test_an_older_solution_is_read(as_text):
    older = json.loads((FIXTURES / "valid/solution_v1/full.json").read_text("utf-8"))
    payload = validate("solution_v2", json.dumps(older) if as_text else older)
    assert payload == {**older, "schema_version": "solution_v2", "accepts": None}


def test_a_missing_optional_becomes_null():
    section = json.loads((FIXTURES / "valid/lesson_section_v1/full.json").read_text("utf-8"))
    del section["next_focus"]
    assert validate("lesson_section_v1", section)["next_focus"] is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("Sure, here is the plan.", "is prose"),
        ('```json\n{"role": "scaffold"}\n```', "is wrapped in a code fence"),
        ('{"role": "scaff', "breaks off"),
        ('{"role": "scaffold"', "breaks off"),
        ('{"role": "scaffold"} That is all.', "has text after the JSON document"),
        ('{"role": scaffold}', "is not valid JSON"),
        ('{"role": NaN}', "is not valid JSON"),
        ('{"role": 1, "role": 2}', "holds the key 'role' twice"),
        ("[1]", "must be an object, not an array"),
        ('{"a":' * 20_000, "is nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "digits"),
        ("{" + " " * 1_000_001, "is too large"),
        (b'{"a": "\xff"}', "is not UTF-8"),
    ],
)
def test_text_that_is_no_document_is_refused_in_one_sentence(text, reason):
    found = errors_of("scaffold_v1", text)
    assert list(found) == ["$"]
    assert reason in found["$"]


def test_half_of_a_surrogate_pair_is_refused_where_it_stands():
    text = '{"files": [{"file_path": "a", "content": "\\ud800"}]}'
    assert errors_of("solution_v1", text) == {
        "$.files[0].content": "holds half of a surrogate pair"
    }


def test_three_megabytes_are_refused_however_they_come():
    document = {"schema_version": "solution_v1", "role": "solution", "files": []}
    document["files"] = [{"file_path": "src/a.py", "content": "x" * 3_000_000}]
    assert "at most" in errors_of("solution_v1", document)["$.files[0].content"]
    assert "is too large" in errors_of("solution_v1", json.dumps(document))["$"]


def test_a_flood_of_errors_is_cut_off():
    document = json.loads((FIXTURES / "valid/context_packet_v1/full.json").read_text("utf-8"))
    document["node"]["tags"] = [1] * 100_000
    found = errors_of("context_packet_v1", document)
    assert len(found) == 1001
    assert found["$"] == "has more than 1000 errors"


def test_a_key_that_is_no_name_is_quoted_in_the_path():
    document = json.loads((FIXTURES / "valid/solution_v1/full.json").read_text("utf-8"))
    document["a b"] = 1
    assert list(errors_of("solution_v1", document)) == ['$["a b"]']


def test_an_unknown_contract_is_a_key_error():
    with pytest.raises(KeyError):
        validate("scaffold_v9", {})
