"""An exported record read again is the same, whatever it holds; no other text is taken for one."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise, Proof, Unit
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.session import (
    Attempt,
    Finding,
    Hint,
    MasteryChange,
    MemoryCard,
    NodeRecord,
    OwnTopic,
    Review,
    Session,
    TagRecord,
    UnitProgress,
    Vault,
)
from tutor_lsp.tutor.learner.record.transfer.form import (
    ExportedExercise,
    PastEvent,
    RecordExport,
    read,
    written,
)

AT = "2026-01-01T00:00:00.000+00:00"
TEXTS = st.text(max_size=20)
DEPTHS = st.sampled_from(["D1", "D2", "D3"])
NAMES = st.from_regex(r"[a-z0-9][a-z0-9-]{0,8}", fullmatch=True)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
CARDS = st.builds(
    MemoryCard, st.floats(0.001, 1000), st.floats(1, 10), st.just(AT), st.just(AT),
    st.integers(1, 99),
)  # fmt: skip
NODES = st.builds(
    NodeRecord, NAMES, st.sampled_from(["c", "rust"]), st.integers(0, 3), st.booleans(),
    st.just(("D1",)), st.just(()), st.dictionaries(NAMES, st.builds(TagRecord, st.integers(0, 9))),
    st.none() | CARDS, st.none() | st.builds(OwnTopic, TEXTS, TEXTS, DEPTHS), st.just(AT),
)  # fmt: skip
EXERCISES = st.builds(
    lambda title, text: ExportedExercise(
        Exercise(
            "e", "n", title, "c", "D1", text, (Unit("ex-1", "f", "src/f.c", 1, "p", "h", 1, ()),),
            ("src/f.c",), {"src/f.c": text}, Proof(ok=True),
        ),
        Vault({"src/f.c": text}, {"ex-1": (text, text, text)}, {"src/f.c": text}),
    ),
    TEXTS, TEXTS,
)  # fmt: skip
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
FILES = st.dictionaries(
    PATHS, st.binary(max_size=20) | TEXTS.map(lambda t: t.encode("utf-8", "replace"))
)


@st.composite
def records(draw):
    """A whole record."""
    ids = draw(st.lists(NAMES, max_size=3, unique=True))
    plain = Session("", "e", "n", "T", "c", "D1", "", "", AT, AT)
    sessions = tuple(replace(plain, id=name, title=draw(TEXTS), depth=draw(DEPTHS)) for name in ids)
    events = st.builds(
        PastEvent, st.just(AT), NAMES, st.dictionaries(TEXTS, JSON, max_size=3),
        st.none() | TEXTS,
    )  # fmt: skip
    return RecordExport(
        sessions=sessions,
        exercises={name: draw(EXERCISES) for name in ids if draw(st.booleans())},
        nodes=tuple(draw(st.lists(NODES, max_size=3))),
        events=tuple(draw(st.lists(events, max_size=3))),
        folders={name: draw(NAMES) for name in ids},
        files={name: draw(FILES) for name in ids if draw(st.booleans())},
        active=draw(st.none() | st.sampled_from(ids)) if ids else None,
    )


def refusal(text):
    """Why a text is not read, None where it is."""
    try:
        read(text, "record.json")
    except TutorError as error:
        return error
    return None


@given(records())
def test_what_is_written_is_read_again(kept):
    assert read(written(kept, at=AT, program="1"), "record.json") == kept


@given(records(), st.data())
def test_a_record_with_a_part_gone_or_changed_is_read_or_refused(kept, data):
    whole = json.loads(written(kept, at=AT, program="1"))
    key = data.draw(st.sampled_from(sorted(whole)))
    if data.draw(st.booleans()):
        del whole[key]
    else:
        whole[key] = data.draw(JSON)
    error = refusal(json.dumps(whole))
    assert error is None or error.kind == "IMPORT"
    assert error is None or "Nothing was changed" in error.message


@given(st.text(max_size=60) | JSON.map(json.dumps))
def test_no_other_text_is_taken_for_a_record(text):
    assert refusal(text).kind == "IMPORT"


def whole_record():
    """A record with one of everything, as JSON data."""
    result = TestResult("t", "ex-1", "f", TestOutcome.PASSED, line=3, duration_ms=1.5)
    report = TestReport("r", RunOutcome.PASSED, (result,), duration_ms=2.0)
    finding = Finding("src/f.c", 2, 2, "q", "c", "e")
    session = Session(
        "s", "e", "n", "T", "c", "D1", "", "", AT, AT, attempt_count=2, hint_level_used=1,
        attempts=(Attempt(2, AT, report, "h", Review("PASS", 90, "s", (finding,))),),
        hints=(Hint("ex-1", "t", 1, "text", None, False, AT, "h"),),
        progress={"ex-1": UnitProgress(stuck_runs=1)}, last_report=report,
    )  # fmt: skip
    unit = Unit("ex-1", "f", "src/f.c", 1, "p", "h", 1, ("t",))
    starter = {"src/f.c": "int f;"}
    exercise = Exercise(
        "e", "n", "T", "c", "D1", "text", (unit,), ("src/f.c",), starter, Proof(ok=True, at=AT)
    )
    node = NodeRecord(
        "n", "c", 1, passed_depths=("D1",), history=(MasteryChange(AT, "s", 0, 1, "passed"),),
        tags={"a": TagRecord(1, 0, AT)}, card=MemoryCard(2.0, 5.0, AT, AT),
        own=OwnTopic("t", "T", "D2"), updated_at=AT,
    )  # fmt: skip
    kept = RecordExport(
        (session,), {"s": ExportedExercise(exercise, Vault(starter, {}, starter))}, (node,),
        (PastEvent(AT, "k", {}),), {"s": "folder"}, {"s": {"src/f.c": b"x"}}, "s",
    )  # fmt: skip
    return json.loads(written(kept, at=AT, program="1"))


def places(data, path=()):
    """Where the numbers of a record stand."""
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in inner:
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield (*path, key)


def changed(data, path, value):
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


def test_no_number_of_a_record_is_negative_or_endless():
    found = [path for path in places(whole_record()) if path != ("version",)]
    assert len(found) > 30
    for path in found:
        for wrong in (-1, float("nan"), float("inf")):
            whole = whole_record()
            changed(whole, path, wrong)
            assert refusal(json.dumps(whole)) is not None, (path, wrong)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        ("sessions 0 attemptCount", 1),
        ("sessions 0 hintLevelUsed", 4),
        ("sessions 0 attempts 0 number", 0),
        ("sessions 0 attempts 0 review score", 101),
        ("sessions 0 attempts 0 review verdict", "MAYBE"),
        ("sessions 0 attempts 0 review findings 0 line", 0),
        ("sessions 0 hints 0 level", 4),
        ("sessions 0 createdAt", ""),
        ("sessions 0 endedAt", "soon"),
        ("exercises s exercise depth", "D4"),
        ("exercises s exercise files 0", "../evil"),
        ("exercises s exercise units 0 file", "/etc/evil"),
        ("exercises s vault originals", {"../evil": ""}),
        ("exercises s vault solution", {"a/../../evil": ""}),
        ("nodes 0 mastery", 4),
        ("nodes 0 language", "../c"),
        ("nodes 0 history 0 after", 4),
        ("nodes 0 passedDepths", ["D0"]),
        ("nodes 0 tags a lastAt", "today"),
        ("nodes 0 card reviews", 0),
        ("nodes 0 card difficulty", 11),
        ("nodes 0 card stability", 0),
        ("events 0 at", "yesterday"),
    ],
)
def test_what_no_tutor_would_have_written_is_named_and_refused(path, wrong):
    whole = whole_record()
    assert refusal(json.dumps(whole)) is None
    keys = [int(key) if key.isdecimal() else key for key in path.split()]
    changed(whole, keys, wrong)
    error = refusal(json.dumps(whole))
    assert error is not None
    assert "Nothing was changed" in error.message
    value = next(iter(wrong)) if isinstance(wrong, dict | list) else wrong
    assert repr(value) in error.message or str(value) in error.message
