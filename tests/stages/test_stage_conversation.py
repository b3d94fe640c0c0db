"""Prompts of a set-up: append-only, bounded, and in the words of the language."""

import json

import pytest
import stage_samples as samples
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.contracts.validate import validate
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.curriculum import Curriculum, Node
from tutor_lsp.core.stage import CONTRACTS, EXPAND_ROLES, SEVERAL, Role
from tutor_lsp.stages.conversation import ASSIGNMENT_BYTES, HEAD_BYTES, TAIL_BYTES, Conversation
from tutor_lsp.stages.packet import context_issues
from tutor_lsp.stages.prompts import HEADS, guided, head, language_guide
from tutor_lsp.stages.runner import shared_prefix
from tutor_lsp.stages.subject import LearnerState, NodeBrief
from tutor_lsp.stages.tutoring import solution_request

WISH = "The learner asked for this topic"
TOPIC_BYTES = 1200
words = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
contents = st.dictionaries(words, words | st.none() | st.booleans(), max_size=4)
learners = st.builds(
    LearnerState, st.integers(0, 3), st.dictionaries(words, st.integers(1, 9), max_size=30)
)
loops = st.tuples(*[st.lists(contents, min_size=1, max_size=4)] * 3)


@st.composite
def conversations(draw):
    """A conversation and the calls it will make: role, iteration, next_focus, payload."""
    made = Conversation(
        draw(st.sampled_from(guided())),
        topic=draw(words.filter(str.strip)),
        depth="D2",
        learner=draw(learners),
        setup_id=draw(st.none() | words),
        caps=dict.fromkeys(EXPAND_ROLES, 18),
    )
    calls = [(Role.SCAFFOLD, 1, None, draw(contents))]
    for role, payloads in zip(EXPAND_ROLES, draw(loops), strict=True):
        for number, payload in enumerate(payloads, start=1):
            calls.append((role, number, draw(st.none() | words), payload))
    return made, calls


def size(text: str) -> int:
    return len(text.encode())


@given(conversations())
def test_no_byte_is_sent_twice_unshared(made_and_calls):
    made, calls = made_and_calls
    before = b""
    unshared = allowed = 0
    entries: tuple[str, ...] = ()
    for role, iteration, focus, payload in calls:
        prompt = made.request(role, iteration, focus).prompt
        now = prompt.text.encode()
        assert prompt.entries[: len(entries)] == entries
        assert size(prompt.tail) - size((focus or "").strip()) <= TAIL_BYTES
        unshared += len(now) - shared_prefix(before, now)
        allowed += size(prompt.tail)
        assert unshared <= size(made.head) + allowed
        made.accept(role, iteration, payload)
        allowed += size(json.dumps(payload, ensure_ascii=False, separators=(",", ":")))
        before, entries = now, prompt.entries
    assert size(made.head.partition(WISH)[0]) <= HEAD_BYTES + ASSIGNMENT_BYTES


@given(st.binary(max_size=50), st.binary(max_size=50), st.binary(max_size=50))
def test_shared_prefix_counts_the_common_start(common, left, right):
    count = shared_prefix(common + left, common + right)
    assert count >= len(common)
    assert (common + left)[:count] == (common + right)[:count]
    longer = (common + left)[: count + 1], (common + right)[: count + 1]
    assert longer[0] != longer[1] or len(longer[0]) <= count


def test_the_head_is_the_same_for_all_roles_and_ends_with_the_assignment():
    made = samples.conversation(Role.SCAFFOLD)
    heads = {made.request(role).prompt.head for role in samples.SETUP_ORDER}
    assert len(heads) == 1
    text = heads.pop()
    assert text.startswith(head("setup", "python"))
    for said in ("node_id: python-numbers", "Depth target: D1", "The learner knows: Functions"):
        assert said in text


