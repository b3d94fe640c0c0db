"""Reading and checking curriculum data, and finding nodes."""

from dataclasses import replace

import pytest
from curriculum_check import validate
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.learner.curriculum import (
    Curriculum,
    Node,
    Track,
    combine,
)
from tutor_lsp.core.learner.topics import stem
from tutor_lsp.library.topics import parse


def node(name, *needs, **fields):
    given = {
        "title": name,
        "summary": "",
        "language": "rust",
        "depth": "D1",
        "minutes": 10,
        "tags": ("one-thing", "another"),
        "keywords": (name,),
        "error_codes": ("E0001",),
    }
    return Node(id=name, prerequisites=needs, **{**given, **fields})


def curriculum(*nodes, order=None):
    ids = tuple(order or dict.fromkeys(each.id for each in nodes))
    return Curriculum(nodes, (Track("all", "All", "rust", ids),))


TABLE = {
    "language": "rust",
    "tracks": [{"id": "start", "title": "Start", "nodes": ["rust-let", "rust-borrow"]}],
    "nodes": [
        {
            "id": "rust-let",
            "title": "Variables",
            "depth": "D1",
            "minutes": 8,
            "tags": ["missing-mut", "shadow-confusion"],
            "keywords": ["let"],
            "error_codes": ["E0384"],
        },
        {
            "id": "rust-borrow",
            "title": "Borrowing",
            "summary": "Who may look.",
            "depth": "D2",
            "minutes": 15,
            "prerequisites": ["rust-let"],
            "tags": ["two-writers", "late-reader"],
            "keywords": ["borrow"],
            "error_codes": ["E0502"],
        },
    ],
}


def test_toml_data_becomes_nodes_and_tracks():
    found = parse(TABLE)
    assert [each.id for each in found.nodes] == ["rust-let", "rust-borrow"]
    assert found.node("rust-borrow").prerequisites == ("rust-let",)
    assert found.node("rust-let").summary == ""
    assert found.tracks[0].nodes == ("rust-let", "rust-borrow")
    assert found.for_error_code("e0502", "rust") == (found.node("rust-borrow"),)
    assert found.for_error_code("E0502", "python") == ()


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ("error[E0502]", "E0502"),
        (" e0502 ", "E0502"),
        ("-Wreturn-type", "return-type"),
        ("-Werror=return-type", "return-type"),
        ("clippy::ptr_arg", "ptr_arg"),
        ("reportArgumentType", "reportArgumentType"),
    ],
)
def test_a_code_is_known_however_the_tool_writes_it(given, known):
    found = curriculum(node("a", error_codes=(known,)))
    assert [each.id for each in found.for_error_code(given, "rust")] == ["a"]


def test_the_node_that_lists_a_code_first_comes_first():
    found = curriculum(
        node("a", error_codes=("E1", "E2")), node("b", "a", error_codes=("E2",)), node("c", "a")
    )
    assert [each.id for each in found.for_error_code("E2", "rust")] == ["b", "a"]
    assert found.for_error_code("E3", "rust") == ()
    assert validate(found) == []


def test_every_misread_value_of_a_topic_is_named_at_once():
    topic = {"id": "a", "title": 3, "depth": "D1", "minutes": "8", "tags": "x", "foo": 1}
    with pytest.raises(ValueError, match=r"@ a") as caught:
        parse({"language": "rust", "nodes": [topic], "tracks": []})
    told = str(caught.value)
    assert all(f"@ a.{key}" in told for key in ("title", "minutes", "tags"))
    assert "extra fields found (foo) @ a" in told
    with pytest.raises(ValueError, match=r"@ curriculum\.tracks"):
        parse({"language": "rust", "nodes": [], "tracks": {}})
    with pytest.raises(ValueError, match=r"required field missing @ curriculum\.language"):
        parse({"nodes": [], "tracks": []})


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (curriculum(node("a"), node("a")), "node a is there 2 times"),
        (curriculum(node("A_b")), "node id 'A_b' may hold only a-z, 0-9 and single hyphens"),
        (curriculum(node("a", depth="D4")), "node a has depth 'D4', known are D1, D2, D3"),
        (curriculum(node("a", minutes=0)), "node a has 0 minutes, at least 1 is needed"),
        (curriculum(node("a", "x")), "node a needs x, which does not exist"),
        (
            curriculum(node("a"), node("b", "a", language="c"), order=("a",)),
            "node b needs a, which is rust",
        ),
        (curriculum(node("a"), node("b"), order=("a",)), "node b is in no track"),
        (curriculum(node("a"), node("b")), "node b builds on nothing and begins no track"),
        (
            curriculum(node("a", tags=("one",))),
            "node a has 1 misconception tags, 2 to 12 are needed",
        ),
        (
            curriculum(node("a", tags=tuple("123456789abcd"))),
            "node a has 13 misconception tags, 2 to 12 are needed",
        ),
        (curriculum(node("a", tags=("x", "x"))), "node a: tag x is there 2 times"),
        (
            curriculum(node("a", tags=("ok", "not ok"))),
            "node a: tag 'not ok' may hold only a-z, 0-9 and single hyphens",
        ),
        (curriculum(node("a", keywords=())), "node a has no keywords"),
        (curriculum(node("a", error_codes=())), "node a has no error codes"),
        (curriculum(node("a"), order=("a", "x")), "track all names x, which does not exist"),
        (curriculum(node("a"), order=("a", "a")), "track all: node a is there 2 times"),
        (
            curriculum(node("a"), node("b", "a"), order=("b", "a")),
            "track all has b before a, which it builds on",
        ),
        (
            curriculum(node("a", "c"), node("b", "a"), node("c", "b"), order=("b", "c", "a")),
            "prerequisites go in a circle: a → c → b → a",
        ),
        (curriculum(node("a", "a")), "prerequisites go in a circle: a → a"),
        (
            curriculum(node("a", "x"), node("b", "a"), node("c", "b")),
            "node c can never be reached through its prerequisites",
        ),
    ],
)
def test_each_flaw_is_told(broken, problem):
    assert problem in validate(broken)


