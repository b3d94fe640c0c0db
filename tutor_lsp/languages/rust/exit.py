"""The object that reports how a Rust test program ended, and the file it reports to."""

import asyncio
import hashlib
import os
import secrets
from pathlib import Path
from typing import Self

from tutor_lsp.languages.common.build_cache import put_file
from tutor_lsp.languages.rust.environment import rust_environment
from tutor_lsp.process.run import run
from tutor_lsp.process.scratch import nameless_file, scratch_folder
from tutor_lsp.process.spec import ProgramNotFound, Spec

SOURCE = Path(__file__).parent / "harness" / "exit.rs"
VARIABLE = "TUTOR_EXIT"
COMPILE_S = 20.0
_KEY = 32
_COMPILE = (
    *("rustc", "--edition", "2021", "--crate-type", "lib", "--crate-name", "tutor_exit"),
    *("--emit", "obj", "-C", "panic=abort", "-C", "opt-level=1"),
)


class ExitObject:
    """Compiled once per process, and kept in each build folder. Programs that were linked with it
    put the key of a `Gate` back if, and only if, they come to the end of their `main`."""

    def __init__(self) -> None:
        self._data: bytes | None = None
        self._tried = False
        self._compiling = asyncio.Lock()

    async def put(self, folder: Path) -> str | None:
        """Its name in that folder; None where it cannot be compiled. Raises OSError."""
        text = await asyncio.to_thread(SOURCE.read_bytes)
        name = f"tutor-exit-{hashlib.blake2b(text, digest_size=8).hexdigest()}.o"
        path = folder / name
        async with self._compiling:  # two first runs at once both wait for it
            if self._data is None and not self._tried:
                self._data, self._tried = await _compile()
        if self._data is None:
            return None
        await asyncio.to_thread(_place, folder, path, self._data)
        return name


async def _compile() -> tuple[bytes | None, bool]:
    """The object, and whether the compiler came to an answer.

    Compiled where nothing of an exercise lies: whoever made its folder may have put there an object
    of that name, or a file that chooses another compiler.
    """
    async with scratch_folder("exit") as folder:
        new = folder / "exit.o"
        environment = rust_environment({"RUSTUP_AUTO_INSTALL": "0", "TMPDIR": str(folder)})
        try:
            outcome = await run(
                Spec((*_COMPILE, "-o", str(new), str(SOURCE)), folder, environment, COMPILE_S)
            )
        except ProgramNotFound:
            return None, True
        return await asyncio.to_thread(_kept, new), not outcome.timed_out


def _kept(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _place(folder: Path, path: Path, data: bytes) -> None:
    if path.is_symlink() or _kept(path) != data:
        put_file(folder.parents[1], path, data)


class Gate:
    """The unlinked file of one process, with a key that is gone once that process has begun."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(_KEY)
        self._file = nameless_file()
        os.write(self._file.fileno(), self._key)
        os.lseek(self._file.fileno(), 0, os.SEEK_SET)

    @property
    def fd(self) -> int:
        """The descriptor to hand on."""
        return self._file.fileno()

    def passed(self) -> bool:
        """Whether the process took the key, and put it back at the end of its `main`."""
        return os.pread(self.fd, 3 * _KEY, 0) == bytes(_KEY) + self._key

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