def test_what_ends_a_sentence_already_gets_no_other_full_stop():
    node = NodeBrief("c-lists", "Lists", "Chain nodes.", ("Structs", "Who frees it?"))
    text = Conversation("c", node).request(Role.SCAFFOLD).prompt.head
    assert "About: Chain nodes.\nThe learner knows: Structs, Who frees it?\n" in text


def test_two_set_ups_of_a_language_share_the_instructions():
    prompts = [
        Conversation("rust", topic=topic).request(Role.SCAFFOLD).prompt.text.encode()
        for topic in ("iterators", "error handling")
    ]
    assert shared_prefix(*prompts) >= size(head("setup", "rust"))


def test_the_tail_names_role_cap_focus_learner_and_ids():
    made = samples.conversation(
        Role.TEST,
        learner=LearnerState(1, {"rounds-down": 3}),
        setup_id="setup-7",
        caps={Role.TEST: 8},
    )
    tail = made.request(Role.TEST, 1, "the empty party").prompt.tail
    for said in (
        "You are: test-expand. Answer with one test_section_v2 document.",
        "Call 1 of at most 8. At most 8 more sections.",
        "Mastery of the learner: 1 of 3. Misconceptions: rounds-down (3 times).",
        "Set-up setup-7, 2026-01-02T03:04:05+00:00",
        "Do this now: the empty party",
    ):
        assert said in tail
    assert "Do this now" not in made.request(Role.TEST, 1, " ").prompt.tail


def test_the_longest_tail_and_head_keep_their_bounds():
    long = "né " * 2000
    node = NodeBrief("n" * 64, long, long, (long,) * 9, (long,) * 9, (long,) * 9)
    made = samples.conversation(
        Role.SCAFFOLD,
        node=node,
        topic=long,
        learner=LearnerState(3, dict.fromkeys((f"{long}{n}" for n in range(30)), 99)),
        setup_id=long,
        caps=dict.fromkeys(Role, 18),
        now=lambda: long,
    )
    for role in samples.SETUP_ORDER:
        prompt = made.request(role, 18, long).prompt
        assert size(prompt.tail) - size(long.strip()) <= TAIL_BYTES
        own, _, wish = prompt.head.partition(WISH)
        assert size(own) <= size(head("setup", "python")) + ASSIGNMENT_BYTES + 1
        assert size(wish) <= TOPIC_BYTES + 100
        assert prompt.head.startswith(head("setup", "python"))


@pytest.mark.parametrize(
    ("count", "role", "remedial", "helpers"),
    [
        (1, Role.LESSON, False, False),
        (2, Role.LESSON, True, False),
        (4, Role.LESSON, True, False),
        (4, Role.STARTER, False, True),
        (4, Role.SCAFFOLD, True, True),
        (4, Role.TEST, False, False),
    ],
)
def test_repeated_misconceptions_ask_for_a_remedial_section(count, role, remedial, helpers):
    made = samples.conversation(role, learner=LearnerState(0, {"off-by-one": count}))
    tail = made.request(role).prompt.tail
    assert ("remedial section on them, without a link." in tail) is remedial
    assert ("more helpers" in tail) is helpers


def test_entries_are_the_accepted_payloads():
    made = samples.conversation(Role.LESSON)
    documents = [json.loads(entry) for entry in made.request(Role.LESSON).prompt.entries]
    assert documents == [samples.payload(role) for role in (Role.SCAFFOLD, Role.STARTER, Role.TEST)]


def several(role, *contents, last=True):
    """A call with a section for each of the contents."""
    one = validate(SEVERAL[role], samples.payload(role))
    sections = [one["sections"][0] | {"content": content} for content in contents]
    return one | {"sections": sections, "is_complete": last, "next_focus": None if last else "more"}