def test_all_flaws_are_told_together_and_each_circle_once():
    broken = curriculum(
        node("a", "b"), node("b", "a"), node("c", "a"), node("d", "d"), order=("a", "c", "d")
    )
    assert [text for text in validate(broken) if "circle" in text] == [
        "prerequisites go in a circle: a → b → a",
        "prerequisites go in a circle: d → d",
    ]
    assert "node c can never be reached through its prerequisites" in validate(broken)
    assert "node b is in no track" in validate(broken)


GRAPH = curriculum(
    node("let", title="Variables", keywords=("let", "mut", "binding")),
    node("own", "let", title="Ownership", keywords=("move", "owner", "drop")),
    node("borrow", "own", title="Borrowing", keywords=("reference", "& and &mut")),
    node("iter", "let", title="Iterators", keywords=("iterator", "for loop", "map and filter")),
    node(
        "errors",
        "own",
        title="Error handling",
        keywords=("Result", "question mark operator", "?"),
        tags=("unwrap-everywhere",),
    ),
    node("close", "iter", "borrow", title="Closures", keywords=("closure", "capture", "Fn")),
)


@pytest.mark.parametrize(
    ("topic", "found"),
    [
        ("closures", "close"),
        ("How do closures capture variables in Rust?", "close"),
        ("iterating with a for loop", "iter"),
        ("handling errors with the ? operator", "errors"),
        ("the `?`", "errors"),
        ("BORROWED references", "borrow"),
        ("moving values, who owns them", "own"),
        ("unwrap everywhere", "errors"),
        ("let", "let"),
    ],
)
def test_a_topic_finds_its_node(topic, found):
    assert GRAPH.match_topic(topic, "rust")[0][0].id == found


@pytest.mark.parametrize(
    "topic", ["", "???", "rust", "quantum chromodynamics", "parsing JSON over HTTP", "the and of"]
)
def test_where_no_node_fits_none_is_given(topic):
    assert GRAPH.match_topic(topic, "rust") == []


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        (
            "Which of my vectors does the block capture, and which of them only my references?",
            "close",
        ),
        ("Please tell me at last why my program panics where I wrote unwrap everywhere", "errors"),
        ("I would love to see a closure that lives in a for loop of mine", "close"),
        ("a for loop over my references", "iter"),
        ("a tic tac toe for two players, one of whom is a computer with moods", None),
        ("let", "let"),
        ("", None),
    ],
)
def test_a_sentence_is_near_the_node_that_it_names(sentence, found):
    near = GRAPH.named_in(sentence, "rust")
    assert (near and near.id) == found


def test_a_topic_finds_nothing_in_another_language():
    assert GRAPH.match_topic("closures", "python") == []


def test_scores_lie_between_the_threshold_and_one_and_fall():
    scores = [score for _, score in GRAPH.match_topic("closures and iterators", "rust")]
    assert len(scores) == 2
    assert 1 >= scores[0] >= scores[1] >= 0.4


def test_nearest_goes_by_steps_then_shared_words_then_tracks():
    assert GRAPH.nearest("borrow", {"let", "close", "iter"}).id == "close"
    assert GRAPH.nearest("close", {"own", "let"}).id == "let"
    alike = replace(GRAPH.node("own"), keywords=("capture", "Fn"))
    others = [each for each in GRAPH.nodes if each.id != "own"]
    assert curriculum(*others, alike).nearest("close", {"own", "let"}).id == "own"
    assert GRAPH.nearest("close", {"close", "let"}).id == "close"


def test_nearest_reaches_unconnected_nodes_last_and_stays_in_the_language():
    apart = curriculum(*GRAPH.nodes, node("macro"), node("py", language="python"))
    assert apart.nearest("macro", {"close", "py"}).id == "close"
    assert apart.nearest("macro", {"py"}) is None
    assert apart.nearest("unknown", {"let"}) is None


def test_dependents_are_direct_and_indirect():
    assert GRAPH.dependents("own") == {"borrow", "errors", "close"}
    assert GRAPH.dependents("close") == set()


def test_languages_are_combined():
    both = combine([parse(TABLE), parse({"language": "python", "nodes": [], "tracks": []})])
    assert both.languages == ("rust",)
    assert both.of("python") == ()


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (("closure", "closures"), True),
        (("call", "calls", "called", "calling", "caller"), True),
        (("map", "mapped", "mapping"), True),
        (("iterate", "iterating", "iterator", "iterators"), True),
        (("copy", "copies", "copying"), True),
        (("class", "classes"), True),
        (("string", "str"), False),
        (("list", "lisp"), False),
    ],
)
def test_forms_of_a_word_share_a_stem(words, same):
    assert (len({stem(word) for word in words}) == 1) is same


@given(st.text(st.sampled_from("let?& closures&é\n'`-_") | st.characters(), max_size=60))
def test_any_text_gives_scores_within_the_bounds(text):
    for _, score in GRAPH.match_topic(text, "rust"):
        assert 0.4 <= score <= 1.0 + 1e-9
