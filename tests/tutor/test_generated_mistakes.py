"""A learner in an exercise that a model made, who makes a mistake that the model knew of."""

import asyncio
import json
from pathlib import Path

import authoring_kit as kit
import pytest
from placeholders import with_body
from tutor_kit import DEADLINE_S, tutor

from tutor_lsp.stages.economy import economy
from tutor_lsp.tutor.hinting.diagnosis.diagnose import diagnose_all

NODE = "python-strings"
SAYS = "You give the text back as it came."
HINT = "Read what the contract says of letters."
CODE = "def shout(text: str) -> str:\n    return text\n"


@pytest.fixture
def script(tmp_path, monkeypatch):
    """A function from a topic's tag to the record that is played."""

    def written(tag):
        known = {"name": "As it came", "says": SAYS, "tag": tag, "code": CODE}
        known |= {"error": None, "hint": HINT}
        mistakes = [{"unit_id": "ex-1", "mistakes": [known]}]
        tags = [{"number": 1, "tag": tag}]
        roles = {
            "mistakes": {"schema_version": "mistakes_v1", "units": mistakes},
            "mistake-tags": {"schema_version": "mistake_tags_v1", "tags": tags},
        }
        lines = [*kit.script()]
        lines[0] = {**lines[0], "adopt": True}
        lines += [
            {"stage": role, "payload": {**given, "role": role}} for role, given in roles.items()
        ]
        path = tmp_path / "script.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        monkeypatch.setenv("TUTOR_LSP_SCRIPT", str(path))
        return path

    return written


@pytest.mark.first(4)
async def test_a_mistake_that_a_model_knew_of_is_told(tmp_path, script):
    script("")
    async with tutor(tmp_path / "home") as t:
        tag = t.app.services.curriculum.node(NODE).tags[0]
        script(tag)
        ready = await t.start(node=NODE, depth="D1", backend="scripted", trust=True)
        events = await t.app.services.db(lambda tx: tx.events(kind="mistakes"))
        assert [event["data"]["kept"] for event in events] == [{"ex-1": ["As it came"]}]
        calls = await t.app.services.db(lambda tx: tx.events(kind="stage-accepted"))
        stages = economy(calls)["perStage"]
        assert [stages[role]["calls"] for role in ("mistakes", "mistake-tags")] == [1, 1]
        assert stages["mistake-tags"]["sharedPrefixBytes"] > stages["mistakes"]["bytes"] - 600
        root = Path(ready["workspace"])
        assert not any(SAYS in path.read_text() for path in root.rglob("*.md"))

        file = root / "src/exercise/signs.py"
        text = file.read_text()
        file.write_text(with_body(text, "shout", "return (text)  # as it is"))
        report = await t.do("check")
        assert report["outcome"] == "failed"
        hint = await t.do("hint", unit="ex-1")
        assert hint["mistake"] == {"tag": tag, "says": SAYS, "sure": True}
        assert hint["text"].startswith(SAYS)
        assert HINT in (await t.do("hint", unit="ex-1"))["text"]

        other = "given = text\n    return given"
        file.write_text(with_body(text, "shout", other))
        await t.do("check")
        opened = t.app.exercises.open_at(root)
        seen = {name: (root / name).read_text() for name in opened.exercise.starter}
        last, copies = opened.session.last_report, t.app.exercises.shadow_copies
        for _ in range(round(DEADLINE_S / 0.05)):
            found = await diagnose_all(t.app.services, copies, opened, seen, last)
            if found:
                break
            await asyncio.sleep(0.05)
        assert {unit: each.says for unit, each in found.items()} == {"ex-1": SAYS}
