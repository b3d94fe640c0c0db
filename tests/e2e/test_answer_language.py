"""A model of the editor's is told which language the learner reads, whatever the exercise's is."""

import pytest
from editor import editor

NODES = {"python": "python-strings", "rust": "rust-functions", "c": "c-functions"}


async def prompt_of_a_hint(home, language, **how):
    """The prompt for a hint on an exercise in a programming language, and the hint."""
    prompts = []

    def model(params):
        prompts.append(params.prompt)
        return {"text": "no JSON"}

    options = {"model": True, "backend": "editor", **how.pop("options", {})}
    async with editor(home, options=options, **how) as ed:
        ed.client.feature("tutor/model")(model)
        await ed.start(language=language, node=NODES[language], backend="library")
        hint = await ed.command("tutor.hint", {"unit": "ex-1"})
    return prompts[0], hint


@pytest.mark.sample("python")
@pytest.mark.parametrize("language", ["python", "c"])
async def test_the_editors_language_is_asked_for(tmp_path, language):
    prompt, hint = await prompt_of_a_hint(tmp_path, language, locale="de")
    assert "Write it in German; keep code, names and quotes as they are." in prompt
    assert hint["source"] == "author"


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_a_setting_comes_before_it(tmp_path):
    how = {"locale": "de", "options": {"answerLanguage": "fr"}}
    prompt, _ = await prompt_of_a_hint(tmp_path, "rust", **how)
    assert "Write it in French;" in prompt


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_an_english_editor_asks_for_no_language(tmp_path):
    prompt, _ = await prompt_of_a_hint(tmp_path, "python", locale="en-US")
    assert "Write it in" not in prompt
