"""Words for hints, answers, solutions and comparisons."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL
from tutor_lsp.core.text.plain_text import fenced, in_one_line, plain_words, spoken, with_code
from tutor_lsp.languages.registry import language_of
from tutor_lsp.tutor.interface.notifications import HintReady
from tutor_lsp.tutor.interface.results import AskResult, Comparison, HintResult, Revealed
from tutor_lsp.tutor.interface.units import Way
from tutor_lsp.tutor.voice.phrases import stuck, tried_out
from tutor_lsp.tutor.voice.voice import Voice, Words, words

STATUS_LINE = 80
"""Characters of a message that an editor shows in any case."""


def hint(voice: Voice, result: HintResult) -> Words:
    """`tutor.hint` and `tutor.ask`."""
    title = voice.t("Hint {level} · {unit}", level=result.level, unit=_unit(result))
    tried = tried_out(result.tried_out, model=result.source == "model") or None
    # In an editor and in `watch` the command means the unit that one is on.
    form = voice.commands
    typed = form.template and form.style == "options" and "tutor.hint" not in form.keys
    command = form.command("tutor.hint", {"unit": result.unit} if typed else {})
    more = None
    if isinstance(result, AskResult):
        title = result.title
    elif result.level == HIGHEST_LEVEL - 1:
        more = voice.t(
            "The next hint is the last and shows the step itself: a pass then counts one level "
            "less, until you pass once more on your own. {command}",
            command=command,
        )
    elif result.level < HIGHEST_LEVEL:
        more = voice.t("The next hint is closer to the answer: {command}", command=command)
    else:
        more = ways_on(voice, result.actions)
    text = in_one_line(plain_words(result.text))
    # A status line shows one cut line: that there is more, and where, must come first.
    more_there = result.code or len(text) > STATUS_LINE
    where = voice.t(" (in full in .tutor/coach.md)") if more_there else ""
    sentence = f"{title}{where}: {text}"
    return words(
        title, sentence, body=(with_code(result.text, result.code, result.language), tried, more)
    )


def _unit(result: HintResult | Revealed | Comparison) -> str:
    """A unit as lists name it: by what commands take, and by its function."""
    return f"{result.unit} {result.stub}".rstrip()


def ways_on(voice: Voice, ways: Sequence[Way]) -> str | None:
    """What can be done after the last hint, with the commands as they are typed; None for
    nothing."""
    if not ways:
        return None
    typed = [f"{spoken(way.title)} ({voice.commands.way(way.command, _typed(voice, way))})"
             for way in ways]  # fmt: skip
    return stuck(typed)


def _typed(voice: Voice, way: Way) -> Mapping[str, Any]:
    """The argument of a way as a learner gives it, who is in its exercise."""
    known = {"session", "language"} if "node" in way.argument else {"session"}
    given = {key: value for key, value in way.argument.items() if key not in known}
    asks = way.command == "tutor.ask" and voice.commands.style == "options"
    return {**given, "question": "…"} if asks else given


def hint_ready(voice: Voice, result: HintReady) -> Words:
    """`tutor/hintReady`."""
    made = hint(voice, result.hint)
    if result.final:
        return made
    if isinstance(result.hint, AskResult):  # what was tried out is told at its end
        text = with_code(result.hint.text, result.hint.code, result.hint.language)
        return Words(made.title, made.sentences, (text,))
    return Words(made.title, made.sentences, (*made.body, voice.t("A closer look is on its way …")))


def reveal(voice: Voice, result: Revealed) -> Words:
    """`tutor.reveal`."""
    title = voice.t("Solution of {unit}", unit=_unit(result))
    where = voice.t("One way to write it, in `{file}`:", file=result.file)
    short = voice.t("{title}: one way to write it is in .tutor/coach.md.", title=title)
    return words(title, short, body=(where, _code(result.solution, result.file)))


def compare(voice: Voice, result: Comparison) -> Words:
    """`tutor.compare`."""
    title = voice.t("{unit}: yours ↔ reference", unit=_unit(result))
    if not result.diff:
        return words(title, voice.t("Your code and the reference are the same."))
    one = voice.t("The reference is one way among many.")
    return words(title, one, body=(one, fenced(result.diff, "diff")))


def _code(text: str, file: str) -> str:
    return fenced(text.rstrip(), language_of(PurePath(file).suffix) or "")
