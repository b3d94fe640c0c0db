"""The exercise as the stand-in for the server tells of it: units, runs, and both in words."""

from fake_exercise import ROOT, SESSION, STUB, UNITS


def said(title, *paragraphs):
    """A result in words."""
    return {
        "title": title,
        "oneLine": " ".join(paragraphs),
        "markdown": "\n\n".join([f"# {title}", *paragraphs]),
    }


WAYS = [
    {"title": "Solution", "command": "tutor.reveal", "argument": {"unit": "ex-1"}},
    {"title": "Ask", "command": "tutor.ask", "argument": {"unit": "ex-1"}},
    {
        "title": "Easier",
        "command": "tutor.start",
        "argument": {"language": "python", "node": "python-easier"},
    },
]


def line_of(text, what):
    """1-based line of the first place that has these words."""
    return text[: text.index(what)].count("\n") + 1


def body_of(text, stub):
    """Where the body of a stub stands: below the comment, up to the next stub."""
    start = text.index('"""\n', text.index("Start here", text.index(f"def {stub}"))) + 4
    end = text.find("\n\n\n", start)
    written = text[start : end if end >= 0 else len(text)].rstrip()
    line = text[:start].count("\n") + 1
    return {"line": line, "endLine": line + written.count("\n")}


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
                "line": line_of(text, f"def {stub}"),
                "body": body_of(text, stub),
                "firstPrinciple": "call a method",
                "lesson": {"heading": "Shouting", "line": 5 if number == 1 else 9},
                "tests": [f"test_{stub}"],
                "state": "passing" if done else "todo",
                "focus": False,
                "hintLevel": 0,
                "actions": WAYS if number == 1 else [],
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
        "say": said("Ready: Words", "Ready: Words."),
    }


def standing():
    passing = sum(unit["state"] == "passing" for unit in units())
    return said(f"{passing} of 2 units pass", f"{passing} of 2 units pass.")


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
            "output": "I printed this\n",
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
        "say": said("Run", "Both tests pass.")
        if green
        else said("Run", "Not yet: 0 of 2 tests pass.", "`shout` is not written."),
    }
