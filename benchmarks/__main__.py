"""Prints every bar as a ratio or difference beside its yardstick in the same run.

python -m benchmarks [start|save|attach|latency|open|loop|economy|proof|freeze]…
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks.economy import set_up_calls
from benchmarks.freeze import freeze
from benchmarks.proof import proof_costs
from benchmarks.wire import BARE, TUTOR, Wire

QUIET = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "RUST_BACKTRACE": "0"}
"""The bare commands at their best: no plugins of ours, no backtraces."""
ZERO = {"line": 0, "character": 0}
STARTS, SAVES, CALLS = 12, 10, 200
DEBOUNCE_MS = 50
TODO = {"python": 'raise NotImplementedError("{}")', "rust": 'todo!("{}")'}
WRONG = {"python": "return VALUE", "rust": "VALUE"}


def median(values: list[float]) -> float:
    return statistics.median(values)


def start(home: Path) -> None:
    """Start to initialize answer, and peak memory then."""
    times: dict[str, list[float]] = {"tutor": [], "bare": []}
    memory: dict[str, list[float]] = {"tutor": [], "bare": []}
    for _ in range(STARTS):
        for name, command in (("bare", BARE), ("tutor", TUTOR)):
            wire = Wire(command, home)
            times[name].append(wire.initialize())
            memory[name].append(wire.peak_mib())
            wire.close()
    for what, values, unit, bar in (
        ("start to initialize answer", times, "ms", 1.25), ("peak memory", memory, "MiB", 1.5),
    ):  # fmt: skip
        mine, bare = median(values["tutor"]), median(values["bare"])
        print(f"{what}: {mine:.0f} {unit}, bare pygls {bare:.0f} {unit}, "
              f"ratio {mine / bare:.2f} (bar {bar})")  # fmt: skip


def opened(home: Path, language: str) -> tuple[Wire, dict]:
    """A server with a started exercise, and its sessionReady payload."""
    wire = Wire(TUTOR, home)
    wire.initialize()
    wire.command("tutor.start", {"language": language})
    ready = wire.wait(lambda m: m.get("method") in {"tutor/sessionReady", "tutor/sessionFailed"})
    if ready["method"] != "tutor/sessionReady":
        raise SystemExit(f"the exercise did not open: {ready['params']}")
    return wire, ready["params"]


def did_open(wire: Wire, path: Path, language: str) -> str:
    uri = path.as_uri()
    text = path.read_text(encoding="utf-8")
    item = {"uri": uri, "languageId": language, "version": 1, "text": text}
    wire.send("textDocument/didOpen", {"textDocument": item})
    return uri


def save(home: Path) -> None:
    """Save to published diagnostics, beside the bare test command after the same edit."""
    for language, command in (
        ("python", [sys.executable, "-m", "pytest", "-q"]),
        ("rust", ["cargo", "test", "--no-fail-fast", "--offline"]),
    ):
        if shutil.which(command[0]) is None:
            print(f"save to diagnostics, {language}: skipped, {command[0]} is missing")
            continue
        wire, ready = opened(home, language)
        root = Path(ready["workspace"])
        path = root / ready["units"][0]["file"]
        uri = did_open(wire, path, language)
        text = path.read_text(encoding="utf-8")
        bare = Path(tempfile.mkdtemp()) / "bare"
        shutil.copytree(root, bare, ignore=shutil.ignore_patterns("target", ".tutor"))
        mine, plain = [], []
        for number in range(SAVES + 2):
            value = 70_001 + number
            edited = text.replace(TODO[language].format(ready["units"][0]["stub"]), WRONG[language])
            edited = edited.replace("VALUE", str(value))
            version = {"uri": uri, "version": number + 2}
            change = [{"text": edited}]
            wire.send("textDocument/didChange", {"textDocument": version, "contentChanges": change})
            path.write_text(edited, encoding="utf-8")
            began = time.perf_counter()
            wire.send("textDocument/didSave", {"textDocument": {"uri": uri}})
            wire.wait(partial(_says, str(value)))
            took = (time.perf_counter() - began) * 1000 - DEBOUNCE_MS
            (bare / ready["units"][0]["file"]).write_text(edited, encoding="utf-8")
            began = time.perf_counter()
            subprocess.run(command, cwd=bare, capture_output=True, check=False, env=QUIET)
            other = (time.perf_counter() - began) * 1000
            if number >= 2:
                mine.append(took)
                plain.append(other)
        wire.close()
        shutil.rmtree(bare.parent)
        print(f"save to diagnostics, {language}: {median(mine):.0f} ms without the debounce, bare "
              f"{median(plain):.0f} ms, difference {median(mine) - median(plain):+.0f} ms "
              "(bar +150)")  # fmt: skip


def _says(value: str, message: dict) -> bool:
    """Whether this publishes a diagnostic that names a value."""
    if message.get("method") != "textDocument/publishDiagnostics":
        return False
    return any(value in item["message"] for item in message["params"]["diagnostics"])


def attach(home: Path) -> None:
    """Initialize answer to the first diagnostics of a file that is opened right after it."""
    first, ready = opened(home, "python")
    first.close()
    path = Path(ready["workspace"]) / ready["units"][0]["file"]
    times: dict[str, list[float]] = {"tutor": [], "bare": []}
    work: list[float] = []
    for _ in range(STARTS):
        for name, command in (("bare", BARE), ("tutor", TUTOR)):
            wire = Wire(command, home)
            wire.initialize()
            busy, began = processor_ms(wire.process.pid), time.perf_counter()
            uri = did_open(wire, path, "python")
            if name == "tutor":
                wire.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics")
                work.append(processor_ms(wire.process.pid) - busy)
            else:
                wire.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": ZERO})
            times[name].append((time.perf_counter() - began) * 1000)
            wire.close()
    mine, bare = median(times["tutor"]), median(times["bare"])
    print(f"attach to first diagnostics: {mine:.0f} ms (bar 150), {median(work):.0f} ms of them at "
          f"work; bare pygls answers its first request in {bare:.0f} ms")  # fmt: skip


def processor_ms(pid: int) -> float:
    """Processor time that a process has used: what a busy machine does not blur."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def latency(home: Path) -> None:
    """Hover, code action and lens on a file of 500 lines."""
    wire, ready = opened(home, "python")
    unit = ready["units"][0]
    path = Path(ready["workspace"]) / unit["file"]
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    text += "".join(
        f"\n\ndef helper_{n}() -> int:\n    return {n}\n" for n in range((500 - lines) // 4 + 1)
    )
    path.write_text(text, encoding="utf-8")
    uri = did_open(wire, path, "python")
    line = text[: text.index(f"def {unit['stub']}(")].count("\n")
    here = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 5}}
    place = {"start": here["position"], "end": here["position"]}
    for what, method, params in (
        ("hover", "textDocument/hover", here),
        ("code action", "textDocument/codeAction",
         {"textDocument": {"uri": uri}, "range": place, "context": {"diagnostics": []}}),
        ("code lens", "textDocument/codeLens", {"textDocument": {"uri": uri}}),
    ):  # fmt: skip
        times = []
        for _ in range(CALLS):
            began = time.perf_counter()
            answer = wire.request(method, params)
            times.append((time.perf_counter() - began) * 1000)
        if not answer:
            raise SystemExit(f"{what} gave nothing")
        print(f"{what}: {median(times):.2f} ms median on {text.count(chr(10))} lines (bar 10)")
    wire.close()


