"""When a verb leaves a process behind, and when that ends."""

import importlib
import json
import sys
import time
from pathlib import Path

import pytest
from cli_tools import Terminal, until
from resident_kit import SOON, alone, gone

from tutor_lsp.process.resident.seen import Seen

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is there on Linux alone")


@pytest.mark.first(1)
@pytest.mark.parametrize("verb", ["status", "check"])
def test_the_first_verb_leaves_it(asking, verb):
    assert asking(verb)[-1] is False
    until("one stays", lambda: asking.pid)
    assert asking(verb)[-1]


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


def test_zero_is_never(staying):
    pid = staying.pid
    staying.env["TUTOR_LSP_RESIDENT"] = "0"
    assert staying("status")[2:] == (b"", False)
    staying.end()
    assert staying("open")[2:] == (b"", False)
    assert not staying.processes
    gone(pid)


def test_doctor_tells_of_it_and_tidy_ends_it(staying):
    pid = staying.pid
    rows = json.loads(alone(staying, "doctor", "--json")[1])["tools"]
    (row,) = (each for each in rows if each["name"] == "terminal")
    assert (row["works"], str(pid) in row["version"]) == (True, True)
    assert alone(staying, "tidy")[0] == 0
    gone(pid)
    rows = json.loads(alone(staying, "doctor", "--json")[1])["tools"]
    assert "terminal" not in [each["name"] for each in rows]


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
