"""An exercise that was passed and then broken again."""

import pytest
import pytest_asyncio
from tutor_kit import solve, stub_file, write_wrong

NODE = "python-functions"


def change(ready):
    path = stub_file(ready)
    path.write_text(path.read_text().replace("    return ", "    return 1 + ", 1))


@pytest_asyncio.fixture
async def broken(t):
    """After three hints for the first unit everything was passed; then it gave a wrong value."""
    ready = await t.start(node=NODE)
    write_wrong(ready)
    await t.do("check")
    t.author = [await t.do("hint") for _ in range(3)]
    solve(ready)
    assert (await t.do("attempt"))["report"]["outcome"] == "passed"
    t.ready = ready
    change(ready)
    assert (await t.do("check"))["outcome"] == "failed"
    return t


async def test_hints_begin_again_with_words_that_fit_and_the_end_says_both(broken):
    again = [await broken.do("hint") for _ in range(4)]
    assert [hint["level"] for hint in again] == [1, 2, 3, 3]
    assert "passed before" in again[0]["text"]
    for hint, authors in zip(again[::2], broken.author[::2], strict=False):
        assert hint["text"] != authors["text"]
    assert "starts with `return`" in broken.author[2]["text"]
    assert "starts with `return`" not in again[2]["text"]
    assert "line by line" in again[2]["text"]
    summary = (await broken.do("end"))["summary"]
    assert ": passed before; " in summary
    assert " of 4 pass now, " in summary
    assert "units pass" not in summary


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_stub_put_back_gets_the_words_of_the_author_and_an_older_text_no_count(broken):
    await broken.do("reset", unit="ex-1")
    assert "raise" in stub_file(broken.ready).read_text()
    await broken.do("check")
    again = [await broken.do("hint", unit="ex-1") for _ in range(3)]
    assert "starts with `return`" in again[2]["text"]
    change(broken.ready)
    assert ": passed before, changed since; " in (await broken.do("end"))["summary"]
