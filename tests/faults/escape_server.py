"""A server as far as containment goes: runs the code in each file that it is told of."""

import asyncio
import json
import secrets
import sys
from dataclasses import replace
from pathlib import Path

from tutor_lsp.process.box import Area
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.places import Places
from tutor_lsp.process.run import run
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.process.spec import Spec


async def after_another(found, spec, area, token):
    """The run, where another one was before it."""
    with Places(found, spec, lambda: area) as places:
        for each in (replace(spec, argv=("true",)), spec):
            with places.one() as (here, guard):
                assert guard is not None
                outcome = await run(found.apply(each, here, token=token, guard=guard))
    return outcome


async def main(level, home, folder, limit_s, again):
    found = await Contain(level=level, home=Path(home), private=True).get()
    rows = {row.name.split()[-1]: row.works for row in found.status()}
    print(
        json.dumps({"level": found.level, "why": found.why, "kept": rows, "mark": found.mark}),
        flush=True,
    )
    loop = asyncio.get_running_loop()
    while file := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        async with scratch_folder("run") as scratch:
            argv = (sys.executable, "-c", Path(file).read_text(encoding="utf-8"))
            spec = Spec(argv, Path(folder), child_environment(), float(limit_s), merge=True)
            token = secrets.token_hex(16)
            area = Area(Path(folder), scratch)
            if again:
                outcome = await after_another(found, spec, area, token)
            else:
                outcome = await run(found.apply(spec, area, token=token))
            await found.clear(token)
            said = outcome.stdout.decode(errors="replace")
            print(json.dumps({"said": said, "code": outcome.returncode}), flush=True)


asyncio.run(main(*sys.argv[1:]))
