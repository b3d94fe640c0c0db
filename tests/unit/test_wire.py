"""One wire form for all records: what is written is read back, and wrong shapes are refused."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tutor_lsp.core.exercise.exercise import Exercise, UnitState
from tutor_lsp.core.exercise.report import RawReport, RunOutcome, TestReport
from tutor_lsp.core.session import NodeRecord, Session, Vault
from tutor_lsp.wire import camel, from_wire, to_wire

RECORDS = [Exercise, NodeRecord, RawReport, Session, TestReport, Vault]


def dump(record):
    return json.dumps(to_wire(record))


@pytest.mark.parametrize("kind", RECORDS)
@settings(max_examples=settings.default.max_examples // 6, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_record_comes_back_as_it_was(kind, data):
    record = data.draw(st.from_type(kind))
    back = from_wire(kind, json.loads(dump(record)))
    assert dump(back) == dump(record)
    for each in fields(kind):
        assert type(getattr(back, each.name)) in (type(getattr(record, each.name)), dict)


@dataclass(frozen=True)
class Inner:
    unit_state: UnitState
    seconds: float = 0.5


@dataclass(frozen=True)
class Outer:
    first_name: str
    inner: Inner | None = None
    many: tuple[Inner, ...] = ()
    listed: list[int] = field(default_factory=list)
    counts: Mapping[str, int] = field(default_factory=dict)
    anything: Any = None
    flag: bool = False


WHOLE = Outer(
    "a",
    Inner(UnitState.TODO),
    (Inner(UnitState.STALE, 2.0),),
    [3],
    {"c_d": 2},
    {"a_b": 1},
)


def test_names_are_camel_case_and_keys_of_mappings_stay():
    assert to_wire(WHOLE) == {
        "firstName": "a",
        "inner": {"unitState": "todo", "seconds": 0.5},
        "many": [{"unitState": "stale", "seconds": 2.0}],
        "listed": [3],
        "counts": {"c_d": 2},
        "anything": {"a_b": 1},
        "flag": False,
    }
    assert from_wire(Outer, to_wire(WHOLE)) == WHOLE
    assert camel("first_principle") == "firstPrinciple"


def test_missing_fields_take_their_default_and_unknown_ones_are_ignored():
    assert from_wire(Outer, {"firstName": "a", "later": 1}) == Outer("a")


def test_a_session_of_an_older_version_is_read_without_the_fields_that_are_gone():
    texts = ("id", "exercise_id", "node", "title", "language", "depth", "workspace", "lesson")
    session = Session(**dict.fromkeys((*texts, "created_at", "updated_at"), "x"))
    assert from_wire(Session, {**to_wire(session), "polishing": True}) == session


def test_a_whole_number_may_stand_for_a_fraction():
    seconds = from_wire(Inner, {"unitState": "todo", "seconds": 3}).seconds
    assert (seconds, type(seconds)) == (3.0, float)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        "x",
        {},
        {"firstName": 1},
        {"firstName": "a", "inner": 3},
        {"firstName": "a", "inner": {"unitState": "unheard"}},
        {"firstName": "a", "inner": {"unitState": ["todo"]}},
        {"firstName": "a", "inner": {"unitState": "todo", "seconds": "x"}},
        {"firstName": "a", "many": 3},
        {"firstName": "a", "many": [None]},
        {"firstName": "a", "many": ""},
        {"firstName": "a", "many": {"0": {"unitState": "todo"}}},
        {"firstName": "a", "inner": []},
        {"firstName": 1.0},
        {"firstName": "a", "listed": [1.5]},
        {"firstName": "a", "counts": []},
        {"firstName": "a", "counts": {"x": "1"}},
        {"firstName": "a", "listed": ["x"]},
        {"firstName": "a", "flag": "yes"},
    ],
)
def test_data_of_a_wrong_shape_is_refused(wrong):
    with pytest.raises((TypeError, ValueError, KeyError)):
        from_wire(Outer, wrong)


def test_enums_are_read_by_value():
    assert from_wire(TestReport, {"runId": "r", "outcome": "timeout"}).outcome is RunOutcome.TIMEOUT


def test_a_record_of_a_subclass_in_a_field_keeps_its_fields():
    @dataclass(frozen=True)
    class Above:
        one_field: int

    @dataclass(frozen=True)
    class Below(Above):
        two_fields: str

    @dataclass(frozen=True)
    class Holder:
        held: Above
        more: tuple[Above, ...]

    wire = to_wire(Holder(Below(1, "x"), (Above(2), Below(3, "y"))))
    assert wire == {
        "held": {"oneField": 1, "twoFields": "x"},
        "more": [{"oneField": 2}, {"oneField": 3, "twoFields": "y"}],
    }
    assert from_wire(Holder, wire) == Holder(Above(1), (Above(2), Above(3)))
