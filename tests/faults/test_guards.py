"""What a run may do to what keeps it in, where nothing hinders it: one line for each attempt."""

import time

import pytest
from escape_kit import Place

pytestmark = pytest.mark.first(3)

HEAD = """
def parent(pid):
    return int(r(f'/proc/{pid}/stat').rpartition(')')[2].split()[1])

def own():
    subprocess.Popen(['sleep', SLEEP], start_new_session=True)

def clean():
    subprocess.Popen(['env', '-i', 'setsid', 'sleep', SLEEP]).poll()
    sleep(.2)

def halt(*pids):
    open('come', 'w').close()
    for pid in pids:
        os.kill(pid, STOP)

def ever(number, pid):
    open('come', 'w').close()
    if os.fork() == 0:
        deaf()
        os.setsid()
        while True:
            os.kill(pid, number)

GUARD = os.getppid()
SUPERVISOR = parent(GUARD)
STOP, KILL = 19, 9
"""
HALTS = [
    ("halt the guard", "own(); halt(GUARD)"),
    ("halt it with many", "[own() for _ in range(50)]; halt(GUARD)"),
    ("halt it with a clean environment", "clean(); halt(GUARD)"),
    ("halt it time and again", "own(); ever(STOP, GUARD)"),
    ("halt the supervisor", "own(); halt(SUPERVISOR)"),
    ("halt both", "own(); halt(SUPERVISOR, GUARD)"),
]
KILLS = [
    ("kill the guard", "own(); os.kill(GUARD, KILL)"),
    ("kill the supervisor", "own(); os.kill(SUPERVISOR, KILL)"),
    ("kill both", "own(); os.kill(SUPERVISOR, KILL); os.kill(GUARD, KILL)"),
    ("kill one, halt the other", "own(); os.kill(SUPERVISOR, KILL); os.kill(GUARD, STOP)"),
]
LIMIT_S = 0.5
GONE_S = 4.0


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path, "limits", LIMIT_S)
    yield made
    made.close()


def begin(place, code):
    place.begin(f"{HEAD}{code}\nopen('done', 'w').close()\nsleep(60)")


def named(cases):
    return pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in cases])


@pytest.mark.first(1)
@named(HALTS)
def test_what_halts_its_guard_does_not_outlive_the_server(place, code):
    begin(place, code)
    come, done = place.work / "come", place.work / "done"

    def halted():  # what is left ends it at once, mostly before its next line
        return come.exists() and (done.exists() or not place.processes())

    deadline = time.monotonic() + 20
    while not halted() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert come.exists(), "it did not come to what it is to do"
    place.end()
    if "SUPERVISOR" in code and place.left(1.5):
        place.start()
    assert not place.left(GONE_S)


@pytest.mark.first(1)
@named([*HALTS, *KILLS])
def test_what_halts_or_kills_its_guard_does_not_outlive_its_run(place, code):
    begin(place, code)
    assert place.said() is not None
    assert not place.left(GONE_S)
    place.begin("print('next')")
    assert "next" in place.said()
