"""A begun exercise whose model says what a script says, for tests of `tutor.hint`."""

import json
from contextlib import asynccontextmanager
from pathlib import Path

from learner_kit import learner
from placeholders import with_body

NODE = {"language": "python", "node": "python-strings", "backend": "library"}
FILE = "src/exercise/titles.py"
WRONG = "return title.lower()"
RIGHT = "return title.strip().lower()"
NUDGE = "Your answer still has the blanks at its ends. Which method takes them away?"


LEAK = "What does `title.lower().strip()` give?"


async def answering(text):
    """What somebody answers who is asked."""
    return text


def pack(level=1, text=NUDGE, code=None, fix=None, **changes):
    """A line of the script with a hint."""
    payload = {
        "schema_version": "hint_pack_v1", "role": "coach", "unit_id": "ex-1", "level": level,
        "fix": fix, "text": text, "code": code, "tags": [],
    }  # fmt: skip
    return {"stage": "coach", "payload": payload | changes}


class Session:
    """An exercise with one stub begun, and a model that says what its script says."""

    def __init__(self, who, ready):
        self.who, self.app, self.desk = who, who.app, who.desk
        self.root = Path(ready["workspace"])
        self.unit = ready["units"][0]
        self.path = self.root / self.unit["file"]
        self.starter = self.path.read_text()
        self.noted = []
        self.desk.notify = lambda method, payload: self.noted.append((method, payload))

    def write(self, body):
        stub = self.unit["stub"]
        self.path.write_text(with_body(self.starter, stub, body))

    def fix(self, body):
        stub = self.unit["stub"]
        text = with_body(self.starter, stub, body)
        return [{"file_path": self.unit["file"], "content": text}]

    async def begin(self, body=WRONG):
        self.write(body)
        await self.who.do("check")

    async def hint(self, **arguments):
        return await self.who.do("hint", **{"unit": "ex-1", **arguments})

    async def events(self, kind):
        return [e["data"] for e in await self.app.services.db(lambda tx: tx.events(kind=kind))]

    @property
    def card(self):
        return (self.root / ".tutor" / "coach.md").read_text()

    def calls(self):
        return self.app.services.backends.get("scripted").requests


@asynccontextmanager
async def session(tmp_path, monkeypatch, *lines, backend="scripted"):
    script = tmp_path / "script.jsonl"
    script.write_text("\n".join(json.dumps(line) for line in lines))
    monkeypatch.setenv("TUTOR_LSP_SCRIPT", str(script))
    async with learner(tmp_path / "home", backend=backend) as who:
        buffers = {}
        who.desk.buffer = buffers.get
        it = Session(who, await who.start(**NODE))
        it.buffers = buffers
        yield it
