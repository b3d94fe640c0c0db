"""A library that takes a program to another folder and another time, as the proof asks for it."""

import asyncio
import hashlib
import shutil
import sys
from pathlib import Path

from tutor_lsp.languages.common.build_cache import BuildCache, put_file
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import run
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.process.spec import Spec

SOURCE = Path(__file__).parent / "harness" / "elsewhere.c"
COMPILE_S = 20.0
_COMPILERS = ("cc", "gcc", "clang")
_COMPILE = ("-shared", "-fPIC", "-O1", "-o")


async def loading(cache: BuildCache, root: Path, folder: Path) -> dict[str, str]:
    """The variables by which a program loads it from a build folder of the workspace `root`; none
    where it cannot be made, and a run is then where it is. Raises OSError."""
    text = await asyncio.to_thread(SOURCE.read_bytes)
    name = f"elsewhere-{hashlib.blake2b(text, digest_size=8).hexdigest()}.so"
    data = cache.get(name)
    if data is None:
        data = await _compiled()
        if data is None:
            return {}
        cache.put(name, data)
    await asyncio.to_thread(put_file, root, folder / name, data, 0o755)
    return {"LD_PRELOAD": str(folder / name)}


async def _compiled() -> bytes | None:
    environment = child_environment()
    found = (shutil.which(name, path=environment["PATH"]) for name in _COMPILERS)
    compiler = next(filter(None, found), None)
    if compiler is None or sys.platform != "linux":
        return None
    async with scratch_folder("elsewhere") as folder:
        made = folder / "elsewhere.so"
        argv = (compiler, *_COMPILE, str(made), str(SOURCE))
        await run(Spec(argv, folder, {**environment, "TMPDIR": str(folder)}, COMPILE_S))
        return await asyncio.to_thread(lambda: made.read_bytes() if made.is_file() else None)
