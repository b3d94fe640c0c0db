"""Hover, code actions, lenses and links, each through one check helper with a cursor mark."""

from dataclasses import replace

import pytest
from fixture import FILE, LESSON, STARTER, TESTS, marked, opened, report, result
from placeholders import with_body

from tutor_lsp.core.learner.recommendation import Advice
from tutor_lsp.core.session import Hint
from tutor_lsp.tutor.exercise.units import units_of
from tutor_lsp.tutor.ide.actions import actions
from tutor_lsp.tutor.ide.diagnostics import diagnostics
from tutor_lsp.tutor.ide.hover import hover
from tutor_lsp.tutor.ide.lenses import lenses, state_text
from tutor_lsp.tutor.ide.links import links

HINT = Hint("ex-1", "test_count_ignores_spaces", 1, "Look at split.", None, True, "t", "h")
FAILED = report(
    result(
        "test_count_ignores_spaces", "failed", '`count("a  b")` gave 3, expected 2', output="hm"
    ),
    result("test_longest_prefers_first", "todo"),
)


def at_cursor(old: str, new: str, text: str = STARTER):
    place = marked(text.replace(old, new, 1))
    assert place.text == text
    return place.cursor


def check_hover(old: str, new: str, *, contains=(), absent=(), text: str = STARTER, **session):
    line, column = at_cursor(old, new, text)
    found = hover(opened({FILE: text}, **session).view(), FILE, line, column)
    for part in contains:
        assert part in found.markdown
    for part in absent:
        assert part not in found.markdown
    return found


def test_hover_on_a_name_gives_states_values_hint_and_prints_in_six_lines():
    text = with_body(STARTER, "count", "return 3")
    found = check_hover(
        "def count(", "def co$0unt(", text=text,
        contains=["ex-1", '`count("a  b")` gave 3, expected 2', "Look at split.", "hm"],
        absent=["How many words", "First principle"],
        last_results=FAILED, last_report=FAILED, hints=(HINT,),
    )  # fmt: skip
    assert len([line for line in found.markdown.split("\n") if line.strip()]) <= 6


@pytest.mark.parametrize("place", ["def $0count", "$0def count", "Start $0here"])
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("place_of_second", ["tests/test_words.py", None])
def test_a_hover_says_each_failure_once_beside_its_diagnostic_too(place, beside, place_of_second):
    """A client may show the diagnostics of a place in the hover on it: on the name."""
    text = with_body(STARTER, "count", "return 3")
    both = report(
        result("test_count_ignores_spaces", "failed", "`count(1)` gave 3, expected 2"),
        replace(
            result("test_count_of_two", "failed", "`count(2)` gave 3, expected 2"),
            file=place_of_second,
        ),
    )
    view = opened({FILE: text}, last_results=both, last_report=both).view()
    line, column = at_cursor(place.replace("$0", ""), place, text)
    said = hover(view, FILE, line, column, diagnostics_beside=beside).markdown
    if beside and place == "def $0count":
        (shown,) = [d for d in diagnostics(view)[FILE] if d.code == "test-failed"]
        said += "\n".join([shown.message, *(each.beside for each in shown.related)])
    assert said.count("`count(1)` gave 3, expected 2") == 1
    assert said.count("`count(2)` gave 3, expected 2") == 1
    # The state comes first, then what to do, then what failed.
    assert said.startswith("**ex-1 ✗ not yet · 0 of 2**")


def test_after_the_last_hint_the_hover_begins_with_the_ways_on():
    line, column = at_cursor("def count", "def $0count")
    said = hover(after_the_last_hint(), FILE, line, column).markdown.split("\n\n")
    assert said[1] == (
        "Still stuck? Show the solution of count and go on · Ask a question about count · "
        "Take an easier exercise first: First steps (code actions)"
    )


@pytest.mark.parametrize("place", ["$0def count(", "def count($0", "def$0 count("])
def test_hover_anywhere_on_the_def_line_is_that_of_the_name(place):
    check_hover("def count(", place, contains=["ex-1 ○ to do"], absent=["Proven"])


@pytest.mark.parametrize("place", ['$0    """How', '    """How$0'])
def test_hover_in_the_first_line_of_the_docstring_is_that_of_the_comment(place):
    check_hover('    """How', place, contains=["split on whitespace", "Proven"])


def test_hover_on_a_name_never_cuts_the_hint():
    long = "First half. " * 20 + "\n\nThe half that helps."
    check_hover(
        "def count(", "def co$0unt(", contains=["The half that helps."], absent=["…"],
        last_results=FAILED, hints=(replace(HINT, text=long),),
    )  # fmt: skip


def test_hover_on_the_comment_shows_everything():
    check_hover(
        "Start here: what", "Start $0here: what",
        contains=["split on whitespace", "test_count_of_two", "Look at split.", "Proven"],
        last_results=FAILED, hints=(HINT,),
    )  # fmt: skip


