"""A process that stays does the next verbs as they would be done without it, and ends in time."""

import contextlib
import ctypes
import importlib
import json
import os
import pty
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest
from cli_tools import FOREVER, Exercise, Terminal, processes_in, until
from resident_kit import SOON, Asking, children, gone, kill, state_of, without_tracing
from started_home import started

from tutor_lsp.process import hand_over
from tutor_lsp.process.containment.hidden import _NAMED
from tutor_lsp.process.hand_over import Place
from tutor_lsp.process.resident import peer
from tutor_lsp.process.resident.peer import standing
from tutor_lsp.process.resident.seen import Seen

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is there on Linux alone")


@pytest.fixture
def make(tmp_path_factory, first_home):
    """Makes a home whose path is short, with an exercise begun; nothing stays in it."""
    made = []

    def one(more=""):
        home = tmp_path_factory.mktemp("r") / "home"
        made.append(Asking(home, started(first_home, home), more))
        return made[-1]

    yield one
    for each in made:
        each.end()
        until("every process ended", lambda home=each.home: not processes_in(home), 10)


@pytest.fixture
def asking(make):
    return make()


@pytest.fixture
def staying(asking):
    """One stays, after `status` was done."""
    asking.left_by("status")
    return asking


def alone(asking, *given, **more):
    """What a verb does in a process of its own that leaves nothing behind."""
    env = {**asking.env, "TUTOR_LSP_RESIDENT": "never"}
    return asking(*given, **{"env": env, **more})


VERBS = {
    "words": ("status",),
    "json": ("status", "--json"),
    "a place": ("open", "lesson"),
    "wrong use": ("open", "nothing"),
    "refused": ("open", "stub", "--unit", "none", "--json"),
    "a wrong option": ("status", "--none"),
}


@pytest.mark.first(3)
@pytest.mark.parametrize("which", VERBS)
def test_it_is_what_a_process_of_its_own_does(staying, which):
    *mine, served = staying(*VERBS[which])
    *theirs, apart = alone(staying, *VERBS[which])
    assert (served, apart) == (True, False)
    assert mine == theirs


def test_a_run_of_the_tests_is_the_same(asking):
    asking.left_by("check")

    def without_times(answer):
        code, out, err, _ = answer
        report = json.loads(out)
        for each in (report, *report["tests"]):
            each["durationMs"] = 0
        return code, {**report, "runId": ""}, err

    done = asking("check", "--json")
    assert done[-1]
    assert done[0] == 3
    assert without_times(done) == without_times(alone(asking, "check", "--json"))


def test_it_knows_more_after_each_verb(staying):
    pid = staying.pid
    assert staying("open")[-1]
    until("another one stays", lambda: staying.pid not in (None, pid))
    gone(pid)
    pid = staying.pid
    assert staying("open")[-1]
    assert staying("status")[-1]
    assert staying.pid == pid


def test_one_that_knows_more_takes_its_place_without_the_rights_of_root(asking):
    """It cannot be looked into any more when it asks for the place."""
    asking.usual["preexec_fn"] = without_tracing
    pid = asking.left_by("status")
    assert asking("open")[-1]
    until("another one stays", lambda: asking.pid not in (None, pid))
    gone(pid)


def test_the_caller_stands_where_it_did(staying):
    staying.folder = staying.workspace
    assert staying("open")[-1]
    ours, theirs = os.pipe()
    os.close(ours)
    assert staying("status", stdout=theirs)[0] == alone(staying, "status", stdout=theirs)[0] == 0
    os.close(theirs)
    full = os.open("/dev/full", os.O_WRONLY)
    *mine, served = staying("status", stdout=full)
    assert served
    assert mine == list(alone(staying, "status", stdout=full)[:-1])
    os.close(full)


def test_a_terminal_shows_the_same(asking):
    def shown(env):
        ours, theirs = pty.openpty()
        ran = asking.start("status", stdin=theirs, stdout=theirs, env=env)
        os.close(theirs)
        text = b""
        with contextlib.suppress(OSError):
            while more := os.read(ours, 4096):
                text += more
        os.close(ours)
        return text, ran.communicate(timeout=60)[1]

    asking.env["TERM"] = "xterm"
    asking.left_by("status")
    mine, err = shown(asking.env)
    assert b"served" in err
    assert b"\x1b[" in mine
    assert mine == shown({**asking.env, "TUTOR_LSP_RESIDENT": "never"})[0]


