"""Runs programs one after the other, each in a process of its own that has loaded next to nothing.

Arguments are the seconds that each may take and their folders; `block.py` in each is the program.
For each that ends well it prints the lengths of what that printed on both streams, then both.
"""

import os
import sys
from _signal import ITIMER_REAL, setitimer  # type: ignore[import-not-found]  # loads no others

SHOWN = 8192
"""Most bytes of either stream: whoever prints more is run alone."""


def begun(limit_s: str, *folders: str) -> str:
    """In the process of a program its folder; "" in this one, once all have ended."""
    for folder in folders:
        mode = os.O_RDWR | os.O_CREAT | os.O_TRUNC
        streams = [os.open(f"{folder}.{name}", mode) for name in ("out", "err")]
        child = os.fork()
        if child == 0:
            for number, stream in enumerate(streams, start=1):
                os.dup2(stream, number)
                os.close(stream)
            setitimer(ITIMER_REAL, float(limit_s))
            return folder
        _, status = os.waitpid(child, 0)
        said = []
        for stream in streams:
            said.append(os.pread(stream, SHOWN + 1, 0))
            os.close(stream)
        if status == 0 and max(map(len, said)) <= SHOWN:
            head = f"{os.path.basename(folder)} {len(said[0])} {len(said[1])}\n"  # noqa: PTH119
            sys.stdout.buffer.write(head.encode() + b"".join(said))
            sys.stdout.buffer.flush()  # else the next one has it, too
    return ""


def become(folder: str) -> None:
    """Be the program, as if it had been started there."""
    os.chdir(folder)
    path = os.path.join(folder, "block.py")  # noqa: PTH118
    sys.argv[:] = ["block.py"]
    sys.path[:2] = [folder, os.path.join(folder, "src")]  # noqa: PTH118
    os.environ["PYTHONPATH"], os.environ["TMPDIR"] = sys.path[1], folder
    module = type(sys)("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    with open(path, "rb") as file:  # noqa: PTH123
        code = compile(file.read(), path, "exec", dont_inherit=True)
    try:
        exec(code, vars(module))  # noqa: S102 - the program
    except SystemExit as end:
        if end.code not in (None, 0):
            os._exit(1)
    except BaseException:  # noqa: BLE001 - run alone, it says more
        os._exit(1)


if chosen := begun(*sys.argv[1:]):
    become(chosen)
