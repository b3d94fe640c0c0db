"""Records what real tools say about the exercises in `recorded/`; run by hand, see its README."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.toolchain import RunRequest
from tutor_lsp.languages.python import events as python_events
from tutor_lsp.languages.python.run import PythonRun
from tutor_lsp.languages.rust import events as rust_events
from tutor_lsp.languages.rust import run
from tutor_lsp.languages.rust.build import BUILD, Kept
from tutor_lsp.languages.rust.run import RustRun
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Containment

RECORDED = Path(__file__).parent / "recorded"
LIMITS = RunLimits(test_s=1)


def workspace(name, language, root):
    """A complete copy of a recorded exercise."""
    folder = Path(shutil.copytree(RECORDED / name, root / name))
    files = {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }
    for path, text in toolchains()[language].complete(files).items():
        (folder / path).write_text(text)
    return folder


def asked(folder):
    """A run of all tests."""
    return RunRequest(folder, None, LIMITS, None, Containment())


async def record_python(root):
    events = []

    class Recording(python_events.Record):
        def take(self, event):
            events.append(event)
            super().take(event)

    one = PythonRun(asked(workspace("python", "python", root)), [sys.executable])
    one._record = Recording()
    await one.report()
    for event in events:
        event.pop("python", None)
        if "duration_ms" in event:
            event["duration_ms"] = 1.5
    return events


async def record_rust(root):
    folder = workspace("rust", "rust", root)
    ran = []
    parse = rust_events.parse_test

    def recording(one, place=None):
        ran.append({**{name: getattr(one, name) for name in one.__slots__}, "line": place.line})
        return parse(one, place)

    run.parse_test = recording
    await RustRun(asked(folder), Kept()).report()
    for one in ran:
        one["duration_ms"] = 1.5
        one["output"] = re.sub(
            r"^(thread '.+' )\(\d+\)", r"\1(4944)", one["output"], flags=re.MULTILINE
        )
        one["output"] = re.sub(r"finished in \d+\.\d+s", "finished in 0.00s", one["output"])
    return sorted(ran, key=lambda one: one["line"])


def record_build(name, root):
    folder = workspace(name, "rust", root)
    environment = {**os.environ, "CARGO_TERM_COLOR": "never"}
    said = subprocess.run(["cargo", *BUILD], cwd=folder, env=environment, capture_output=True)
    out = said.stdout.decode().replace(str(folder), "/exercise")
    return [slim(json.loads(line)) for line in out.splitlines()]


def slim(message):
    """A cargo message without what is not read."""
    message.pop("package_id", None)
    for part in (
        message.get("message") or {},
        *((message.get("message") or {}).get("children") or ()),
    ):
        part.pop("rendered", None)
        for span in part.get("spans", ()):
            span.pop("text", None)
    return message


async def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, data in {
            "python.json": await record_python(root),
            "rust.json": await record_rust(root),
            "rust_broken.json": record_build("rust_broken", root),
        }.items():
            text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
            (RECORDED / name).write_text(text.replace(str(Path.home()), "/home/learner"))


if __name__ == "__main__":
    asyncio.run(main())
