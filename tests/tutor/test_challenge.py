"""A challenge has no lesson, so nothing leads there."""

from tutor_kit import stub_file

from tutor_lsp.tutor.ide.actions import actions


async def test_a_challenge_neither_names_nor_offers_a_lesson(t):
    titles = {}
    for challenge in (False, True):
        ready = await t.start(language="python", challenge=challenge, fresh=True)
        assert ready["challenge"] is challenge
        view = t.app.exercises.opened_of(stub_file(ready)).view()
        unit = view.units[0]
        cue = unit.cue_line
        titles[challenge] = [each.title for each in actions(view, unit.unit.file, cue, cue)]
        assert ("LESSON.md" in ready["say"]["markdown"]) is not challenge
    assert f"Read the lesson: {unit.unit.lesson_heading}" in titles[False]
    assert not any("lesson" in title for title in titles[True])
