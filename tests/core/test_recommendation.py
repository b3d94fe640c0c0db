"""What comes next, in which order, for which reason."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.learner.curriculum import Curriculum, Node, Track
from tutor_lsp.core.learner.mastery import missing_prerequisites, open_tags
from tutor_lsp.core.learner.recommendation import RecommendationKind, recommend
from tutor_lsp.core.session import MasteryChange, NodeRecord, TagRecord


def node(name, *needs, depth="D1", language="rust"):
    return Node(name, name.title(), "", language, depth, 10, prerequisites=needs)


NODES = (
    node("let"),
    node("own", "let", depth="D2"),
    node("iter", "let"),
    node("borrow", "own"),
    node("close", "iter", "borrow"),
    node("py", language="python"),
)
IDS = ("let", "own", "iter", "borrow", "close")
WHOLE = Curriculum(NODES, (Track("main", "Main", "rust", IDS),))


def known(name, depth="D1", mastery=1, **fields):
    return NodeRecord(name, "rust", mastery, passed_depths=(depth,), **fields)


def tagged(count, record):
    return replace(record, tags={"off-by-one": TagRecord(count)})


def records(*found):
    return {record.node: record for record in found}


def advised(*found, **more):
    return [(each.node, each.kind) for each in recommend(WHOLE, "rust", records(*found), **more)]


def test_a_beginner_gets_what_needs_nothing_of_that_language():
    [first] = recommend(WHOLE, "rust", {})
    assert (first.node, first.title, first.kind) == ("let", "Let", RecommendationKind.NEW)
    assert first.reason == "A good place to start: it needs nothing before it."
    assert [each.node for each in recommend(WHOLE, "python", {})] == ["py"]
    assert recommend(WHOLE, "cobol", {}) == ()


def test_new_nodes_come_along_the_track_lower_mastery_first():
    assert advised(known("let")) == [
        ("own", RecommendationKind.NEW),
        ("iter", RecommendationKind.NEW),
    ]
    begun = NodeRecord("own", "rust", 1, passed_depths=("D1",))
    assert advised(known("let"), begun) == [
        ("iter", RecommendationKind.NEW),
        ("own", RecommendationKind.NEW),
    ]
    reasons = [each.reason for each in recommend(WHOLE, "rust", records(known("let"), begun))]
    assert reasons == [
        "Builds on Let, which you know.",
        "You have made a start here: this takes you further.",
    ]


def test_remedial_comes_before_due_before_new():
    found = (known("let"), tagged(2, known("iter")))
    assert advised(*found, due={"let", "iter"}) == [
        ("iter", RecommendationKind.REMEDIAL),
        ("let", RecommendationKind.REVIEW),
        ("own", RecommendationKind.NEW),
    ]
    first = recommend(WHOLE, "rust", records(*found))[0]
    assert first.reason == '"off by one" came up 2 times: a short section covers it.'


def test_one_sighting_is_no_reason_for_a_remedial():
    assert advised(known("let"), tagged(1, known("iter"))) == [("own", RecommendationKind.NEW)]


def test_four_sightings_hold_back_dependents_only():
    stuck = tagged(4, known("own", "D2", 2))
    assert advised(known("let"), stuck) == [
        ("own", RecommendationKind.REMEDIAL),
        ("iter", RecommendationKind.NEW),
    ]
    first = recommend(WHOLE, "rust", records(known("let"), stuck))[0]
    assert first.reason == '"off by one" came up 4 times: this exercise gives you more to build on.'
    fewer = tagged(3, known("own", "D2", 2))
    assert ("borrow", RecommendationKind.NEW) in advised(known("let"), fewer)


def test_indirect_dependents_are_held_back_too():
    stuck = tagged(4, known("own", "D2", 2))
    found = (known("let"), known("iter"), replace(known("borrow"), claimed=True), stuck)
    assert advised(*found) == [("own", RecommendationKind.REMEDIAL)]


def test_a_repeat_is_held_back_like_anything_new():
    found = (known("let"), known("iter"), tagged(4, known("own", "D2", 2)))
    assert advised(*found, known("borrow", mastery=0)) == [("own", RecommendationKind.REMEDIAL)]


def test_a_claim_meets_a_prerequisite_and_is_not_recommended():
    claimed = NodeRecord("let", "rust", claimed=True)
    assert advised(claimed) == [("own", RecommendationKind.NEW), ("iter", RecommendationKind.NEW)]


def test_a_pass_with_help_is_offered_again_after_the_new():
    helped = known("let", mastery=0)
    assert advised(helped) == [
        ("own", RecommendationKind.NEW),
        ("iter", RecommendationKind.NEW),
        ("let", RecommendationKind.REPEAT),
    ]
    reasons = [each.reason for each in recommend(WHOLE, "rust", records(helped))]
    assert reasons[-1].startswith("You passed this with help")
    lowered = replace(helped, history=(MasteryChange("", "", 1, 0, ""),))
    reasons = [each.reason for each in recommend(WHOLE, "rust", records(lowered))]
    assert reasons[-1].startswith("The last time was hard going")


def test_only_what_can_be_served_is_recommended():
    assert advised(known("let"), servable={"iter"}) == [("iter", RecommendationKind.NEW)]


def test_without_anything_else_missing_prerequisites_do_not_block():
    [early] = recommend(WHOLE, "rust", {}, servable={"close"})
    assert (early.node, early.kind) == ("close", RecommendationKind.EARLY)
    assert early.reason == "Builds on Iter and Borrow: start anyway if you know that."


def test_excluded_nodes_are_left_out():
    assert advised(known("let"), exclude={"own"}) == [("iter", RecommendationKind.NEW)]


def test_when_all_is_done_nothing_is_recommended():
    done = [replace(known(name, "D2", 2)) for name in IDS]
    assert advised(*done) == []


some_records = st.dictionaries(
    st.sampled_from(IDS),
    st.builds(
        NodeRecord,
        node=st.just(""),
        language=st.just("rust"),
        mastery=st.integers(0, 3),
        claimed=st.booleans(),
        passed_depths=st.lists(st.sampled_from(["D1", "D2", "D3"]), unique=True).map(tuple),
        tags=st.dictionaries(st.just("t"), st.builds(TagRecord, count=st.integers(0, 6))),
    ),
)


@given(
    some_records,
    st.frozensets(st.sampled_from(IDS)),
    st.none() | st.frozensets(st.sampled_from(IDS)),
)
def test_for_any_learner(found, due, servable):
    found = {name: replace(record, node=name) for name, record in found.items()}
    advice = recommend(WHOLE, "rust", found, due=due, servable=servable)
    names = [each.node for each in advice]
    assert len(set(names)) == len(names)
    assert servable is None or set(names) <= servable
    order = [list(RecommendationKind).index(each.kind) for each in advice]
    assert order == sorted(order)
    for each in advice:
        assert each.reason.endswith(".")
        missing = missing_prerequisites(WHOLE.node(each.node), WHOLE, found)
        if each.kind is RecommendationKind.NEW:
            assert not missing
            held = [name for name in found if open_tags(found[name], 4)]
            assert all(each.node not in WHOLE.dependents(name) for name in held)
        if each.kind is RecommendationKind.EARLY:
            assert missing
    mastery = [
        found.get(each.node, NodeRecord("", "")).mastery
        for each in advice
        if each.kind is RecommendationKind.NEW
    ]
    assert mastery == sorted(mastery)
