"""Every contract takes its valid documents and says exactly what is wrong with the others."""

import copy
import json
import re
from pathlib import Path

import pytest

from tutor_lsp.contracts.models import MODELS
from tutor_lsp.contracts.validate import ContractError, validate

DOCUMENTS = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent / "documents").glob("*.json"))
}
"""Per contract a `full` document, and by name what others set in it or leave out."""


def full(contract):
    return copy.deepcopy(DOCUMENTS[contract]["full"])


def changed(contract, case):
    """The full document as a case has it."""
    whole = {"$": full(contract)}
    changes = [*case.get("set", {}).items(), *((path, None) for path in case.get("without", ()))]
    for path, value in changes:
        *steps, last = (int(n) if n else key for key, n in re.findall(r"(\$|\w+)|\[(\d+)\]", path))
        target = whole
        for step in steps:
            target = target[step]
        if path in case.get("without", ()):
            del target[last]
        else:
            target[last] = value
    return whole["$"]


def cases(kind):
    return [
        pytest.param(contract, case, id=f"{contract}/{name}")
        for contract, documents in DOCUMENTS.items()
        for name, case in documents[kind].items()
    ]


def errors_of(contract: str, data) -> dict[str, str]:
    with pytest.raises(ContractError) as caught:
        validate(contract, data)
    assert len({error["path"] for error in caught.value.errors}) == len(caught.value.errors)
    return {error["path"]: error["reason"] for error in caught.value.errors}


def test_every_contract_has_documents():
    assert sorted(DOCUMENTS) == sorted(MODELS)
    assert all(documents["invalid"] for documents in DOCUMENTS.values())


@pytest.mark.parametrize(
    ("contract", "case"), [*cases("valid"), *((name, {}) for name in DOCUMENTS)]
)
def test_valid_documents_are_taken(contract, case):
    document = changed(contract, case)
    before = json.dumps(document)
    payload = validate(contract, document)
    assert {key: payload[key] for key in document} == document
    assert all(payload[key] is None for key in payload.keys() - document.keys())
    assert json.dumps(document) == before, "the caller's data changed"
    assert validate(contract, before) == payload
    assert validate(contract, payload) == payload


@pytest.mark.parametrize(("contract", "case"), cases("invalid"))
def test_invalid_documents_are_refused_with_every_reason(contract, case):
    found = errors_of(contract, changed(contract, case))
    assert sorted(found) == sorted(case["expect"])
    assert all(reason in found[path] for path, reason in case["expect"].items())


@pytest.mark.parametrize("as_text", [True, False])
def test_an_older_solution_is_read(as_text):
    older = full("solution_v1")
    payload = validate("solution_v2", json.dumps(older) if as_text else older)
    assert payload == {**older, "schema_version": "solution_v2", "accepts": None}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("```json\n", "\n```"),
        ("```\n", "```\n"),
        ("Here is the solution: ", ""),
        ("", "\n\nThat is all of it."),
        ("Here it is.\n\n```json\n", "\n```\nEnjoy!"),
        ("\ufeff \n", " \n"),
    ],
)
def test_a_fence_or_a_sentence_around_an_answer_is_taken_off(before, after):
    document = full("solution_v1")
    document["files"][0]["content"] = "x = '{'\n```\n"
    text = before + json.dumps(document) + after
    assert validate("solution_v1", text) == validate("solution_v1", document)


def test_nothing_is_taken_off_what_no_model_writes():
    text = "Here: " + json.dumps(full("context_packet_v1"))
    assert "is prose" in errors_of("context_packet_v1", text)["$"]


def test_a_missing_optional_becomes_null():
    section = full("lesson_section_v1")
    del section["next_focus"]
    assert validate("lesson_section_v1", section)["next_focus"] is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("Sure, here is the plan.", "is prose"),
        ('```json\n{"role": "scaffold"\n', "is wrapped in a code fence"),
        ("```json\n" * 2 + '{"role": "scaffold"}' + "\n```" * 2, "is wrapped in a code fence"),
        ('One.\nTwo.\n{"role": "scaffold"}', "is prose"),
        ('{"role": "scaff', "breaks off"),
        ('{"role": "scaffold"', "breaks off"),
        ('{"role": "scaffold"}\nThat is all.\nSo far.', "has text after the JSON document"),
        ('{"role": "scaffold"} {"role": "scaffold"}', "has text after the JSON document"),
        ('{"role": {"a": 1}, "b": "cut o', "breaks off"),
        ('{"role": scaffold}', "is not valid JSON"),
        ('{"role": NaN}', "is not valid JSON"),
        ('{"role": 1, "role": 2}', "has the key 'role' twice"),
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
    said = "has half of a surrogate pair"
    text = '{"files": [{"file_path": "a", "content": "\\ud800"}]}'
    assert errors_of("solution_v1", text)["$.files[0].content"] == said
    packet = {**full("context_packet_v1"), "title": "\ud800"}
    assert errors_of("context_packet_v1", packet) == {"$.title": said}


def test_a_name_of_many_digits_is_refused_like_any_other():
    name = "a" + "1" * 5000
    assert f"$.{name}" in errors_of("scaffold_v1", json.dumps({name: 1}))


def test_a_whole_number_may_have_a_point():
    report = json.dumps({**full("review_report_v1"), "score": "here"})
    assert validate("review_report_v1", report.replace('"here"', "85.0"))["score"] == 85


def test_three_megabytes_are_refused_however_they_come():
    document = {"schema_version": "solution_v1", "role": "solution", "files": []}
    document["files"] = [{"file_path": "src/a.py", "content": "x" * 3_000_000}]
    assert "at most" in errors_of("solution_v1", document)["$.files[0].content"]
    assert "is too large" in errors_of("solution_v1", json.dumps(document))["$"]


def test_a_packet_may_have_longer_texts_than_an_answer():
    packet = full("context_packet_v1")
    packet["files"] = [{"file_path": "src/a.py", "content": "x" * 100_000}]
    assert validate("context_packet_v1", packet)["files"] == packet["files"]


def test_a_flood_of_errors_is_cut_off():
    document = full("context_packet_v1")
    document["node"]["tags"] = [1] * 100_000
    found = errors_of("context_packet_v1", document)
    assert len(found) == 1001
    assert found["$"] == "has more than 1000 errors"


def test_a_key_that_is_no_name_is_quoted_in_the_path():
    document = full("solution_v1")
    document["a b"] = 1
    assert list(errors_of("solution_v1", document)) == ['$["a b"]']


def test_an_unknown_contract_is_a_key_error():
    with pytest.raises(KeyError):
        validate("scaffold_v9", {})
