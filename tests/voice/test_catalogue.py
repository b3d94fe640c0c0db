"""A translation is one file."""

import gettext
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.text import translation
from tutor_lsp.core.text.translation import EDITOR, LOCALES, speak, t, texts_of
from tutor_lsp.tutor.voice import runs
from tutor_lsp.tutor.voice.voice import Voice

ONE, MANY = "The test passes.", "All {count} tests pass."


@pytest.fixture(autouse=True)
def english_again():
    yield
    speak(gettext.NullTranslations())


def translated(*pairs):
    catalogue = Catalog(locale="de")
    for text, other in pairs:
        catalogue.add(text, other)
    return compiled(catalogue)


def compiled(catalogue):
    out = BytesIO()
    write_mo(out, catalogue)
    out.seek(0)
    return gettext.GNUTranslations(out)


def passed(count):
    tests = (TestResult("test_a", "ex-1", "a", TestOutcome.PASSED),) * count
    return TestReport("r", RunOutcome.PASSED, tests)


@pytest.mark.parametrize(
    ("count", "english", "german"),
    [
        (1, ONE, "Der Test läuft durch."),
        (2, "All 2 tests pass.", "Alle 2 Tests laufen durch."),
    ],
)
def test_a_translation_appears_in_a_result_with_its_plural(count, english, german):
    assert runs.run(Voice(), passed(count)) == english
    speak(translated(((ONE, MANY), ("Der Test läuft durch.", "Alle {count} Tests laufen durch."))))
    assert runs.run(Voice(), passed(count)) == german


def test_a_translation_with_a_wrong_placeholder_is_not_used():
    speak(translated(("{count} min", "{minutes} Minuten"), ("{a} is here", "{b} ist hier")))
    assert Voice().t("{count} min", count=3) == "3 min"
    assert t("x is here") == "x is here"


def test_a_sentence_is_translated_by_its_form():
    speak(
        translated(
            ("{a} is here", "Hier ist {a}"),
            ("{a} is here: {{{b}}}", "{{{b}}}: {a}"),
            ('{"a": 1}', "x"),
        )
    )
    assert t("(x. is here") == "Hier ist (x."
    assert t("x is here: {\ny}") == "{\ny}: x"
    assert t("nobody is") == "nobody is"


def test_a_reason_within_a_sentence_is_translated_and_a_name_is_not():
    speak(translated(("{tool}: {why}.", "{tool} | {why}"), ("it is gone", "weg"), ("gone", "fort")))
    assert t("gone: it is gone.") == "gone: it is gone."  # no words to find it again by
    speak(translated(("{tool} fails: {why}.", "{tool} | {why}"), ("it is gone", "weg")))
    assert t("it fails: it is gone.") == "it | weg"


def test_of_two_forms_with_the_same_words_the_one_with_more_marks_is_meant():
    plain, quoted = (
        ("It follows: {title}", "Weiter: {title}"),
        ("It follows: “{a}”", "Weiter: „{a}“"),
    )
    for pairs in ((plain, quoted), (quoted, plain)):
        speak(translated(*pairs))
        assert t("It follows: “Loops”") == "Weiter: „Loops“"
        assert t("It follows: Loops") == "Weiter: Loops"


def test_a_long_text_that_repeats_a_form_is_of_others():
    speak(translated(("The coaching model failed: {why}", "Das Modell: {why}")))
    again = "The coaching model failed: "
    assert t(again * 10_000) == f"Das Modell: {again * 9_999}"
    assert t(again * 3) == "Das Modell: Das Modell: Das Modell: "


def test_the_texts_of_a_context_are_given_whole_but_for_those_with_other_places():
    catalogue = Catalog(locale="de")
    for text, other, context in (
        ("ask", "fragen", "editor"),
        ("{file} is gone", "{file} fehlt", "editor"),
        ("{file} is here", "{datei} ist da", "editor"),
        ("Saved", "Gesichert", None),
    ):
        catalogue.add(text, other, context=context)
    speak(compiled(catalogue))
    assert texts_of(EDITOR) == {"ask": "fragen", "{file} is gone": "{file} fehlt"}
    assert t("x is gone") == "x is gone", "that is no sentence of the server's"


def test_a_refusal_speaks_the_learner_s_language():
    speak(translated(("There is no {what}.", "{what} fehlt.")))
    error = TutorError("REFUSED", f"There is no {'tea'}.")
    assert (error.message, str(error)) == ("tea fehlt.", "tea fehlt.")


def test_the_language_of_a_client_is_that_of_its_file(tmp_path, monkeypatch):
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue = Catalog(locale="de")
    catalogue.add("Passed", "Bestanden")
    with (folder / "tutor_lsp.mo").open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(translation, "LOCALES", tmp_path)
    assert translation.translations(["de_AT"]).gettext("Passed") == "Bestanden"
    assert translation.translations(["fr"]).gettext("Passed") == "Passed"


def test_the_template_has_every_text_with_its_plural():
    with (LOCALES / "tutor_lsp.pot").open("rb") as file:
        texts = {message.id for message in read_po(file)}
    assert (ONE, MANY) in texts
    assert "No exercise is open" in texts
    assert "There is no topic {node}.{meant} tutor.curriculum lists them all." in texts
    assert len(texts) > 250