@pytest.mark.parametrize("place", ["def co$0unt(", "Start $0here: what"])
def test_hover_says_what_of_a_models_hint_was_tried_out(place):
    tried = 'Tried out: `count("a")` gives `1`.'
    old, nothing = place.replace("$0", ""), "nothing in it was tried out"
    shown = [(HINT, "", nothing), (replace(HINT, source="model", tried=tried), tried, nothing),
             (replace(HINT, source="model"), nothing, "Tried out:")]  # fmt: skip
    for hint, told, absent in shown:
        check_hover(old, place, contains=[told], absent=[absent], hints=(hint,),
                    last_results=FAILED)  # fmt: skip


def test_hover_elsewhere_is_none():
    line, column = at_cursor('"""Words."""', '"""$0Words."""')
    assert hover(opened().view(), FILE, line, column) is None


def check_actions(old: str, new: str, expected: list[str], *, text: str = STARTER, **session):
    line, _ = at_cursor(old, new, text)
    found = actions(opened({FILE: text}, **session).view(), FILE, line, line)
    assert [action.command for action in found] == expected
    return found


def test_actions_on_the_stub_are_hint_test_check():
    check_actions("def count", "$0def count", ["tutor.hint", "tutor.open", "tutor.check"])


def test_actions_on_the_cue_are_all():
    found = check_actions(
        "Start here: what", "$0Start here: what",
        ["tutor.hint", "tutor.open", "tutor.check", "tutor.open", "tutor.attempt", "tutor.open",
         "tutor.reset"],
        hints=(HINT,), last_results=FAILED,
    )  # fmt: skip
    assert found[0].title == "Another hint for count"
    assert all(action.argument["session"] == "s1" for action in found)


def test_a_hint_on_unchanged_code_says_so():
    shown = opened(last_results=FAILED)
    same = shown.stubs(shown.texts()).text_hash("ex-1")
    line, _ = at_cursor("def count", "$0def count")
    second = replace(HINT, level=2, text_hash=same)
    titles = {
        text_hash: actions(
            opened(last_results=FAILED, hints=(replace(second, text_hash=text_hash),)).view(),
            FILE, line, line,
        )[0].title
        for text_hash in (same, "other")
    }  # fmt: skip
    assert "unchanged since the last one: run it first?" in titles[same]
    assert titles["other"] == "Another hint for count"


def after_the_last_hint(*, asks=True, **session):
    shown = opened(last_results=FAILED, hints=(replace(HINT, level=3),), **session)
    shown.easier = Advice("python-first", "First steps", "the first steps")
    shown.asks = asks
    return shown.view()


@pytest.mark.parametrize("place", ["Start $0here: what", "def $0count"])
def test_after_the_last_hint_it_comes_before_the_three_ways_on(place):
    line, _ = at_cursor(place.replace("$0", ""), place)
    found = actions(after_the_last_hint(), FILE, line, line)
    again, reveal, ask, easier, *others = found
    # What is first is taken with one key too many: never the solution, which cannot be unseen.
    assert (again.command, again.preferred) == ("tutor.hint", True)
    assert [a.command for a in (reveal, ask, easier)] == [
        "tutor.reveal",
        "tutor.ask",
        "tutor.start",
    ]
    assert reveal.argument == {"session": "s1", "unit": "ex-1", "confirm": True}
    assert ask.argument == {"session": "s1", "unit": "ex-1"}
    assert easier.argument == {"language": "python", "node": "python-first"}
    assert "tutor.check" in [a.command for a in others]
    assert len({a.title for a in found}) == len(found)


@pytest.mark.parametrize("level", [1, 3])
def test_a_question_is_offered_only_where_somebody_answers(level):
    line, _ = at_cursor("Start here: what", "Start $0here: what")
    for asks in (False, True):
        shown = opened(last_results=FAILED, hints=(replace(HINT, level=level),))
        shown.asks = asks
        found = [a.command for a in actions(shown.view(), FILE, line, line)]
        assert ("tutor.ask" in found) is asks


def test_after_a_reset_there_is_still_a_check():
    line, _ = at_cursor("def count", "$0def count")
    shown = opened()
    shown.was_reset = frozenset({"ex-1"})
    found = actions(shown.view(), FILE, line, line)
    commands = [action.command for action in found]
    assert commands == ["tutor.hint", "tutor.reset", "tutor.open", "tutor.check"]
    assert found[1].argument["undo"] is True


def test_the_ways_on_are_part_of_the_unit():
    first, second = units_of(after_the_last_hint())
    assert [way.command for way in first.actions] == ["tutor.reveal", "tutor.ask", "tutor.start"]
    assert first.actions[0].title == "Show the solution of count and go on"
    assert second.actions == ()
    assert units_of(opened(last_results=FAILED, hints=(HINT,)).view())[0].actions == ()


def test_the_newest_hint_of_a_level_is_shown_though_the_clock_went_back():
    older, newer = replace(HINT, text="old", at="2030"), replace(HINT, text="new", at="2020")
    item = opened(last_results=FAILED, hints=(older, newer)).view().units[0]
    assert item.hint.text == "new"


def test_no_action_outside_units():
    check_actions('"""Words."""', '$0"""Words."""', [])


