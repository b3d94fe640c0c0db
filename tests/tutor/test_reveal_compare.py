"""`tutor.reveal` and `tutor.compare` say the same of a unit, whichever is asked first."""

from pathlib import Path

import pytest
from tutor_kit import solve, solve_first_unit


def coach_of(ready):
    return Path(ready["workspace"], ".tutor", "coach.md").read_text()


async def test_what_was_shown_once_is_shown_again_and_compared_with(t):
    ready = await t.start(language="python")
    unit = ready["units"][0]["id"]
    refused = await t.refused("compare", unit=unit)
    assert "does not pass yet" in refused.message
    assert "shows the reference now" not in refused.message, "reveal refuses as well"
    assert "tutor.reveal" in refused.message
    assert (await t.refused("reveal", unit=unit)).kind == "REFUSED"
    shown = await t.do("reveal", unit=unit, confirm=True)
    assert await t.do("reveal", unit=unit) == shown
    compared = await t.do("compare", unit=unit)
    assert compared["unit"] == unit
    assert "Both pass" not in coach_of(ready)
    assert "yours does not pass yet" in coach_of(ready).lower()
    other = ready["units"][1]["id"]
    assert (await t.refused("compare", unit=other)).kind == "REFUSED"
    assert (await t.refused("reveal", unit=other)).kind == "REFUSED"


async def test_a_unit_that_passes_is_shown_freely_and_that_costs_nothing(t):
    ready = await t.start(language="python")
    solve_first_unit(ready)
    await t.do("check")
    unit = ready["units"][0]["id"]
    compared = await t.do("compare", unit=unit)
    assert compared["unit"] == unit
    assert (await t.do("reveal", unit=unit))["unit"] == unit
    solve(ready)
    assert (await t.do("attempt"))["mastery"]["after"] == 1
    record = await t.app.services.db(lambda tx: tx.session(ready["sessionId"]))
    assert not any(progress.revealed for progress in record.progress.values())


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_pass_of_an_older_text_opens_nothing(t):
    ready = await t.start(language="python")
    solve_first_unit(ready)
    await t.do("check")
    file = Path(ready["workspace"], ready["units"][0]["file"])
    file.write_text(file.read_text().replace("hours * 60", "hours * 61"))
    unit = ready["units"][0]["id"]
    assert (await t.refused("compare", unit=unit)).kind == "REFUSED"
    assert (await t.refused("reveal", unit=unit)).kind == "REFUSED"


async def test_without_a_unit_the_last_one_that_can_be_compared_is(t):
    ready = await t.start(language="python")
    assert (await t.refused("compare")).kind == "REFUSED"
    solve_first_unit(ready)
    await t.do("check")
    compared = await t.do("compare")
    assert compared["unit"] == ready["units"][0]["id"], "the learner is on the next one by now"
    markdown = compared["say"]["markdown"]
    assert compared["reference"] not in markdown
    assert ".cache" not in markdown