DIFFERENT = {
    "a variable": {"env": {"TUTOR_LSP_LAYOUT": "mine"}},
    "the language": {"env": {"LANGUAGE": "de"}},
    "the program": {"env": {"PYTHONHASHSEED": "3"}},
    "who may read its files": {"umask": 0o077},
    "how urgent it is": {"preexec_fn": lambda: os.nice(3)},
    "ignored signals": {"preexec_fn": lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN)},
}


def in_spaces_of_its_own(flag):
    """Put what this process executes into a new namespace."""
    if ctypes.CDLL(None, use_errno=True).unshare(flag):
        raise OSError(ctypes.get_errno(), "it keeps its namespace")


if os.geteuid() == 0:
    DIFFERENT["its control groups"] = {"preexec_fn": lambda: in_spaces_of_its_own(0x02000000)}
    DIFFERENT["its clocks"] = {"preexec_fn": lambda: in_spaces_of_its_own(0x00000080)}


@pytest.mark.first(3)
@pytest.mark.parametrize("what", DIFFERENT)
def test_nobody_who_stands_elsewhere_is_served(staying, what):
    more = dict(DIFFERENT[what])
    if "env" in more:
        more["env"] = {**staying.env, **more["env"]}
    assert staying("status", **more)[0::3] == (0, False)


def test_a_label_of_the_kernel_counts(monkeypatch):
    own = standing(os.getpid())
    assert own == standing(os.getpid())
    usual = peer._text
    label = lambda path: "labelled" if path.endswith("/attr/current") else usual(path)  # noqa: E731
    monkeypatch.setattr(peer, "_text", label)
    assert standing(os.getpid()) != own


def looping(asking):
    """Let the first function never end."""
    exercise = Exercise({"workspace": asking.workspace, "sessionId": "", "units": [
        {"file": asking.source.relative_to(asking.workspace)}]})  # fmt: skip
    exercise.body("to_minutes", FOREVER)


@pytest.fixture
def running(asking):
    """A check that another process does and that does not end."""
    pid = asking.left_by("check")
    looping(asking)
    began = asking.start("check", process_group=0)
    until("it runs", lambda: processes_in(asking.home))
    (fork,) = children(pid)
    yield asking, began, fork
    kill(began.pid, signal.SIGKILL)
    began.communicate()


@pytest.mark.first(1)
@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_the_run(running, number, code):
    asking, began, fork = running
    began.send_signal(getattr(signal, number))
    out, err = began.communicate(timeout=30)
    assert (began.returncode, out) == (code, b"")
    assert err.startswith(b"Stopped.\n")
    gone(fork)
    until("the run ended", lambda: not processes_in(asking.home))


def test_a_caller_that_is_killed_takes_its_run_along(running):
    asking, began, fork = running
    began.kill()
    gone(fork)
    until("the run ended", lambda: not processes_in(asking.home))
    assert asking("status")[-1]


def test_a_fork_that_is_killed_kills_its_caller_in_the_same_way(running):
    _, began, fork = running
    os.kill(fork, signal.SIGKILL)
    assert began.wait(30) == -signal.SIGKILL


def test_both_end_if_what_stays_is_killed(running):
    asking, began, fork = running
    os.kill(asking.pid, signal.SIGKILL)
    gone(fork)
    assert b"ended unexpectedly" in began.communicate(timeout=30)[1]
    assert began.returncode == 1
    assert asking("status")[0::3] == (0, False)


