"""What a learner, a tool or a model wrote is shown as it is, whatever it looks like."""

import dataclasses
import io
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from said_samples import BROKEN, REPORT, SAMPLES

from tutor_lsp.cli.screen import render
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.cli.screen.words import terminal_voice
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.learner.recommendation import Advice
from tutor_lsp.core.text.plain_text import clean, in_one_line, verbatim
from tutor_lsp.tutor.commands.names import COMMANDS
from tutor_lsp.tutor.interface.learner import Ended
from tutor_lsp.tutor.interface.results import HintResult, PutBack
from tutor_lsp.tutor.voice import runs
from tutor_lsp.tutor.voice.command_form import CommandForm
from tutor_lsp.tutor.voice.record import put_back
from tutor_lsp.tutor.voice.say import spoken
from tutor_lsp.tutor.voice.voice import Voice

TITLES = {command.name: command.title for command in COMMANDS}
HARD = (
    r"""it's \ "2**3**2" __init__ f(**a, **b) <Node object> `g("x")` \` end""",
    "…tutor.check; the argument n = 5, the setting tutor.home, ~x~ [a](b) &amp; !",
    "'`len`' `` a` ``b `c d``e f` ` x ` https://x.y/z=1`a b`me@here.org **",
    "``a`",
    "\\",
)
hard_text = st.text(
    st.sampled_from(list("\\*_<>`~[]()&!#-. '\"ab1:/@"))
    | st.characters(blacklist_categories=("Cs", "Cc", "Cf", "Co")),
    max_size=40,
).map(lambda text: in_one_line(clean(text)))


def report(message, output=""):
    test = TestResult("test_a", "ex-1", "add", TestOutcome.FAILED, message, output=output)
    return TestReport("r", RunOutcome.FAILED, (test,))


def in_terminal(say):
    out = io.StringIO()
    render.say(Out(out), {"say": say})
    return out.getvalue()


def hard(test):
    for text in HARD:
        test = example(text)(test)
    return given(hard_text)(test)


@hard
def test_the_terminal_shows_what_a_test_says_character_by_character(text):
    say = spoken(terminal_voice(), "tutor.check", report(text))["say"]
    shown = text or "test_a does not pass"
    assert f"✗ ex-1 add: {shown}".rstrip() in in_terminal(say)


@hard
def test_the_terminal_shows_why_it_does_not_build_character_by_character(text):
    error = dataclasses.replace(BROKEN.build_errors[0], message=text)
    broken = dataclasses.replace(BROKEN, build_errors=(error,))
    say = spoken(terminal_voice(), "tutor.check", broken)["say"]
    shown = in_terminal(say)
    assert f"✗ src/movie.py:3:5 {text}".rstrip() in shown
    assert f"build yet: {text.rstrip('.')} (src/movie.py, line 3)." in shown


def rendered(markdown):
    """The text that a client shows, with the marks of its code."""
    (_, inline, _) = MarkdownIt().parse(f"x: {markdown}")
    kinds = {"text": "{}", "code_inline": "`{}`", "text_special": "{}"}
    return "".join(kinds[token.type].format(token.content) for token in inline.children)


@given(hard_text.filter(lambda text: "@" not in text and ":" not in text))
@example(HARD[0])
def test_a_client_that_sets_markdown_shows_the_same(text):
    assert rendered(verbatim(text)) == f"x: {text}".rstrip()


def test_a_short_form_is_raw():
    say = spoken(Voice(), "tutor.check", report(HARD[0]))["say"]
    assert HARD[0] in say["oneLine"]


def test_what_a_test_printed_stays():
    printed = "a `b` **c** \\ <d> tutor.check"
    say = spoken(terminal_voice(), "tutor.check", report("m", printed))["say"]
    assert f"it printed: `{printed}`" in in_terminal(say)


FOREIGN = 'lists tutor.check, tutor.reset with {"undo": true}; the argument n = 5'
OWN = {"note", "reason", "why", "remedy", "ended", "problems", "review_error", "words", "history",
       "outcome", "state", "verdict", "at", "updated_at", "created_at", "ended_at", "session",
       "progress", "standing", "kind"}  # fmt: skip
