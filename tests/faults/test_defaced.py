"""Whatever a model writes, what a learner reads is plain: in `.tutor/coach.md`, hover, messages."""

import json
import re
import unicodedata
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from learner_kit import learner
from markdown_it import MarkdownIt

from tutor_lsp.core.text.plain_text import fenced
from tutor_lsp.tutor.ide.diagnostics import diagnostics
from tutor_lsp.tutor.ide.hover import hover

pytestmark = pytest.mark.first(3)

NODE = {"language": "python", "node": "python-strings", "backend": "library"}
FILE = "src/exercise/names.py"
RIGHT = "return title.strip().lower()"
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

HOSTILE = {
    "a fake review": "Well done.\n\n## Review of attempt 99: passed\n\nAll is well.",
    "a fake review, underlined": "Review of attempt 99: passed\n---\n\nAll is well.",
    "a command": "Press [here](command:workbench.action.terminal.new) to go on.",
    "a file": "Read [this](file:///etc/passwd) first.",
    "a remote image": "Look ![at this](https://evil.example/p.png).",
    "a bare address": "Look at https://evil.example/p now.",
    "an address defined": "Look at [this].\n\n[this]: https://evil.example",
    "a script": "Look.\n\n<script>alert(1)</script>\n\nNow.",
    "a frame": "Look <iframe src=https://evil.example></iframe> now.",
    "a comment": "Look at the loop. <!-- and nothing",
    "entities": "Look &lt;img src=x&gt; &#x202e; now.",
    "invisible characters": "Look\u200b at\u202e the\u00ad loop\x9b\ufeff.",
    "a table": "Look:\n\n| what | how |\n|-|-|\n| letters | once more |",
    "a rule and a stamp": "Look.\n\n*2030-01-01 00:00 UTC*\n\n---\n\nNow.",
    "letters piled up": "Look at z" + "\u0301" * 60 + " now.",
}


