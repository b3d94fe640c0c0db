"""An exported record read again is the same, whatever it holds; no other text is taken for one."""

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import Exercise, Proof, Unit
from tutor_lsp.core.session import MemoryCard, NodeRecord, OwnTopic, Session, TagRecord, Vault
from tutor_lsp.tutor.transfer.form import Kept, KeptExercise, PastEvent, read, written

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
    lambda title, text: KeptExercise(
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
    return Kept(
        sessions=sessions,
        exercises={name: draw(EXERCISES) for name in ids if draw(st.booleans())},
        nodes=tuple(draw(st.lists(NODES, max_size=3))),
        events=tuple(draw(st.lists(events, max_size=3))),
        folders={name: draw(NAMES) for name in ids},
        files={name: draw(FILES) for name in ids if draw(st.booleans())},
        active=draw(st.none() | st.sampled_from(ids)) if ids else None,
    )


QUICK = settings(deadline=None, derandomize=True, max_examples=40)


def refusal(text):
    """Why a text is not read, None where it is."""
    try:
        read(text, "record.json")
    except TutorError as error:
        return error
    return None


@QUICK
@given(records())
def test_what_is_written_is_read_again(kept):
    assert read(written(kept, at=AT, program="1"), "record.json") == kept


@QUICK
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


@QUICK
@given(st.text(max_size=60) | JSON.map(json.dumps))
def test_no_other_text_is_taken_for_a_record(text):
    assert refusal(text).kind == "IMPORT"