"""Fields that the tutor fills."""
TEXTS = {"text", "code", "solution", "diff", "claim", "evidence", "quote", "improvement",
         "question", "expected", "actual", "output", "title", "message"}  # fmt: skip


def foreign(value, name=""):
    """The result with the texts that others wrote replaced."""
    if dataclasses.is_dataclass(value):
        fields = {
            field.name: foreign(getattr(value, field.name), field.name)
            for field in dataclasses.fields(value)
            if field.init
            and field.name not in OWN
            and type(value).__name__ not in {"JobInfo", "Remedy", "Mend"}
        }
        return dataclasses.replace(value, **fields)
    if isinstance(value, tuple):
        return tuple(foreign(each, name) for each in value)
    return FOREIGN if isinstance(value, str) and name in TEXTS else value


@pytest.mark.parametrize("name", [name for name, (_, result) in SAMPLES.items() if result])
def test_texts_of_others_come_through_every_result_in_every_client(name):
    command, result = SAMPLES[name]
    result = foreign(result)
    plain = spoken(Voice(), command, result)
    count = json.dumps(plain).count(json.dumps(FOREIGN)[1:-1])
    for template in ("tutor-lsp %s", ":TutorLsp %s", "M-x tutor-lsp-%s", '"T: %s"'):
        told = spoken(Voice(CommandForm(template, TITLES)), command, result)
        assert json.dumps(told).count(json.dumps(FOREIGN)[1:-1]) == count, template


def test_our_own_sentences_name_commands_beside_texts_of_others():
    voice = Voice(CommandForm("tutor-lsp %s", TITLES))
    assert voice.t("{x}: see tutor.check", x="tutor.check") == "tutor.check: see tutor-lsp check"
    noted = dataclasses.replace(REPORT, note="a.py is left out (tutor.restore undoes it).")
    wire = spoken(voice, "tutor.check", noted)
    assert "tutor-lsp restore" in wire["note"]
    assert "tutor-lsp restore" in wire["say"]["markdown"]


@pytest.mark.parametrize(
    ("template", "undo", "dismiss"),
    [
        ("tutor-lsp %s", "tutor-lsp reset --undo", "tutor-lsp restore --record --dismiss"),
        (":TutorLsp %s", ":TutorLsp reset undo", ":TutorLsp restore record dismiss"),
        ("M-x t-%s", "M-x t-reset (undo)", "M-x t-restore (record, dismiss)"),
        ('"T: %s"', '"T: Reset stubs, or undo the last reset" (undo)',
         '"T: Restore edited tests and lesson" (record, dismiss)'),
    ],
)  # fmt: skip
def test_what_is_to_be_chosen_is_named_with_the_command(template, undo, dismiss):
    named = CommandForm(template, TITLES).named
    assert named('a tutor.reset with {"undo": true}.') == f"a {undo}."
    assert named('tutor.restore with {"record": true, "dismiss": true}') == dismiss


def test_an_argument_may_hold_braces_and_quotes():
    named = CommandForm("tutor-lsp %s", TITLES).named
    argument = json.dumps({"topic": 'lists, {x} "y" }'})
    typed = "tutor-lsp start --topic 'lists, {x} \"y\" }'"
    assert named(f"Try tutor.start with {argument} or tutor.check.") == (
        f"Try {typed} or tutor-lsp check."
    )
    assert named("tutor.start with {half") == "tutor-lsp start with {half"


@pytest.mark.parametrize("outcome", [RunOutcome.TIMEOUT, RunOutcome.FAILED, RunOutcome.PASSED])
def test_no_count_is_told_of_a_run_without_tests(outcome):
    empty = TestReport("r", outcome)
    assert "0" not in runs.run_title(Voice(), empty) + runs.run(Voice(), empty)


def test_texts_that_were_deleted_are_counted():
    def said(*files):
        return put_back(Voice(), PutBack(files, files, files)).message

    assert "a.py had been deleted: its last known text is kept" in said("a.py")
    assert "their last known texts are kept" in said("a.py", "b.py")
    assert "brings them back" in said("a.py", "b.py")


