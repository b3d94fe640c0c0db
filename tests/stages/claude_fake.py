"""A stand-in for Claude Code: a script that does one of the things that it does."""

import json

from command_fake import FakeCommand

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


class FakeClaude(FakeCommand):
    """A fake `claude`."""

    name, main = "claude", MAIN
