"""A pass without the construct that a unit is about says so, and leaves it unpractised."""

from pathlib import Path

import pytest
import pytest_asyncio
from tutor_kit import solve, stub_file

from tutor_lsp.tutor.ide.hover import hover

NODE = "python-comprehensions"
SAID = "It works, and without a list comprehension: try once more with one."


@pytest_asyncio.fixture
async def ready(t):
    """All units solved, the first one with a loop."""
    ready = await t.start(node=NODE)
    solve(ready)
    file = stub_file(ready)
    with_it = file.read_text()
    t.with_it = with_it
    first = next(line for line in with_it.splitlines() if "return [" in line)
    inner, _, loop = first.strip().removeprefix("return [").removesuffix("]").partition(" for ")
    by_loop = f"    found = []\n    for {loop}:\n        found.append({inner})\n    return found"
    file.write_text(with_it.replace(first, by_loop, 1))
    t.file, t.folder = file, ready["workspace"]
    return t


async def topic(t):
    return next(each for each in (await t.do("curriculum"))["nodes"] if each["id"] == NODE)


async def test_the_check_the_attempt_and_the_record_say_so(ready):
    checked = await ready.do("check")
    assert checked["outcome"] == "passed"
    assert [(each["unit"], each["construct"]) for each in checked["unpractised"]] == [
        ("ex-1", "list-comprehension")
    ]
    attempted = await ready.do("attempt")
    assert attempted["review"]["verdict"] == "PASS"
    assert SAID in attempted["say"]["markdown"]
    assert f"ex-1 `rows`: {SAID}" in checked["say"]["oneLine"]
    assert SAID in (Path(ready.folder) / ".tutor/coach.md").read_text()
    assert "say what each element becomes" not in attempted["review"]["summary"]
    assert "an if at the end leaves out" in attempted["review"]["summary"]
    assert (await topic(ready))["mastery"] == 2


async def test_the_hover_says_so_where_the_unit_passes(ready):
    await ready.do("check")
    view = ready.desk.shown[-1]
    item = view.units[0]
    shown = hover(view, item.unit.file, item.name_span.line, item.name_span.column)
    assert "without a list comprehension: try once more with one" in shown.markdown


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_another_unit_may_practise_it(ready):
    await ready.do("attempt")
    assert (await topic(ready))["unpractised"] == []


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_the_next_attempt_with_it_says_nothing(ready):
    await ready.do("attempt")
    ready.file.write_text(ready.with_it)
    attempted = await ready.do("attempt")
    assert attempted["report"]["unpractised"] == []
    assert "try once more" not in attempted["say"]["markdown"]


async def test_what_no_unit_used_stays_unpractised_until_it_is_used(ready):
    before = ready.file.read_text()
    body = before[before.index("    return {\n") : before.index("    }\n") + len("    }\n")]
    by_loop = """\
    kept = {}
    for letter, row in zip(LETTERS, rows(plan)):
        if first_block(row, people):
            kept[letter] = marked(row, first_block(row, people))
    return kept
"""
    ready.file.write_text(before.replace(body, by_loop, 1))
    assert (await ready.do("attempt"))["review"]["verdict"] == "PASS"
    assert (await topic(ready))["unpractised"] == ["a dict comprehension"]
    ready.file.write_text(ready.with_it)
    await ready.do("attempt")
    assert (await topic(ready))["unpractised"] == []


async def test_a_unit_that_passes_is_told_while_others_fail(ready):
    ready.file.write_text(ready.file.read_text().replace("return [number", "return [-number", 1))
    checked = await ready.do("check")
    assert checked["outcome"] == "failed"
    assert [each["unit"] for each in checked["unpractised"]] == ["ex-1"]
    assert SAID in checked["say"]["markdown"]
    assert SAID not in checked["say"]["oneLine"]


async def test_a_unit_that_fails_and_code_that_does_not_load_are_told_nothing_of_it(ready):
    text = ready.file.read_text()
    ready.file.write_text(text.replace("return found", "return None", 1))
    assert (await ready.do("check"))["unpractised"] == []
    ready.file.write_text(text + "def (")
    assert (await ready.do("check"))["unpractised"] is None