def test_it_stays_if_a_fork_and_its_caller_end_at_the_same_time(running):
    asking, began, fork = running
    pid = asking.pid
    os.kill(pid, signal.SIGSTOP)
    os.kill(fork, signal.SIGKILL)
    gone(fork)
    kill(began.pid, signal.SIGKILL)
    gone(began.pid)
    os.kill(pid, signal.SIGCONT)
    assert asking("status")[0::3] == (0, True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into what stays")
def test_no_caller_can_make_it_wait(running):
    asking, *_ = running
    found = Path(f"/proc/{asking.pid}")
    links = (found / "fd").iterdir()
    numbers = [each.name for each in links if str(each.readlink()).startswith("socket")]
    assert len(numbers) > 1
    for each in numbers:
        (flags,) = re.findall(r"flags:\s+(\d+)", (found / "fdinfo" / each).read_text())
        assert int(flags, 8) & os.O_NONBLOCK


def test_it_stops_and_goes_on_with_the_caller(running):
    _, began, fork = running
    began.send_signal(signal.SIGTSTP)
    until("both are stopped", lambda: state_of(began.pid) == state_of(fork) == "T")
    began.send_signal(signal.SIGCONT)
    until("both go on", lambda: "T" not in (state_of(began.pid), state_of(fork)))
    began.send_signal(signal.SIGINT)
    assert began.wait(30) == 130


def test_two_are_served_side_by_side(running):
    asking, began, _ = running
    assert asking("open")[0::3] == (0, True)
    assert began.poll() is None


def test_a_fork_is_ready_for_the_next_run(asking):
    pid = asking.left_by("check")

    def one_waits():
        """Once what contains a run has been started in it."""
        return until("one waits", lambda: next((f for f in children(pid) if children(f)), None))

    first = one_waits()
    assert asking("check")[0::3] == (3, True)
    gone(first)
    second = one_waits()
    assert asking("status")[0::3] == (0, True)
    until("another one stays", lambda: asking.pid not in (None, pid))
    gone(second)
    pid = asking.pid
    os.kill(one_waits(), signal.SIGKILL)
    assert asking("check")[0::3] == (3, True)


def test_one_that_does_not_answer_is_done_without(staying):
    pid = staying.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        assert staying("open")[0::3] == (0, False)
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_socket_that_nobody_serves_is_replaced(staying):
    pid = staying.pid
    os.kill(pid, signal.SIGKILL)
    gone(pid)
    assert Path(staying.place.socket).exists()
    staying.left_by("status")
    assert staying("status")[-1]


def test_its_socket_is_for_the_user_alone(staying):
    assert os.lstat(staying.place.socket).st_mode & 0o777 == 0o600
    assert os.lstat(staying.place.folder).st_mode & 0o777 == 0o700
    Path(staying.place.folder).chmod(0o720)
    assert staying("open")[0::3] == (0, False)
    Path(staying.place.folder).chmod(0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give it away")
def test_a_socket_of_another_user_is_not_asked(make):
    asking = make(SOON)
    pid = asking.left_by("status")
    os.lchown(asking.place.socket, 12345, -1)
    assert asking("open")[0::3] == (0, False)
    gone(pid)


@pytest.mark.parametrize("how", ["settings", "home"])
def test_it_ends_when_it_would_be_another(make, how):
    asking = make(SOON)
    pid = asking.left_by("status")
    if how == "settings":
        (asking.home / "config.toml").write_text("plain = true\n")
        assert asking("open")[0::3] == (0, False)
    else:
        asking.home.rename(asking.home.with_name("elsewhere"))
    gone(pid)


def test_it_ends_when_it_was_idle(make):
    asking = make(SOON + "waiting.IDLE_S = 0.5\n")
    gone(asking.left_by("status"))
    assert not Path(asking.place.socket).exists()


@pytest.mark.parametrize("more", ["waiting.on_battery = lambda: True\n", "waiting.IDLE_S = -1\n"])
def test_none_stays_on_battery(make, more):
    """Beside one that ends as soon as it looks, to tell that it would have been there."""
    asking = make(SOON + more + "os.register_at_fork(after_in_child=lambda: os.write(2, b'F'))\n")
    code, _, err, _ = asking("status")
    assert (code, err) == (0, b"F")
    gone_on = Path(asking.place.lock).exists
    if "IDLE" in more:
        until("it was there", gone_on)
        until("it ended", lambda: asking.pid is None)
    else:
        until("it ended", lambda: not asking.processes)
        assert not gone_on()


def test_it_stays_where_somebody_is_at_a_terminal(asking):
    del asking.env["TUTOR_LSP_RESIDENT"]
    forked = "os.register_at_fork(after_in_child=lambda: os.write(2, b'forked'))"
    asking.code = asking.code.replace("caller.served = served", f"caller.served = served\n{forked}")
    assert asking("status")[2] == b""
    argv = [sys.executable, "-c", asking.code]
    with Terminal("status", env=asking.env, cwd=asking.folder, argv=argv) as terminal:
        assert terminal.end() == 0
    until("one stays", lambda: asking.pid)
    asking.end()
    (asking.home / "config.toml").write_text('resident = "never"\n')
    with Terminal("status", env=asking.env, cwd=asking.folder, argv=argv) as terminal:
        assert terminal.end() == 0
        assert "forked" not in terminal.text
    assert asking.pid is None


NOBODY_WAITS = {
    "another program reads it": ["sh", "-c", '"$@" | cat', "sh"],
    "in the background": ["sh", "-mc", '"$@" & wait', "sh"],
    "a build server": ["env", "CI=true"],
}


@pytest.mark.first(1)
@pytest.mark.parametrize("how", NOBODY_WAITS)
def test_none_stays_where_nobody_waits_for_the_next(asking, how):
    del asking.env["TUTOR_LSP_RESIDENT"]
    argv = [*NOBODY_WAITS[how], sys.executable, "-c", asking.code]
    with Terminal("status", env=asking.env, cwd=asking.folder, argv=argv) as terminal:
        assert terminal.end() == 0
        assert "served" not in terminal.text
    assert not asking.processes


@pytest.mark.parametrize(
    "name", ["TMUX", "KITTY_WINDOW_ID", "KONSOLE_DBUS_SESSION", "INVOCATION_ID"]
)
def test_the_windows_of_a_terminal_share_it(monkeypatch, name):
    before = hand_over.key()
    monkeypatch.setenv(name, "another")
    assert hand_over.key() == before


def test_zero_is_never(staying):
    pid = staying.pid
    staying.env["TUTOR_LSP_RESIDENT"] = "0"
    assert staying("status")[2:] == (b"", False)
    staying.end()
    assert staying("open")[2:] == (b"", False)
    assert not staying.processes
    gone(pid)


@pytest.mark.parametrize("name", ["TERM", *_NAMED])
def test_what_was_read_ahead_is_the_same(monkeypatch, name):
    before = hand_over.key()
    monkeypatch.setenv(name, "another")
    assert hand_over.key() != before


@pytest.mark.first(1)
@pytest.mark.parametrize("verb", ["status", "check"])
def test_the_first_verb_leaves_it(asking, verb):
    assert asking(verb)[-1] is False
    until("one stays", lambda: asking.pid)
    assert asking(verb)[-1]


def test_doctor_tells_of_it_and_tidy_ends_it(staying):
    pid = staying.pid
    rows = json.loads(alone(staying, "doctor", "--json")[1])["tools"]
    (row,) = (each for each in rows if each["name"] == "terminal")
    assert (row["works"], str(pid) in row["version"]) == (True, True)
    assert alone(staying, "tidy")[0] == 0
    gone(pid)
    rows = json.loads(alone(staying, "doctor", "--json")[1])["tools"]
    assert "terminal" not in [each["name"] for each in rows]


def test_it_ends_for_one_that_does_not_read_its_greeting(staying):
    pid = staying.pid
    link, _ = hand_over.reached(staying.place)
    select.select([link], [], [], 10)
    os.kill(pid, signal.SIGSTOP)
    link.send(hand_over.END)
    link.close()
    os.kill(pid, signal.SIGCONT)
    gone(pid)


def test_nonsense_is_not_done(staying):
    pid = staying.pid
    for said in (b"", b"7\0status", b"x\0y", b"1\0status\0utf-8"):
        link, _ = hand_over.reached(staying.place)
        assert len(link.recv(64)) == 32
        link.send(said)
        assert link.recv(64) == b""
        link.close()
    assert staying.pid == pid
    assert staying("status")[-1]


def test_a_path_that_is_too_long_for_a_socket_is_none(tmp_path):
    assert not Place(str(tmp_path / ("long" * 20))).usable
    assert Place("/tmp/home").usable


@pytest.mark.parametrize(
    ("given", "served"),
    [
        (["check"], True), (["check", "--json"], True), (["check", "--help"], False),
        (["check", "--home", "x"], False), (["check", "--home=x"], False), (["watch"], False),
        ([], False), (["--version"], False),
    ],
)  # fmt: skip
def test_short_verbs_alone_are_for_it(given, served):
    assert hand_over.serves(given) == served


def test_files_that_changed_since_they_were_loaded_are_noticed(tmp_path):
    began = time.time() + 1
    seen = Seen(began)
    seen.look(str(tmp_path))
    assert seen.unchanged
    (tmp_path / "config.toml").write_text("")
    assert not seen.unchanged
    late = Seen(began - 3600)
    late.look(str(tmp_path))
    assert not late.unchanged


def test_a_module_of_another_program_that_changed_in_place_is_noticed(tmp_path, monkeypatch):
    inner = tmp_path / "a_language_of_theirs" / "inner"
    inner.mkdir(parents=True)
    (inner / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("a_language_of_theirs.inner")
    seen = Seen(time.time() + 1)
    seen.look(str(tmp_path / "home"))
    assert seen.unchanged
    (inner / "__init__.py").write_text("changed = True\n")
    assert not seen.unchanged
