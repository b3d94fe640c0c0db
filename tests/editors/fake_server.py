"""A small stand-in for the tutor's server, to test the plugin alone.

It answers each command with the shape that the server gives and writes down what it was asked.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from fake_exercise import FILES, HOME, ROOT, SESSION, STUB, TOPICS, UNITS
from fake_lists import choices
from fake_results import WAYS, body_of, ready, report, said, standing, units
from jsonrpc import Connection, RefusedError

METHODS = {}
client = Connection(METHODS)
jobs = {}
state = {"hint": 0}


def note(name, argument):
    """Write down what we were asked."""
    with Path(os.environ["TUTOR_TEST_LOG"]).open("a") as log:
        log.write(json.dumps([name, argument]) + "\n")


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
        failed = {"jobId": job, "stage": stage, "reason": reason, "message": message}
        failed["say"] = said("No exercise was made", message)
        client.notify("tutor/sessionFailed", failed)
        return
    for path, text in FILES.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(text)
    client.notify("tutor/sessionReady", ready(job))


def start(argument):
    if argument.get("node") == "unknown":
        raise RefusedError(
            "There is no topic `unknown`. :TutorLsp curriculum lists them all.", "NO_EXERCISE"
        )
    job = f"job-{len(jobs)}"
    jobs[job] = asyncio.get_running_loop().create_task(set_up(job, argument.get("node")))
    words = said("Starting", "It is being made ready.")
    return {"jobId": job, "node": "python-functions", "language": "python", "say": words}


def hinted(unit, level, text):
    words = said(f"Hint {level} · {unit}", text)
    ways = WAYS if level == 3 else []
    hint = {"unit": unit, "level": level, "text": text, "code": None, "say": words}
    return {**hint, "actions": ways}


async def closer():
    await state.setdefault("closer", asyncio.Event()).wait()
    return {**hinted("ex-2", 1, "A closer look."), "source": state.get("source", "model")}


def hint(argument):
    if not ROOT.exists():
        raise RefusedError("No exercise is open: :TutorLsp start begins one.", "NO_SESSION")
    if argument.get("unit") == "ex-2":
        early = hinted("ex-2", 1, "At once.")
        payload = {"sessionId": SESSION, "hint": early, "final": False, "say": early["say"]}
        client.notify("tutor/hintReady", payload)
        return closer()
    if "question" in argument:
        return hinted("ex-1", 1, f"You asked: {argument['question']}")
    state["hint"] = min(3, state["hint"] + 1)
    return hinted(argument.get("unit", "ex-1"), state["hint"], f"Hint number {state['hint']}")


def review(_argument):
    green = report()["outcome"] == "passed"
    title = "Passed · 95 of 100" if green else "Not yet · 50 of 100"
    return {"verdict": "PASS" if green else "FAIL", "say": said(title, "What of an empty text?")}


def attempt(argument):
    reviewed = review(argument)
    words = said(reviewed["say"]["title"], "Mastery: 0 → 1 of 3.", "You took the last hint.")
    return {"attempt": 1, "report": report(), "review": reviewed, "say": words}


def cancel(_argument):
    state.setdefault("closer", asyncio.Event()).set()
    running = [job for job in jobs.values() if not job.done()]
    for job in running:
        job.cancel()
    return {"cancelled": bool(running), "say": said("Cancelled", "Nothing is running.")}


def reveal(argument):
    if not argument.get("confirm"):
        raise RefusedError(
            "The solution is free after 4 tries, or now if you say so.",
            "REFUSED",
            {"confirm": True},
        )
    return {"unit": "ex-1", "say": said("Solution of ex-1", "def shout(text): ...")}


def curriculum(_argument):
    nodes = [{"id": node, "language": language} for language, node, *_ in TOPICS]
    return {"languages": ["python", "rust"], "nodes": nodes, "say": said("Topics", "Some.")}


def resume(_argument):
    client.notify("tutor/sessionReady", ready(None))
    return ready(None)


def put_back(verb, file):
    return {"files": [file], "say": said(verb, f"{verb}: {file}.")}


def doctor(_argument):
    tools = [
        {"name": "python", "found": True, "works": True, "version": "3.11", "remedy": None},
        {"name": "cargo", "found": False, "works": False, "remedy": "Install Rust."},
        {"name": "cc", "found": False, "works": False, "remedy": "Install C.", "needed": False},
    ]
    mends = [
        {"kind": "page", "url": "https://rustup.rs"},
        {"kind": "line", "line": "codex\tlogin"},
        {"kind": "setting", "setting": "model"},
        {"kind": "command", "command": "tutor.restore", "argument": {"record": True}},
        {"kind": "file", "file": str(STUB)},
    ]
    return {
        "tools": tools,
        "home": str(ROOT.parent),
        "remedies": [{"message": "Install Rust.", "mend": mend} for mend in mends],
        "say": said("What works here", "- ✗ cargo", "Install Rust."),
    }


def compare(argument):
    same = argument["unit"] == "ex-2"
    words = "Both are the same." if same else "One way among many."
    return {
        "yours": str(STUB),
        "reference": str(ROOT / "LESSON.md"),
        "diff": "" if same else "@@",
        "say": said("Beside the reference", words),
    }


ANSWERS = {
    "start": start,
    "hint": hint,
    "ask": hint,
    "attempt": attempt,
    "cancel": cancel,
    "reveal": reveal,
    "curriculum": curriculum,
    "choices": choices,
    "sessions": lambda _: [{"id": SESSION, "missing": False}] if ROOT.exists() else [],
    "check": lambda _: report(),
    "resume": resume,
    "next": lambda a: {**start(a), "say": said("Next", "Words: passed.")},
    "review": review,
    "open": lambda a: (
        {"file": "tests/test_words.py", "line": 1}
        if a["target"] == "test"
        else {"file": "LESSON.md", "line": 5}
    ),
    "status": lambda _: {"say": said("Words", "- ○ ex-1 `shout` to do", "tutor-lsp 0.1.0")},
    "end": lambda _: {"say": said("The session has ended", "Two functions written.", "Next: …")},
    "reset": lambda a: put_back(
        "Brought back" if a.get("undo") else "Put back", "src/exercise/words.py"
    ),
    "compare": compare,
    "restore": lambda _: put_back("Put back as given", "tests/test_words.py"),
    "report": lambda _: {
        "path": str(HOME / "report.html"),
        "say": said("Report", f"Your progress: {HOME / 'report.html'}"),
    },
    "claim": lambda a: {"id": a["node"], "say": said("Known", f"{a['node']}: {a['known']}.")},
    "doctor": doctor,
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
                "data": {"body": body_of(text, stub)},
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
    changed = {"sessionId": SESSION, "workspace": str(ROOT), "units": units(), "say": standing()}
    ran = {"sessionId": SESSION, "report": report(), "say": report()["say"]}
    client.notify("tutor/testsRan", ran)
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
