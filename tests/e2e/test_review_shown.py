"""Findings of a review in an editor: on just their quotes, until the text changes."""

import json

import pytest
from editor import editor

QUOTE = 'größe = "😀"; raise'


def at_line(text, needle):
    """1-based line of a needle."""
    return text[: text.index(needle)].count("\n") + 1


@pytest.mark.long("test_quotes.py and test_diagnostics.py find and show quotes without a server")
async def test_findings_stand_on_their_quotes_until_the_text_changes(tmp_path):
    script = tmp_path / "script.jsonl"
    script.touch()
    environment = {"TUTOR_LSP_SCRIPT": str(script), "TUTOR_LSP_BACKEND": "scripted"}
    async with editor(tmp_path / "home", environment=environment) as ed:
        ready = await ed.start(language="python", node="python-loops", backend="library")
        file = ready["units"][0]["file"]
        uri = ed.open(tmp_path / "home" / ready["workspace"] / file)
        text = ed.texts[uri].replace('raise NotImplementedError("legs")', f"{QUOTE} KeyError", 1)
        line = at_line(text, QUOTE)
        place = {"file": file, "quote": QUOTE, "claim": "One thing a line.", "evidence": "see it"}
        findings = [
            {**place, "line": line, "end_line": line},
            {**place, "line": line + 1, "end_line": line + 1, "claim": "Never shown."},
        ]
        answer = {
            "schema_version": "review_report_v1",
            "role": "reviewer",
            "verdict": "FAIL",
            "score": 20,
            "summary": "A beginning.",
            "findings": findings,
            "tags": [],
        }
        script.write_text(json.dumps({"stage": "reviewer", "payload": answer}) + "\n")
        ed.save(uri, text.replace("\n", "\r\n"))
        result = await ed.command("tutor.attempt")
        assert result["reviewError"] is None
        assert result["review"]["droppedFindings"] == 1
        shown = await ed.until(lambda: ed.diagnostics(uri, "review"), "no finding is shown")
        assert [(item.message, item.severity.name) for item in shown] == [
            ("Not tried out, so look for yourself: One thing a line.", "Information")
        ]
        start, end = shown[0].range.start, shown[0].range.end
        assert (start.line, end.line) == (line - 1, line - 1)
        assert ed.capabilities.position_encoding == "utf-8"
        raw = text.split("\n")[start.line].encode()
        assert raw[start.character : end.character].decode() == QUOTE
        coach = tmp_path / "home" / ready["workspace"] / ".tutor/coach.md"
        assert "look for yourself: One thing a line." in coach.read_text("utf-8")
        ed.change(uri, text + "\n# more\n")
        await ed.until(lambda: not ed.diagnostics(uri, "review"), "the finding stays")
