"""What is told of a signature, and which inputs are kept."""

from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.authoring.signatures.choosing import choose
from tutor_lsp.core.exercise.signatures import By, Input, Known, Signatures
from tutor_lsp.wire import from_wire, to_wire

MADE = Signatures(
    By.PROBES,
    (Input((), "f([1, 2, 3])"), Input((), "f([])"), Input(("for x in a:\n    see(x)",), "")),
    ("= 6", "= 0", "= 1"),
    {
        "First": Known("off-by-one", {"0": "= 3"}),
        "Same kind": Known("off-by-one", {"0": "= 3"}),
        "Other": Known("prints", {"0": "= None > '6'", "1": "= None"}),
        "Not alone": Known("wrong-branch", {"1": "! IndexError"}, alone=False),
    },
)


def test_a_mistake_is_named_by_its_whole_signature():
    assert MADE.names(("= 3", "= 0", "= 1")) == ("First", "Same kind")
    assert MADE.matches(("= 3", "= 0", "= 1")) == {"off-by-one"}
    assert MADE.matches(("= None > '6'", "= None", "= 1")) == {"prints"}


def test_nothing_is_named_that_may_be_something_else():
    assert MADE.matches(("= 6", "= 0", "= 1")) == set()  # it does what the reference does
    assert MADE.matches(("= 6", "! IndexError", "= 1")) == set()
    assert MADE.matches(("= 3", "= 0", "= 2")) == set()
    assert MADE.matches(("= 3", "= 0", "?")) == set()
    assert MADE.matches(("= 3", "= 0")) == set()


def test_the_shortest_difference_is_one_that_can_be_shown():
    told = MADE.differences(("= 3", "! IndexError", "= 2"))[0]
    assert (told.input.call, told.got, told.expected) == ("f([])", "! IndexError", "= 0")
    assert MADE.differences(("= 6", "= 0", "= 2")) == []
    assert MADE.differences(("= 6", "?", "= 1")) == []
    assert MADE.differences(("= 6",)) == []


def test_a_mistake_is_kept_by_what_differs():
    signature = ("= 3", "~", "= 1")
    known = Known.of("off-by-one", signature, MADE.reference, True)
    assert known.differs == {"0": "= 3", "1": "~"}
    made = Signatures(MADE.by, MADE.inputs, MADE.reference, {"It": known})
    assert made.signature_of("It") == signature


def test_it_is_kept_as_json():
    assert from_wire(Signatures, to_wire(MADE)) == MADE


ROWS = st.integers(1, 8).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from(["= 1", "= 2", "! E"]), min_size=width, max_size=width),
        min_size=1,
        max_size=8,
    )
)


@given(ROWS)
def test_what_differs_anywhere_differs_on_what_is_kept(rows):
    outcomes = {str(number): row for number, row in enumerate(rows)}
    kept = choose(outcomes, rows[0], [1] * len(rows[0]), least=0)
    for one in rows:
        for other in rows:
            if one != other:
                assert [one[at] for at in kept] != [other[at] for at in kept]


def test_few_inputs_are_kept_and_short_ones_first():
    outcomes = {"right": ["= 1"] * 6, "wrong": ["= 1", "= 2", "= 2", "= 2", "= 1", "?"]}
    right, sizes = outcomes["right"], [9, 9, 1, 3, 1, 1]
    assert choose(outcomes, right, sizes, least=0) == [2, 3]
    assert choose(outcomes, right, sizes, least=0, most=1) == [2]
    assert len(choose(outcomes, right, sizes)) == 6
    assert choose(outcomes, right, sizes, 1, least=3) == [0, 2, 3]


def test_what_comes_to_something_else_is_kept_before_the_tests_own():
    outcomes = {"right": ["= 1", "= 1", "= 1", "= []", "= 1"]}
    assert choose(outcomes, outcomes["right"], [1] * 5, 3, least=2) == [0, 3]
