"""What the tests of bad input and bad luck begin with."""

import json
from pathlib import Path

from processes import waits

WHILE_TRUE = "while True: pass"
SLEEP = "import time; time.sleep(60)"


async def begin(ed, language="python"):
    """A started exercise: payload, path and URI of its first stub's file."""
    ready = await ed.start(language=language)
    path = Path(ready["workspace"], ready["units"][0]["file"])
    return ready, path, ed.open(path, language)


def children(ed) -> list[str]:
    """Processes below the server that run tests, those that wait for a run aside."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        mine = str(ed.home).encode()
        ours = b"tutor_lsp\0--stdio" in command or waits(entry, command)
        if mine in command + environment and not ours and command:
            found.append(command.decode(errors="replace"))
    return found


def script(tmp_path, *lines) -> dict[str, str]:
    path = tmp_path / "script.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return {"TUTOR_LSP_SCRIPT": str(path)}
