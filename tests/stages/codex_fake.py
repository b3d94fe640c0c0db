"""A stand-in for the Codex CLI: a script that does one of the things that Codex does."""

from command_fake import FakeCommand

MAIN = """#!{python}
import json, os, signal, sys, time
from pathlib import Path

HERE = Path(__file__).parent
PLAN = json.loads((HERE / "plan.json").read_text())
ARGV = sys.argv[1:]


def value(flag):
    return ARGV[ARGV.index(flag) + 1]


if ARGV == ["--version"]:
    time.sleep(PLAN.get("version_delay_s", 0))
    print(PLAN.get("version", "codex-cli 0.163.0"))
    sys.exit(PLAN.get("version_code", 0))
if ARGV[:1] == ["mcp"]:
    print(json.dumps(PLAN.get("servers", [])))
    sys.exit(0)

if PLAN.get("ignore_term"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
prompt = sys.stdin.buffer.read().decode()
seen = {{
    "argv": ARGV,
    "prompt": prompt,
    "cwd": os.getcwd(),
    "listing": os.listdir("."),
    "schema": json.loads(Path(value("--output-schema")).read_text()),
    "pid": os.getpid(),
}}
(HERE / "seen.tmp").write_text(json.dumps(seen))
(HERE / "seen.tmp").rename(HERE / "seen.json")
for line in PLAN.get("lines", []):
    text = line if isinstance(line, str) else json.dumps(line)
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()
if "huge_line" in PLAN:
    sys.stdout.write('{{"pad": "' + "x" * PLAN["huge_line"] + '"}}\\n')
for line in PLAN.get("then", []):
    sys.stdout.write(json.dumps(line) + "\\n")
sys.stdout.flush()
if "answer_file" in PLAN:
    Path(value("-o")).write_text(PLAN["answer_file"])
sys.stderr.write(PLAN.get("stderr", ""))
sys.stderr.flush()
if PLAN.get("hang"):
    while True:
        time.sleep(60)
sys.exit(PLAN.get("code", 0))
"""

STARTED = [{"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}]
COMPLETED = {
    "type": "turn.completed",
    "usage": {"input_tokens": 1234, "cached_input_tokens": 200, "output_tokens": 56},
}


def message(text: str) -> dict:
    return {"type": "item.completed", "item": {"id": "i", "type": "agent_message", "text": text}}


def answering(text: str) -> list[dict]:
    return [*STARTED, message(text), COMPLETED]


class FakeCodex(FakeCommand):
    """A fake `codex`."""

    name, main = "codex", MAIN