def test_a_call_of_several_sections_is_one_entry_and_as_many_sections():
    made = samples.conversation(Role.LESSON, caps={Role.LESSON: 12})
    before = made.entries
    call = several(Role.LESSON, "## One", "## Two", last=False)
    made.accept(Role.LESSON, 1, call)
    assert json.loads(made.entries[-1]) == call
    assert made.entries[:-1] == before
    request = made.request(Role.LESSON, 2, "more")
    assert "\nCall 2 of at most 12. At most 10 more sections.\n" in request.prompt.tail
    kept = request.packet["lesson"]
    assert [(each["content"], each["is_complete"], each["next_focus"]) for each in kept] == [
        ("## One", False, None),
        ("## Two", False, "more"),
    ]
    assert context_issues(request) == []
    with pytest.raises(ValueError, match="out of order"):
        made.accept(Role.LESSON, 3, call)
    made.accept(Role.LESSON, 2, several(Role.LESSON, "## Three"))
    assert [each["is_complete"] for each in made.sections[Role.LESSON]] == [False, False, True]


def test_payloads_are_accepted_in_order_only():
    made = samples.conversation(Role.SCAFFOLD)
    with pytest.raises(ValueError, match="before the scaffold"):
        made.accept(Role.STARTER, 1, samples.payload(Role.STARTER))
    made.accept(Role.SCAFFOLD, 1, samples.payload(Role.SCAFFOLD))
    with pytest.raises(ValueError, match="once"):
        made.accept(Role.SCAFFOLD, 1, samples.payload(Role.SCAFFOLD))
    with pytest.raises(ValueError, match="out of order"):
        made.accept(Role.STARTER, 2, samples.payload(Role.STARTER))
    for role in (Role.SOLUTION, Role.COACH):
        with pytest.raises(ValueError, match="no part"):
            made.accept(role, 1, samples.payload(role))
        with pytest.raises(ValueError, match="no part"):
            made.request(role)
    assert len(made.entries) == 1


def test_a_conversation_needs_a_subject_and_a_known_language():
    with pytest.raises(ValueError, match="node or a topic"):
        Conversation("python", topic="  ")
    with pytest.raises(TutorError) as caught:
        Conversation("cobol", topic="loops")
    assert caught.value.kind == "UNKNOWN_LANGUAGE"
    assert "python" in caught.value.message


def test_a_backend_without_prompts_gets_packets_only():
    made = samples.conversation(Role.TEST, prompts=False)
    assert made.request(Role.TEST).prompt is None
    assert solution_request(samples.conversation(prompts=False), {}).prompt is None
    assert made.request(Role.TEST).packet["starter"] == [samples.payload(Role.STARTER)]


@pytest.mark.parametrize("role", list(Role))
def test_packets_fulfil_their_contract(role):
    request = samples.request(role)
    assert validate("context_packet_v1", request.packet)["contract"] == request.contract
    assert (request.contract == CONTRACTS[role]) is (role not in EXPAND_ROLES)
    assert context_issues(request) == []


def test_the_packet_states_how_the_language_names_things():
    packet = Conversation("rust", topic="traits").packet(Role.SCAFFOLD)
    assert packet["harness"]["package"] == "exercise"
    assert packet["harness"]["import_line"] == "use exercise::<module>::<name>;"
    assert packet["topic"] == "traits"
    assert packet["node"]["id"] == "topic-traits"


@pytest.mark.parametrize("language", guided())
@pytest.mark.parametrize("which", HEADS)
def test_heads_are_filled_in(which, language):
    text = head(which, language)
    assert "{{" not in text
    assert size(text) <= HEAD_BYTES
    assert language_guide(language).name in text
    assert "/" + "work" not in text


@pytest.mark.parametrize("language", guided())
def test_the_guide_shows_the_stub_form(language):
    guide = language_guide(language)
    for said in ("ex-1 - First principle:", 'Read: LESSON.md, "', "Test: test_", "Start here: "):
        assert said in guide.conventions
    marks = {"python": 'raise NotImplementedError("', "rust": 'todo!("', "c": 'NOT_IMPLEMENTED("'}
    mark = marks[language]
    assert mark in guide.conventions
    assert "exercise" in guide.harness


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("Closures", "topic-closures"),
        ("  error   handling ", "topic-error-handling"),
        ("naïve Bayes", "topic-naive-bayes-"),
        ("並行処理", "topic-"),
        ("?!", "topic-"),
        ("a very long topic " * 9, "topic-a-very-long-topic-"),
    ],
)
def test_free_topics_get_a_plain_id(topic, expected):
    node = NodeBrief.of_topic(topic)
    assert node.id.startswith(expected)
    assert node.id == NodeBrief.of_topic(topic).id
    assert 7 <= len(node.id) <= 60
    assert node.id.replace("-", "").isalnum()
    assert node.id.isascii()
    assert NodeBrief.of_topic(topic + "x").id != node.id


