"""A small stand-in for the tutor's server, to test the plugin alone.

It answers each command with the shape that the server gives and writes down what it was asked.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from fake_exercise import FILES, HOME, NODES, ROOT, SESSION, STUB, UNITS
from jsonrpc import Connection, RefusedError

jobs = {}
state = {"hint": 0}


def note(name, argument):
    """Write down what we were asked."""
    with Path(os.environ["TUTOR_TEST_LOG"]).open("a") as log:
        log.write(json.dumps([name, argument]) + "\n")


METHODS = {}
client = Connection(METHODS)


def units():
    text = STUB.read_text()
    found = []
    for number, stub in enumerate(UNITS, start=1):
        done = f'NotImplementedError("{stub}")' not in text
        found.append(
            {
                "id": f"ex-{number}",
                "stub": stub,
                "file": "src/exercise/words.py",
                "line": text[: text.index(f"def {stub}")].count("\n") + 1,
                "firstPrinciple": "call a method",
                "lesson": {"heading": "Shouting", "line": 5},
                "tests": [f"test_{stub}"],
                "state": "passing" if done else "todo",
                "focus": False,
                "hintLevel": 0,
            }
        )
    for unit in found:
        if unit["state"] != "passing":
            unit["focus"] = True
            break
    return found


def ready(job):
    return {
        "jobId": job,
        "sessionId": SESSION,
        "exerciseId": "python-words",
        "node": "python-functions",
        "title": "Words",
        "language": "python",
        "depth": "D1",
        "workspace": str(ROOT),
        "lesson": str(ROOT / "LESSON.md"),
        "files": ["src/exercise/words.py"],
        "units": units(),
        "proof": {"ok": True},
    }


def report():
    tests = [
        {
            "name": unit["tests"][0],
            "unit": unit["id"],
            "stub": unit["stub"],
            "outcome": "passed" if unit["state"] == "passing" else "failed",
            "message": None if unit["state"] == "passing" else f"`{unit['stub']}` is not written",
            "file": "tests/test_words.py",
            "line": 1,
        }
        for unit in units()
    ]
    green = all(test["outcome"] == "passed" for test in tests)
    return {
        "runId": "r-1",
        "outcome": "passed" if green else "failed",
        "tests": tests,
        "buildErrors": [],
        "durationMs": 1,
        "command": "pytest",
    }


async def set_up(job, node):
    token = f"token-{job}"
    await client.ask("window/workDoneProgress/create", {"token": token})

    def progress(**value):
        client.notify("$/progress", {"token": token, "value": value})

    progress(kind="begin", title="Setting up Words", percentage=0)
    progress(kind="report", message="starter 2/8", percentage=25)
    failure = None
    try:
        if node == "python-slow":
            await asyncio.Event().wait()
        if node == "python-plan":
            answer = await client.ask("tutor/ask", {"prompt": "What should be different?"})
            note("asked", answer)
        if node == "python-broken":
            failure = ("starter-expand", "POLICY_VIOLATION", "The starter was refused.")
    except asyncio.CancelledError:
        failure = (None, "CANCELLED", "Stopped. Nothing was changed.")
    progress(kind="end", message="stopped" if failure else "ready")
    if failure:
        stage, reason, message = failure
        client.notify(
            "tutor/sessionFailed",
            {"jobId": job, "stage": stage, "reason": reason, "message": message, "details": {}},
        )
        return
    for path, text in FILES.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(text)
    client.notify("tutor/sessionReady", ready(job))


def start(argument):
    if argument.get("node") == "unknown":
        raise RefusedError(
            "There is no topic `unknown`. tutor.curriculum lists all.", "NO_EXERCISE"
        )
    job = f"job-{len(jobs)}"
    jobs[job] = asyncio.get_running_loop().create_task(set_up(job, argument.get("node")))
    return {"jobId": job, "node": "python-functions", "language": "python", "depth": "D1"}


def hint(argument):
    if not ROOT.exists():
        raise RefusedError("No exercise is open. Start one first (tutor.start).", "NO_SESSION")
    if argument.get("unit") == "ex-2":
        early = {"unit": "ex-2", "level": 1, "text": "At once.", "code": None, "verified": False}
        payload = {"sessionId": SESSION, "hint": early, "final": False}
        client.notify("tutor/hintReady", payload)
        return asyncio.Event().wait()
    if "question" in argument:
        text = f"You asked: {argument['question']}"
        return {"unit": "ex-1", "level": 1, "text": text, "code": None, "verified": True}
    state["hint"] = min(3, state["hint"] + 1)
    code = 'shout("a")' if state["hint"] == 2 else None
    return {
        "unit": argument.get("unit", "ex-1"),
        "level": state["hint"],
        "text": f"Hint number {state['hint']}",
        "code": code,
        "verified": True,
    }


def attempt(_argument):
    result = report()
    green = result["outcome"] == "passed"
    return {
        "attempt": 1,
        "report": result,
        "review": {
            "verdict": "PASS" if green else "FAIL",
            "score": 95 if green else 50,
            "summary": "Both functions do it." if green else "Not yet: 0 of 2 tests pass.",
            "findings": [],
            "improvement": "Say why in a comment.",
            "question": "What of an empty text?",
            "tags": [],
        },
        "reviewError": None,
        "mastery": {"node": "python-functions", "before": 0, "after": 1 if green else 0},
        "next": [{"node": "python-strings", "title": "Strings", "reason": "follows on"}],
    }


def cancel(_argument):
    running = [job for job in jobs.values() if not job.done()]
    for job in running:
        job.cancel()
    return {"cancelled": bool(running)}


def reveal(argument):
    if not argument.get("confirm"):
        raise RefusedError(
            "The solution is free after 4 tries, or now if you say so.",
            "REFUSED",
            {"confirm": True},
        )
    return {"unit": "ex-1", "file": "src/exercise/words.py", "solution": "def shout(text): ..."}


def curriculum(_argument):
    keys = ("language", "id", "title", "mastery", "missingPrerequisites", "openable", "due")
    nodes = [
        dict(zip((*keys, "minutes"), row, strict=True))
        | {"depth": "D1", "passed": row[3] > 0, "claimed": False}
        for row in NODES
    ]
    return {
        "languages": ["python", "rust"],
        "tracks": [],
        "nodes": nodes,
        "recommended": {
            "python": [
                {"node": "python-strings", "title": "Strings", "reason": "due for review"},
                {"node": "python-functions", "title": "Functions", "reason": "new"},
            ],
            "rust": [{"node": "rust-ownership", "title": "Ownership", "reason": "new"}],
        },
        "withModel": {"python": 1, "rust": 0},
    }


def sessions(_argument):
    if not ROOT.exists():
        return []
    ended = {"id": "s-0", "title": "Old", "language": "rust", "endedAt": "x", "missing": True}
    now = {"id": SESSION, "title": "Words", "language": "python", "endedAt": None, "active": True}
    now |= {"node": "python-functions", "proven": "Proven: 2 of 2 tests fail on the stubs."}
    return [ended, now]


def resume(_argument):
    client.notify("tutor/sessionReady", ready(None))
    return ready(None)


ANSWERS = {
    "start": start,
    "hint": hint,
    "attempt": attempt,
    "cancel": cancel,
    "reveal": reveal,
    "curriculum": curriculum,
    "sessions": sessions,
    "check": lambda _: report(),
    "resume": resume,
    "next": lambda a: {"ended": "Words: passed.", **start(a)},
    "review": lambda a: attempt(a)["review"],
    "open": lambda a: (
        {"file": "tests/test_words.py", "line": 1}
        if a["target"] == "test"
        else {"file": "LESSON.md", "line": 5}
    ),
    "status": lambda _: {
        "session": {"id": SESSION, "title": "Words", "language": "python", "workspace": str(ROOT)},
        "units": units(),
        "jobs": [
            {"title": "Loops", "state": "running", "message": "starter 2/8", "percent": 25},
            {"title": "Words", "state": "done", "message": "it holds", "percent": 100},
            {"title": "Maps", "state": "failed", "error": {"message": "The model is away."}},
        ],
        "backend": {"name": "library", "why": "no model is set up"},
        "home": str(HOME),
        "version": "0.1.0",
    },
    "end": lambda _: {
        "summary": "Two functions written.",
        "recommendations": [{"node": "python-strings", "title": "Strings", "reason": "next"}],
    },
    "reset": lambda a: {"files": ["src/exercise/words.py"], "undone": a.get("undo", False)},
    "compare": lambda a: {
        "unit": a["unit"],
        "file": "src/exercise/words.py",
        "yours": str(STUB),
        "reference": str(STUB if a["unit"] == "ex-2" else ROOT / "LESSON.md"),
    },
    "restore": lambda _: {"files": ["tests/test_words.py"]},
    "report": lambda _: {"path": str(HOME / "report.html")},
    "claim": lambda a: {"id": a["node"], "title": "Functions", "claimed": a["known"]},
    "doctor": lambda _: {
        "tools": [
            {"name": "python", "found": True, "works": True, "version": "3.11", "remedy": None},
            {"name": "cargo", "found": False, "works": False, "remedy": "Install Rust."},
        ],
        "problems": ["The setting `colour` is not known."],
    },
}


def initialize(params):
    note("initialize", params["initializationOptions"])
    return {
        "capabilities": {
            "textDocumentSync": {"openClose": True, "change": 1, "save": True},
            "executeCommandProvider": {"commands": [f"tutor.{verb}" for verb in ANSWERS]},
            "codeActionProvider": True,
            "codeLensProvider": {},
        }
    }


async def initialized(_params):
    wanted = {"items": [{"section": "tutor"}]}
    note("configuration", (await client.ask("workspace/configuration", wanted))[0])


def execute(params):
    argument = (params.get("arguments") or [{}])[0]
    note(params["command"], argument)
    return ANSWERS[params["command"].removeprefix("tutor.")](argument)


def span(line, start, end):
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def publish(uri):
    found = []
    if uri.endswith("words.py"):
        text = STUB.read_text()
        found = [
            {
                "range": span(line, 4, 4 + len(stub)),
                "message": f"{stub}: not written yet",
                "severity": 3,
                "code": "todo",
                "source": "tutor",
            }
            for line, content in enumerate(text.split("\n"))
            for stub in UNITS
            if f"def {stub}(" in content and f'NotImplementedError("{stub}")' in text
        ]
    client.notify("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": found})


def opened(params):
    document = params["textDocument"]
    note("text", document["text"])
    publish(document["uri"])


def changed(params):
    (change,) = params["contentChanges"]
    note("text", change["text"])


def saved(params):
    note("didSave", {"name": Path(params["textDocument"]["uri"]).name})
    publish(params["textDocument"]["uri"])
    changed = {"sessionId": SESSION, "workspace": str(ROOT), "units": units()}
    client.notify("tutor/testsRan", {"sessionId": SESSION, "report": report()})
    client.notify("tutor/unitsChanged", changed)


def actions(_params):
    command = {"title": "Hint", "command": "tutor.hint", "arguments": [{"unit": "ex-1"}]}
    question = {"title": "Ask", "command": "tutor.ask", "arguments": [{"unit": "ex-1"}]}
    return [
        {"title": "Hint for shout", "command": command},
        {"title": "Ask about shout", "command": question},
    ]


def lens(unit):
    command = {"title": f"{unit['id']} {unit['state']}", "command": "tutor.open"}
    command["arguments"] = [{"target": "test"}]
    return {"range": span(unit["line"] - 1, 0, 1), "command": command}


def lenses(_params):
    note("codeLens", {})
    return [lens(unit) for unit in units()]


METHODS.update(
    {
        "initialize": initialize,
        "initialized": initialized,
        "workspace/executeCommand": execute,
        "textDocument/didOpen": opened,
        "textDocument/didChange": changed,
        "textDocument/didSave": saved,
        "textDocument/codeAction": actions,
        "textDocument/codeLens": lenses,
    }
)


if __name__ == "__main__":
    if sys.argv[1:] == ["doctor", "--json"]:
        print(json.dumps(ANSWERS["doctor"](None)))
    else:
        asyncio.run(client.serve())