def opening(home: Path) -> None:
    """Start of a library exercise to sessionReady, in a fresh server each time."""
    times = []
    for number in range(5):
        wire = Wire(TUTOR, home / str(number))
        wire.initialize()
        began = time.perf_counter()
        wire.command("tutor.start", {"language": "python"})
        wire.wait(lambda m: m.get("method") == "tutor/sessionReady")
        times.append((time.perf_counter() - began) * 1000)
        wire.close()
    print(f"start to sessionReady: {median(times):.0f} ms (bar 1500)")


def loop(home: Path) -> None:
    """The longest that a request waits while a set-up and runs go on."""
    wire = Wire(TUTOR, home)
    wire.initialize()
    waits: list[float] = []

    def ask() -> None:
        began = time.perf_counter()
        wire.request("textDocument/codeLens", {"textDocument": {"uri": "file:///nothing.py"}})
        waits.append((time.perf_counter() - began) * 1000)

    ask()
    idle = max(waits)
    waits.clear()
    wire.send(
        "workspace/executeCommand",
        {"command": "tutor.start", "arguments": [{"language": "python"}]},
        request=True,
    )
    while not any(m.get("method") == "tutor/sessionReady" for m in wire.inbox):
        ask()
    setting_up = max(waits)
    waits.clear()
    number = wire.send(
        "workspace/executeCommand", {"command": "tutor.check", "arguments": []}, request=True
    )
    while not any(m.get("id") == number and "method" not in m for m in wire.inbox):
        ask()
    wire.close()
    print(f"longest wait of a request: idle {idle:.1f} ms, during a set-up {setting_up:.1f} ms, "
          f"during a run {max(waits):.1f} ms (bar 50)")  # fmt: skip


def main() -> None:
    table = {
        "start": start, "save": save, "attach": attach, "latency": latency, "open": opening,
        "loop": loop,
        "economy": set_up_calls, "proof": lambda _: proof_costs(),
        "freeze": freeze,
    }  # fmt: skip
    chosen = sys.argv[1:] or list(table)
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            table[name](Path(folder) / "home")


if __name__ == "__main__":
    main()