def test_after_all_green_the_review_is_offered_and_after_pass_the_next_exercise():
    green = report(outcome="passed")
    found = check_actions(
        "def longest", "$0def longest",
        ["tutor.attempt", "tutor.compare", "tutor.open"], last_results=green,
    )  # fmt: skip
    assert "finish and review" in found[0].title
    offered = [action.title for _, action in lenses(opened(last_results=green).view(), FILE)]
    assert "Finish and review" in offered
    found = check_actions(
        "def longest", "$0def longest",
        ["tutor.next", "tutor.compare", "tutor.open"], last_results=green, passed=True,
    )  # fmt: skip


def test_an_edited_test_can_be_put_back():
    view = opened({"tests/test_words.py": TESTS + "\n# mine\n"}).view()
    found = actions(view, "tests/test_words.py", 1, 1)
    assert [action.command for action in found] == ["tutor.restore"]


def test_lenses_state_everywhere_hint_and_lesson_on_the_focus():
    shown = lenses(opened(last_results=FAILED).view(), FILE)
    assert [(line, action.title) for line, action in shown] == [
        (4, "ex-1 ✗ not yet · 1 of 2"),
        (4, "Hint"),
        (4, "Lesson"),
        (15, "ex-2 ○ to do"),
    ]


def test_focus_moves_to_the_first_unit_that_does_not_pass():
    text = with_body(STARTER, "count", "return len(text.split())")
    results = report(result("test_longest_prefers_first", "todo"))
    shown = lenses(opened({FILE: text}, last_results=results).view(), FILE)
    assert [(line, action.command) for line, action in shown] == [
        (4, "tutor.open"),
        (15, "tutor.open"),
        (15, "tutor.hint"),
        (15, "tutor.open"),
    ]
    assert "passes" in shown[0][1].title


def test_links_lead_from_the_comment_to_lesson_and_tests():
    found = [(link.span.line, link.file, link.line) for link in links(opened().view(), FILE)]
    assert found[:2] == [(8, "LESSON.md", 3), (9, "tests/test_words.py", 4)]


def test_links_lead_from_a_comment_of_an_earlier_version_to_all_of_its_tests():
    older = STARTER.replace('LESSON.md, "Spl', 'LESSON.md § "Spl').replace(
        "test_count_ignores_spaces\n", "test_count_ignores_spaces,\n        test_count_of_two\n"
    )
    view = opened({FILE: older}).view()
    found = [(link.span.line, link.file, link.line) for link in links(view, FILE)]
    assert found[:3] == [
        (8, "LESSON.md", 3),
        (9, "tests/test_words.py", 4),
        (10, "tests/test_words.py", 8),
    ]


def test_links_lead_from_the_lesson_to_the_stub_where_it_is_now():
    view = opened({FILE: "\n\n" + STARTER}).view()
    found = [(link.span.line, link.file, link.line) for link in links(view, "LESSON.md")]
    lesson_line = LESSON[: LESSON.index("[count]")].count("\n") + 1
    assert (lesson_line, FILE, 6) in found


def test_stub_with_removed_comment_keeps_its_hover_and_actions():
    text = STARTER.replace(STARTER[STARTER.index('    """How') : STARTER.index("    raise")], "", 1)
    check_hover("def count(", "def co$0unt(", text=text, contains=["ex-1"])
    check_actions(
        "def count", "$0def count", ["tutor.hint", "tutor.open", "tutor.check"], text=text
    )


def test_emptied_file_has_no_lens_and_breaks_nothing():
    view = opened({FILE: ""}).view()
    assert lenses(view, FILE) == []
    assert hover(view, FILE, 1, 1) is None
    assert actions(view, FILE, 1, 1) == []


BROKEN = STARTER.replace('    raise NotImplementedError("count")', "    return len(text.split(")


def test_a_passed_unit_that_does_not_build_now_says_so_and_keeps_its_hint():
    green = replace(report(
        result("test_count_ignores_spaces", "passed"), result("test_count_of_two", "passed"),
        result("test_longest_prefers_first", "todo"),
    ), text_hash="before")  # fmt: skip
    shown = opened({FILE: BROKEN}, last_results=green, last_report=green)
    shown.parses()
    first = shown.view().units[0]
    assert state_text(first) == "ex-1 ✗ does not build · 2 of 2 before this edit"
    titles = [a.title for line, a in lenses(shown.view(), FILE) if line == first.site.line]
    assert "Hint" in titles


def test_a_passed_unit_that_fails_again_keeps_its_hint():
    both = report(
        result("test_count_ignores_spaces", "failed", "no"), result("test_count_of_two", "passed"),
        result("test_longest_prefers_first", "todo"),
    )  # fmt: skip
    text = with_body(STARTER, "count", "return 3")
    shown = opened({FILE: text}, last_results=both, last_report=both)
    shown.last_edited = "ex-2"
    titles = {line: [] for line, _ in lenses(shown.view(), FILE)}
    for line, action in lenses(shown.view(), FILE):
        titles[line].append(action.command)
    first, second = sorted(titles)
    assert "tutor.hint" in titles[first], "it fails"
    assert "tutor.hint" in titles[second], "the learner is on it"
