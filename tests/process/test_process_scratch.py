"""Temporary folders: gone at the end of their block, and swept after a kill."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tutor_lsp.process.scratch import PREFIX, nameless_file, scratch_folder, sweep

HOLD = """
import asyncio, sys
from pathlib import Path
from tutor_lsp.process.scratch import scratch_folder

async def main():
    async with scratch_folder("held", Path(sys.argv[1])) as folder:
        (folder / "file").write_text("x")
        print(folder, flush=True)
        sys.stdin.read()

asyncio.run(main())
"""


def _aged(folder):
    """As if made an hour ago."""
    os.utime(folder, (0, folder.stat().st_mtime - 3600))


async def test_a_folder_goes_with_its_block_even_when_cancelled_twice(tmp_path):
    async def work():
        async with scratch_folder("try", tmp_path) as folder:
            (folder / "inner").mkdir()
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(60)

    task = asyncio.create_task(work())
    for _ in range(2):
        await asyncio.sleep(0)
        assert [path.name.startswith(f"{PREFIX}try-") for path in tmp_path.iterdir()] == [True]
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(tmp_path.iterdir()) == []


async def test_a_cancel_while_a_folder_is_removed_waits_for_it(tmp_path, monkeypatch):
    removing, go = threading.Event(), threading.Event()

    def remove(folder, **how):
        removing.set()
        go.wait(10)
        rmtree(folder, **how)

    rmtree = shutil.rmtree
    monkeypatch.setattr(shutil, "rmtree", remove)

    async def work():
        async with scratch_folder("try", tmp_path):
            pass

    task = asyncio.create_task(work())
    await asyncio.to_thread(removing.wait, 10)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_goes_though_a_thread_of_the_cancelled_task_still_writes(tmp_path):
    begun, over = threading.Event(), threading.Event()

    def write(folder):
        deadline = time.monotonic() + 0.1
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                (folder / str(time.monotonic_ns())).mkdir()
            begun.set()
            time.sleep(0.001)
        over.set()

    async def work():
        async with scratch_folder("try", tmp_path) as folder:
            await asyncio.to_thread(write, folder)

    task = asyncio.create_task(work())
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(over.wait, 10)
    assert list(tmp_path.iterdir()) == []


def test_only_what_a_killed_process_left_is_swept(tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    (tmp_path / f"{PREFIX}young").mkdir()
    other = tmp_path / "tutor-scratched"
    other.mkdir()
    _aged(other)
    try:
        child.stdout.readline()
        (held,) = tmp_path.glob(f"{PREFIX}held-*")
        _aged(held)
        assert sweep(tmp_path) == 0, "it is still in use"
    finally:
        child.kill()
        child.communicate()
    assert sweep(tmp_path) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{PREFIX}young", other.name]


def test_a_nameless_file_is_on_no_disk_and_goes_to_nobody_unasked():
    with nameless_file() as file:
        os.write(file.fileno(), b"word")
        os.ftruncate(file.fileno(), 0)
        os.pwrite(file.fileno(), b"said", 0)
        assert os.pread(file.fileno(), 9, 0) == b"said"
        assert os.fstat(file.fileno()).st_nlink == 0
        assert not os.get_inheritable(file.fileno())
        if hasattr(os, "memfd_create"):
            where = Path(f"/proc/self/fd/{file.fileno()}").readlink()
            assert str(where).startswith("/memfd:")