def test_a_node_of_the_curriculum_brings_its_prerequisites_by_title():
    first = Node("python-values", "Values", "What is what", "python", "D1", 10)
    second = Node(
        "python-loops", "Loops", "Again", "python", "D1", 10, ("python-values", "gone"), ("t",)
    )
    brief = NodeBrief.of_node(second, Curriculum((first, second)))
    assert (brief.id, brief.title, brief.tags) == ("python-loops", "Loops", ("t",))
    assert brief.prerequisites == ("Values",)


SAID = {
    "python": ["named like __init__", "round(x, 2)", "Empty files, such as __init__.py, are given"],
    "rust": ["but `self`", "no stub returns `impl Trait`", "use exercise::columns::double_width;"],
    "c": ["TEST_ASSERT_EQ takes fractions", "stub.h is given"],
}
"""What exercises were sent back for without having been told."""
ALWAYS = [
    "and no test, solves it",
    "nothing private for a solution alone",
    "a method by its name alone",
    'any stub that always gives the same (0, "", null, its argument, a value of the tests)',
    '"correct", "works" or "example" say nothing',
    "asserts what the stub changed if it returns nothing",
    "earlier stubs only set up, with nothing asserted on them",
    "never made by a stub",
    "fenced directly below",
    "ends with one link, the stub's name to its file",
    "the whole starter, all tests, the whole lesson",
    "`type` is file",
    "`type`: concept, worked_example",
]


@pytest.mark.parametrize("language", guided())
def test_what_is_demanded_is_said(language):
    text = head("setup", language)
    for said in (*ALWAYS, *SAID[language]):
        assert said in text


def test_how_to_ask_for_a_declaration_is_told_once_there_is_such_a_unit():
    plan = samples.payload(Role.SCAFFOLD)
    for kind, entries in (("declare", 2), ("body", 1)):
        made = samples.conversation(Role.SCAFFOLD)
        plan["units"][1]["kind"] = kind
        made.accept(Role.SCAFFOLD, 1, plan)
        assert len(made.entries) == entries
    declare = head("declare", "python").strip()
    made = samples.conversation(Role.SCAFFOLD)
    plan["units"][1]["kind"] = "declare"
    made.accept(Role.SCAFFOLD, 1, plan)
    assert made.entries[1] == f"\n{declare}"
    assert declare not in made.head


def test_the_head_tells_what_is_not_known_and_the_error_that_was_met():
    learner = LearnerState(unknown=("Loops", "Lists"), error_code="E0382")
    made = Conversation("rust", NodeBrief("rust-closures", "Closures"), learner=learner)
    assert "\nNot done yet, so say what you use of it: Loops, Lists.\n" in made.head
    assert "\nThe compiler's error that they met, to be practised: E0382.\n" in made.head
    assert "\nConstructs that `practises` of a unit may name: closure.\n" in made.head
    assert "The learner knows" not in made.head


def test_a_free_topic_has_what_is_known_of_the_node_that_it_is_near():
    near = NodeBrief("c-malloc", "Heap", "", ("Pointers",), ("leak",), ("malloc",))
    made = Conversation("c", topic="memory", near=near)
    assert (made.node.id, made.node.title) == ("topic-memory", "memory")
    assert "\nMisconceptions to work against: leak.\n" in made.head
    assert "\nKeywords: malloc.\n" in made.head
    assert Conversation("c", topic="memory").node.tags == ()
