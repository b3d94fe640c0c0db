"""A stand-in for Claude Code: a script that does one of the things that it does."""

import json
import stat
import sys
from pathlib import Path

MAIN = """#!{python}
import json, os, signal, sys, time
from pathlib import Path

HERE = Path(__file__).parent
PLAN = json.loads((HERE / "plan.json").read_text())
ARGV = sys.argv[1:]

if ARGV == ["--version"]:
    time.sleep(PLAN.get("version_delay_s", 0))
    print(PLAN.get("version", "2.1.143 (Claude Code)"))
    sys.exit(PLAN.get("version_code", 0))

if PLAN.get("ignore_term"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
seen = {{
    "argv": ARGV,
    "prompt": sys.stdin.buffer.read().decode(),
    "listing": os.listdir("."),
    "environment": dict(os.environ),
    "pid": os.getpid(),
}}
(HERE / "seen.tmp").write_text(json.dumps(seen))
(HERE / "seen.tmp").rename(HERE / "seen.json")
sys.stdout.write(PLAN.get("stdout", "") + "x" * PLAN.get("pad", 0))
sys.stdout.flush()
sys.stderr.write(PLAN.get("stderr", ""))
sys.stderr.flush()
while PLAN.get("hang"):
    time.sleep(60)
sys.exit(PLAN.get("code", 0))
"""

USAGE = {
    "input_tokens": 4,
    "cache_creation_input_tokens": 30,
    "cache_read_input_tokens": 1200,
    "output_tokens": 56,
}


def envelope(payload=None, said: str = "", **more) -> str:
    """What a run prints: `payload` is the structured answer, `said` what the model said."""
    return json.dumps(
        {
            "type": "result",
            "subtype": "success",
            "is_error": False,
            "result": said,
            "structured_output": payload,
            "usage": USAGE,
            "total_cost_usd": 0.01,
            **more,
        }
    )


class FakeClaude:
    """A fake `claude` in a folder; `plan` says what it does."""

    def __init__(self, folder: Path, **plan) -> None:
        self.folder = folder
        self.path = folder / "claude"
        self.path.write_text(MAIN.format(python=sys.executable), "utf-8")
        self.path.chmod(self.path.stat().st_mode | stat.S_IXUSR)
        self.plan(**plan)

    def plan(self, **plan) -> None:
        (self.folder / "plan.json").write_text(json.dumps(plan), "utf-8")

    @property
    def asked(self) -> bool:
        return (self.folder / "seen.json").exists()

    @property
    def seen(self) -> dict:
        return json.loads((self.folder / "seen.json").read_text("utf-8"))
