"""The interpreter from which `warm_python.py` forks runs and supervisors. It has loaded what a run
loads, and nothing of the tutor but its supervisor."""

import ctypes
import gc
import os
import resource
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from forks import serve

from tutor_lsp.process.supervisor import guard, kernel, main

BRIDGE = "languages/python/bridge/run_tests.py"
SCRIPT = Path(main.__file__).parents[2] / BRIDGE
LIMITS = (resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_AS)
OTHERS = ("tutor_lsp", "forks")
"""What a run has not loaded."""
_really_spawn = guard._spawn


class Run:
    """The script of a run, once loaded and used, ready to be one."""

    def __init__(self):
        self._folder = str(SCRIPT.parent)
        self._code = compile(SCRIPT.read_bytes(), str(SCRIPT), "exec")
        sys.path[0] = self._folder
        import _tutor_plugin  # noqa: F401 - the script takes it out of what is loaded

        self._plugin = {name: sys.modules.pop(name) for name in _plugin_names()}
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TMPDIR"] = folder
            once = self._executed("once")
            once["warm_up"]()
        tempfile.tempdir = None

    def _executed(self, name):
        sys.modules.update(self._plugin)
        script = {"__name__": name, "__file__": str(SCRIPT)}
        exec(self._code, script)  # noqa: S102 - ours
        return script

    def become(self, argv, env, numbers, files):
        """Be what Python makes of that command line, these descriptors and this environment; the
        script does not come back."""
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in ("SIGTERM", "SIGHUP", "SIGCHLD"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        for name in ("SIGPIPE", "SIGXFSZ"):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        guard._put_descriptors(numbers, files)
        kept = sorted({0, 1, 2, *numbers})
        for one, other in zip(kept, [*kept[1:], os.sysconf("SC_OPEN_MAX")], strict=True):
            os.closerange(one + 1, other)
        kernel.set_dumpable(value=True)
        show(argv, env)
        for name in [name for name in sys.modules if name.partition(".")[0] in OTHERS]:
            del sys.modules[name]
        sys.argv[:] = argv[argv.index(str(SCRIPT)) :]
        sys.path.insert(0, self._folder)
        self._executed("__main__")


def _plugin_names():
    return [name for name in sys.modules if name.startswith("_tutor_")]


def _places():
    """Start and end of where /proc takes this process's command line and its environment from."""
    numbers = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    return [(int(numbers[at]), int(numbers[at + 1])) for at in (45, 47)]


PLACES = _places()
TOLD = {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}
WORDS = [*sys.orig_argv[:-3], str(SCRIPT)]


def show(words, env):
    """Let this be the environment, and let others see it and this command line."""
    os.environ.clear()
    os.environ.update(env)
    told = [f"{name}={value}" for name, value in env.items()]
    for shown, (start, end) in zip((words, told), PLACES, strict=True):
        text = b"".join(os.fsencode(each) + b"\0" for each in shown)
        assert len(text) <= end - start
        ctypes.memset(start, 0, end - start)
        ctypes.memmove(start, text, len(text))


def forking(run):
    """What starts a program for a guard: a run is forked, if it is one of those."""

    def spawn(plan, start, files):
        told = {name: value for name, value in start["env"].items() if name.startswith("PYTHON")}
        if start["argv"] != WORDS or told != TOLD:
            return _really_spawn(plan, start, files)
        guard._set_limits(plan)
        os.chdir(start["cwd"])
        pid = os.fork()
        if pid == 0:
            try:
                run.become(start["argv"], start["env"], start["fds"], files)
            except BaseException:  # noqa: BLE001 - nothing of the guard is its business
                traceback.print_exc()
            finally:
                os._exit(1)
        for fd in files:
            os.close(fd)
        return pid

    return spawn


def supervise(arguments, files):
    """Be the supervisor with these arguments."""
    control, null = files
    for fd, number in ((null, 1), (null, 2), (control, 0)):
        os.dup2(fd, number)
    show([sys.executable, *arguments], {})
    sys.argv[1:] = arguments
    main.main()
    os._exit(0)


def run_directly(run, given, files):
    """Be a run that nothing supervises."""
    kernel.die_with_parent()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTSTP})  # as what starts one does
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, value in zip(LIMITS, given["limits"], strict=True):
        if value is not None:
            resource.setrlimit(kind, (value, value))
    os.chdir(given["cwd"])
    run.become(given["argv"], given["env"], given["numbers"], files)


def serve_runs(control):
    run = Run()
    guard._spawn = forking(run)
    gc.collect()
    gc.freeze()
    asked = serve(control)
    if asked is None:
        return
    given, files = asked
    try:
        if "supervisor" in given:
            supervise(given["supervisor"], files)
        else:
            run_directly(run, given, files)
    except BaseException:  # noqa: BLE001 - as an interpreter does
        traceback.print_exc()
    finally:
        os._exit(1)


if __name__ == "__main__":
    serve_runs(int(sys.argv[2]))