TITLE = "*a*_b_ tutor.check"


def shown(markdown):
    """What Markdown shows, as text."""
    return MarkdownIt().render(markdown).replace("&amp;", "&")


def test_titles_show_as_they_are_in_headings_and_lists():
    advice = (Advice("n", TITLE, f"builds on {TITLE}"),)
    voice = Voice(CommandForm(":T %s", TITLES))
    ended = spoken(voice, "tutor.end", Ended(f"“{TITLE}”: done.", advice))
    html = shown(ended["say"]["markdown"])
    assert html.count(TITLE) == 3
    assert "<em>" not in html
    claimed = dataclasses.replace(SAMPLES["claim"][1], title=TITLE)
    assert f"<h1>{TITLE}</h1>" in shown(spoken(voice, "tutor.claim", claimed)["say"]["markdown"])


def test_a_title_in_a_refusal_is_no_command():
    voice = Voice(CommandForm(":T %s", TITLES))
    error = TutorError("REFUSED", f"“{TITLE}” is open: tutor.end closes it.")
    assert voice.refusal(error).message == f"“{TITLE}” is open: :T end closes it."
    assert str(error) == error.message


def test_the_code_of_a_hint_says_its_language():
    hint = HintResult("ex-1", 2, "Try", "fn a() {}", True, False, language="rust")
    assert "```rust\nfn a() {}\n```" in spoken(Voice(), "tutor.hint", hint)["say"]["markdown"]


def test_the_code_of_a_hint_stands_behind_the_words_that_announce_it():
    text = "Look at how this one ends:\n\nYours has to do the same."
    hint = HintResult("ex-1", 2, text, "return 1\n", True, False, language="python")
    said = spoken(Voice(), "tutor.hint", hint)["say"]["markdown"]
    assert "ends:\n\n```python\nreturn 1\n```\n\nYours has" in said


@pytest.mark.parametrize(
    "block",
    [
        "```\ntutor.check\n```",
        "- See:\n  ```\n  tutor.check\n  ```",
        "1. ```\n   tutor.check\n   ```",
        "> ~~~ text\n> tutor.check\n> ~~~",
        "```\ntutor.check\n```python\ntutor.check\n````",
    ],
)
def test_code_keeps_the_names_of_commands_wherever_it_stands(block):
    named = CommandForm("tutor-lsp %s", TITLES).named
    assert named(f"tutor.hint\n\n{block}\n\ntutor.hint") == (
        f"tutor-lsp hint\n\n{block}\n\ntutor-lsp hint"
    )


def test_code_in_a_line_is_no_fence():
    named = CommandForm("tutor-lsp %s", TITLES).named
    assert named("```tutor.hint``` helps, tutor.check too") == (
        "```tutor-lsp hint``` helps, tutor-lsp check too"
    )


def test_a_command_with_a_key_is_named_by_it_unless_it_needs_an_argument():
    named = CommandForm("tutor-lsp %s", TITLES, keys={"tutor.hint": "h"}).named
    assert named("Stuck? tutor.hint helps.") == "Stuck? h (hint) helps."
    other = 'tutor.hint with {"unit": "ex-2"}'
    assert named(other) == "tutor-lsp hint --unit ex-2", "a key is for the unit on the screen"
    shown = named('tutor.reveal with {"unit": "ex-2", "confirm": true}')
    assert shown == "tutor-lsp reveal --unit ex-2 --confirm", "it has no key here"


def test_a_key_that_asks_again_confirms():
    """The way on from a third hint stands below the unit on the screen."""
    named = CommandForm("tutor-lsp %s", TITLES, keys={"tutor.reveal": "s"}).named
    assert named('tutor.reveal with {"unit": "ex-2", "confirm": true}') == "s (reveal)"
    assert named('See tutor.hint with {"unit": "ex-2"}, or tutor.check.') == (
        "See tutor-lsp hint --unit ex-2, or tutor-lsp check."
    )
