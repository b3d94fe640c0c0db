"""The shipped signatures: those of just this content, and what they say is still so."""

import asyncio
import json

import pytest

from tutor_lsp.authoring.content import bundled_hash
from tutor_lsp.authoring.signatures.library import candidate_of, read_records, records_text
from tutor_lsp.authoring.signatures.making import drift
from tutor_lsp.core.exercise.signatures import MOST_PROBES, Signatures
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library, shipped_signatures
from tutor_lsp.wire import from_wire, to_wire

LIBRARY = Library([BUNDLED])
KNOWN = [entry for entry in LIBRARY.entries() if (entry.path / "mistakes").is_dir()]
MEND = "run `make signatures` and commit library/signatures.json"
TOOLS = toolchains()
CARGO = {"rust": pytest.mark.cargo}


@pytest.mark.parametrize("entry", KNOWN, ids=lambda entry: entry.id)
def test_an_exercise_with_mistakes_has_signatures_of_just_this_content(entry):
    exercise = LIBRARY.load(entry)
    found = shipped_signatures(bundled_hash(exercise))
    assert found, MEND
    for unit, signatures in found.items():
        known = {each.name: each.tag for each in exercise.mistakes.get(unit, ())}
        assert {
            name: each.tag for name, each in signatures.mistakes.items()
        }.items() <= known.items()
        assert 0 < len(signatures.inputs) == len(signatures.reference) <= MOST_PROBES
        assert all(signatures.signature_of(n) != signatures.reference for n in signatures.mistakes)


def test_there_are_no_signatures_of_anything_else():
    known = {bundled_hash(LIBRARY.load(entry)) for entry in LIBRARY.entries()}
    assert read_records(BUNDLED).keys() <= known, MEND
    assert records_text(read_records(BUNDLED)) == (BUNDLED / "signatures.json").read_text("utf-8")


def drifted(entry, change=lambda found: found):
    exercise = LIBRARY.load(entry)
    candidate = candidate_of(exercise, TOOLS[entry.language])
    kept = change(shipped_signatures(bundled_hash(exercise)))
    return asyncio.run(drift(candidate, TOOLS[entry.language], kept))


@pytest.mark.first(1)
@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=entry.id, marks=CARGO.get(entry.language, ()))
        for entry in sorted(KNOWN, key=lambda entry: entry.id != "python-tool-shed")
    ],
)
def test_what_they_say_is_still_so(entry):
    assert drifted(entry) == [], MEND


def test_what_is_no_longer_so_is_found():
    entry = next(entry for entry in KNOWN if entry.id == "python-tool-shed")

    def changed(found):
        wrong = json.loads(json.dumps(to_wire(found)).replace("= ['drill']", "= ['saw']"))
        return {unit: from_wire(Signatures, each) for unit, each in wrong.items()}

    assert "ex-2" in drifted(entry, changed)


@pytest.mark.parametrize("text", [None, "", "[]", '{"signatures": 3}', '{"signatures": {"a": 1}}'])
def test_a_damaged_record_says_nothing(tmp_path, text):
    if text is not None:
        (tmp_path / "signatures.json").write_text(text, "utf-8")
    assert shipped_signatures("a", tmp_path) == {}
