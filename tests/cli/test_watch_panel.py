"""What a key shows below the focus of `watch` goes with its unit; what a run found, with a save."""

from types import SimpleNamespace

import pytest

from tutor_lsp.cli.screen.watch_panel import Panel

LINES = [("Hint 2",)]


def view(unit="ex-1", session="a"):
    focus = None if unit is None else SimpleNamespace(unit=SimpleNamespace(id=unit))
    return SimpleNamespace(session=SimpleNamespace(id=session), focus=focus)


@pytest.mark.parametrize("now", [view("ex-2"), view(None), view(session="b")])
@pytest.mark.parametrize("of_run", [False, True])
def test_a_text_is_shown_as_long_as_the_focus_stays(now, of_run):
    panel = Panel()
    panel.say(LINES, view(), of_run=of_run)
    assert panel.lines(view()) == LINES
    assert panel.lines(now) == []
    assert panel.lines(view()) == []  # nor when it comes back


@pytest.mark.parametrize(("of_run", "left"), [(False, LINES), (True, [])])
def test_the_result_of_a_run_is_over_with_the_next_save(of_run, left):
    panel = Panel()
    panel.say(LINES, view(), of_run=of_run)
    panel.saved()
    assert panel.lines(view()) == left


def test_what_is_true_at_any_time_follows_the_focus_and_begins_at_its_first_page():
    panel = Panel()
    panel.page = 2
    panel.look_at(lambda now: [(now.focus.unit.id,)])
    panel.saved()
    assert (panel.lines(view("ex-2")), panel.page) == ([("ex-2",)], 0)
