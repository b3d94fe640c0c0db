"""The shipped record: every bundled exercise has its proof, without running anything here."""

import pytest

from tutor_lsp.authoring.content import bundled_hash
from tutor_lsp.authoring.library_check import Checked, read_records, records_text
from tutor_lsp.core.exercise.exercise import Proof, UnitKind
from tutor_lsp.library.loader import BUNDLED, Library, shipped_proof

LIBRARY = Library([BUNDLED])
MEND = "run `make library-check` and commit library/proofs.json"


@pytest.mark.parametrize("entry", LIBRARY.entries(), ids=lambda entry: entry.id)
def test_an_exercise_has_a_record_of_just_this_content(entry):
    exercise = LIBRARY.load(entry)
    proof = shipped_proof(bundled_hash(exercise))
    assert proof is not None, MEND
    tests = [test for unit in entry.units for test in unit.tests]
    assert proof.ok
    assert proof.builds
    assert proof.tests == proof.pass_on_reference == len(tests)
    mended = [unit for unit in entry.units if unit.kind == UnitKind.REPAIR]
    pass_before = {test for unit in mended for test in unit.tests} - {
        test for unit in mended for test in proof.fails[unit.id]
    }
    assert proof.fail_on_stub == len(tests) - len(pass_before)
    assert all(proof.fails[unit.id] or proof.codes.get(unit.id) for unit in mended)
    assert {unit.id: unit.tests for unit in entry.units} == dict(proof.unit_map)


def test_there_is_no_record_of_anything_else():
    known = {bundled_hash(LIBRARY.load(entry)) for entry in LIBRARY.entries()}
    assert read_records(BUNDLED).keys() == known, MEND


def test_every_text_that_the_proof_depends_on_counts():
    exercise = LIBRARY.load(LIBRARY.entries()[0])
    whole = bundled_hash(exercise)
    import dataclasses

    for part in ("src", "tests", "solution"):
        texts = dict(getattr(exercise, part))
        path = next(iter(texts))
        changed = dataclasses.replace(exercise, **{part: {**texts, path: texts[path] + "\n"}})
        assert bundled_hash(changed) != whole
    assert bundled_hash(dataclasses.replace(exercise, lesson="# Other\n")) != whole
    assert bundled_hash(dataclasses.replace(exercise, hints={})) == whole


def test_a_record_that_says_the_same_keeps_its_time():
    entry = LIBRARY.entries()[0]
    old = {"a": {"exercise": entry.id, "proof": {"ok": True, "tests": 3, "at": "then"}}}
    same = Checked(entry, "a", Proof(ok=True, tests=3, at="now"), ())
    other = Checked(entry, "b", Proof(ok=True, tests=3, at="now"), ())
    broken = Checked(entry, "c", Proof(ok=False, at="now"), ())
    text = records_text([same, other, broken], old)
    assert text.count('"at": "then"') == text.count('"at": "now"') == 1
    assert '"c"' not in text