def only_plain(markdown: str, links: int = 0) -> None:
    """Nothing but headings, emphasis, code and our own links to files of the exercise."""
    environment = {}
    tokens = READER.parse(markdown, environment)
    every = [each for token in tokens for each in (token, *(token.children or ()))]
    assert not {t.type for t in every} & {"html_inline", "image", "table_open", "s_open"}, markdown
    blocks = [t.content for t in every if t.type == "html_block"]
    assert all(re.fullmatch(r"</?details>.*\s*", block) for block in blocks), markdown
    assert not environment.get("references")
    found = [t.attrs["href"] for t in every if t.type == "link_open"]
    assert all(re.fullmatch(r"\.\./src/[\w/.]+#L\d+", href) for href in found), found
    shown = "".join(t.content for t in every if t.type == "text")
    assert "://" not in shown
    odd = [c for c in markdown if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Co")]
    assert not odd
    assert "\u0301" * 5 not in markdown


def headings(markdown: str) -> list[str]:
    tokens = READER.parse(markdown)
    return [b.content for a, b in pairwise(tokens) if a.type == "heading_open"]


@asynccontextmanager
async def session(tmp_path, monkeypatch, body, *lines):
    """A learner with the first function written and the others solved, and a model that answers
    these lines."""
    script = tmp_path / "script.jsonl"
    script.write_text("\n".join(json.dumps(line) for line in lines))
    monkeypatch.setenv("TUTOR_LSP_SCRIPT", str(script))
    async with learner(tmp_path / "home", backend="scripted") as who:
        started = await who.start(**NODE)
        root = Path(started["workspace"])
        unit = started["units"][0]
        await who.solve(started)
        path = root / unit["file"]
        solved = path.read_text()
        assert solved.count(RIGHT) == 1
        path.write_text(solved.replace(RIGHT, body))
        await who.do("check")
        yield who, root, solved


def review_of(text: str, lines: int) -> dict:
    place = {"file": FILE, "line": 1, "end_line": lines, "quote": "return title.lower()"}
    finding = {**place, "claim": text, "evidence": text}
    return {
        "schema_version": "review_report_v1", "role": "reviewer", "verdict": "FAIL", "score": 40,
        "summary": text, "findings": [finding], "improvement": text, "question": text, "tags": [],
    }  # fmt: skip


def split(name):
    """That text alone, and all the others one after the other in one session."""
    return pytest.mark.parametrize(
        "texts",
        [
            pytest.param([HOSTILE[name]], id=name),
            pytest.param(
                [text for other, text in HOSTILE.items() if other != name],
                id="the others", marks=pytest.mark.long("plays many answers"),
            ),
        ],
    )  # fmt: skip


@split("a fake review")
async def test_a_review_is_shown_plain(tmp_path, monkeypatch, texts):
    async with session(tmp_path, monkeypatch, "return title.lower()") as (who, root, _):
        for number, text in enumerate(texts, 1):
            path = root / FILE
            path.write_text(f"{path.read_text()}# {number}\n")  # the same would be no new attempt
            await check_review(who, root, text, number)


async def check_review(who, root, text, number):
    payload = review_of(text, len((root / FILE).read_text().splitlines()))
    who.app.services.backends.get("scripted")._lines += [{"stage": "reviewer", "payload": payload}]
    result = await who.do("attempt")
    file = root / ".tutor" / "coach.md"
    card = file.read_text()
    file.unlink()
    # what is checked for leaks is left out where there is no time for that; this is not
    assert re.search(r"\b(?:Look|Read|Press|Well|Review)\b", card.partition("not yet\n")[2])
    only_plain(card)
    assert headings(card) == ["Hints and reviews", f"Review of attempt {number}: not yet"]
    message = result["say"]["oneLine"]
    assert "\n" not in message
    assert not re.search(r"[\u200b-\u200f\u202a-\u202e\x80-\x9f]", message)
    opened = who.app.exercises.all()[0]
    for item in [each for found in diagnostics(opened.view()).values() for each in found]:
        assert "\\" not in item.message
        assert not re.search(r"[\u200b-\u200f\u202a-\u202e\x80-\x9f]", item.message)


@pytest.mark.sample("a script")
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_a_hint_is_shown_plain(tmp_path, monkeypatch, text):
    async with session(tmp_path, monkeypatch, "return title.lower()") as (who, root, solved):
        payload = {
            "schema_version": "hint_pack_v1", "role": "coach", "unit_id": "ex-1", "level": 1,
            "fix": [{"file_path": FILE, "content": solved}], "text": text, "code": None, "tags": [],
        }  # fmt: skip
        lines = who.app.services.backends.get("scripted")._lines
        lines += [{"stage": "coach", "payload": payload}] * 2
        result = await who.do("hint", unit="ex-1")
        assert result["source"] == "model", "the model's hint is not the one that is shown"
        only_plain((root / ".tutor" / "coach.md").read_text())
        opened = who.app.exercises.all()[0]
        for item in opened.view().units:
            site = item.site
            for line in (site.line, site.comment_line):
                only_plain(hover(opened.view(), item.unit.file, line, 6).markdown)
        assert not re.search(r"[\u200b-\u200f\u202a-\u202e\x80-\x9f]", result["say"]["oneLine"])


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("title = title.strip()", "python"),
        ("```c\nint x = a[0];\n```", "c"),
        ("```evil{x}\nint x = a[0];\n```", ""),
        ("int x = a[0];", ""),
        ("```py\ntitle = title.strip()\n```", "python"),
    ],
)
def test_code_stands_under_its_own_language(code, tag):
    from tutor_lsp.tutor.hinting.coach.showing import shown

    text, rest = shown("Look at this.", code, "python")
    if tag == "python":
        assert (text, rest) == ("Look at this.", "title = title.strip()")
    else:
        assert (text, rest) == (f"Look at this.\n\n{fenced('int x = a[0];', tag)}", None)


async def test_what_learners_print_cannot_leave_its_block(tmp_path, monkeypatch):
    body = 'print("```\\n# out\\n[x](command:y)\\x1b[31m")\n    return title'
    async with session(tmp_path, monkeypatch, body) as (who, root, _):
        assert root.exists()
        opened = who.app.exercises.all()[0]
        shown = []
        for item in opened.view().units:
            for line in (item.site.line, item.site.comment_line):
                shown.append(hover(opened.view(), item.unit.file, line, 6).markdown)
        assert any("command:y" in each for each in shown)
        for each in shown:
            only_plain(each)
            assert not headings(each)
