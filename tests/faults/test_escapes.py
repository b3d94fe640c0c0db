"""What a run may not do, tried at each level of containment: one line for each attempt.

What `doctor` says is kept in must be: each attempt belongs to one of its rows.
"""

import time

import pytest
from escape_kit import KEY, LOGIN, RECORD, Place

pytestmark = pytest.mark.first(3)

ATTEMPTS = [
    ("files", "write to a dot file", "open(HOME + '/.profile', 'a').write('hurt')"),
    ("files", "begin a file in the home", "open(HOME + '/new', 'w').write('hurt')"),
    ("files", "empty the record", "open(TUTOR + '/tutor.db', 'w')"),
    ("files", "cut the record", "os.truncate(TUTOR + '/tutor.db', 0)"),
    ("files", "remove the record", "os.remove(TUTOR + '/tutor.db')"),
    ("files", "move the record", "os.rename(TUTOR + '/tutor.db', 'mine')"),
    ("files", "move the home", "os.rename(HOME, HOME + '-2')"),
    ("files", "write through a link", "os.symlink(HOME, 'h'); open('h/.profile', 'w').write('x')"),
    ("files", "write through proc", "open('/proc/self/root' + HOME + '/.profile', 'w').write('x')"),
    ("files", "link the record", "os.link(TUTOR + '/tutor.db', 'mine'); open('mine', 'w')"),
    ("secrets", "the server's key", "print(open(f'/proc/{SERVER}/environ').read())"),
    ("secrets", "the parent's key", "print(open(f'/proc/{os.getppid()}/environ').read())"),
    ("secrets", "anybody's key", "[print(r(p)) for p in glob.glob('/proc/[0-9]*/environ')]"),
    ("secrets", "the record", "print(open(TUTOR + '/tutor.db').read())"),
    ("secrets", "a login", "print(open(HOME + '/.codex/auth.json').read())"),
    ("secrets", "a login by a link", "os.symlink(HOME, 'h2'); print(r('h2/.codex/auth.json'))"),
    ("secrets", "a login in proc", "print(r('/proc/1/root' + HOME + '/.codex/auth.json'))"),
    ("secrets", "a login around", "print(r(HOME + '/../user/.codex/auth.json'))"),
    ("server", "kill the parent", "os.kill(os.getppid(), 9)"),
    ("server", "kill the server", "os.kill(SERVER, 9)"),
    ("server", "end the server's group", "os.killpg(os.getpgid(SERVER), 9)"),
    ("server", "end it by descriptor", "signal.pidfd_send_signal(os.pidfd_open(SERVER), 9)"),
    ("network", "TCP", "socket.create_connection(('127.0.0.1', PORT), 1).send(b'x')"),
    ("network", "TCP by name", "socket.create_connection(('localhost', PORT), 1).send(b'x')"),
    ("network", "UDP", "socket.socket(socket.AF_INET, 2).sendto(b'x', ('127.0.0.1', PORT))"),
    ("network", "a service in a file", "socket.socket(socket.AF_UNIX).connect(RUN + '/service')"),
    ("network", "an abstract service", "socket.socket(socket.AF_UNIX).connect(ABSTRACT)"),
    ("network", "local datagrams", "socket.socket(1, 2).sendto(b'x', RUN + '/datagrams')"),
    ("network", "abstract datagrams", "socket.socket(1, 2).sendto(b'x', ABSTRACT + '-d')"),
    ("network", "a pair", "socket.socketpair(1, 2)[0].sendto(b'x', RUN + '/datagrams')"),
    ("network", "an abstract pair", "socket.socketpair(1, 2)[0].sendto(b'x', ABSTRACT + '-d')"),
    ("network", "a raw pair", "socket.socketpair(1, 3)[0].sendto(b'x', RUN + '/datagrams')"),
    ("network", "a stream pair", "socket.socketpair(1, 1)[0].sendto(b'x', RUN + '/datagrams')"),
    ("network", "a packet pair", "socket.socketpair(1, 5)[0].sendto(b'x', RUN + '/datagrams')"),
    ("processes", "setsid", "subprocess.Popen(['sleep', SLEEP], start_new_session=True)"),
    ("processes", "daemon", "os.fork() or (os.setsid(), os.fork() and os._exit(0), sleep(60))"),
    ("processes", "clean setsid", "subprocess.Popen(['env', '-i', 'setsid', 'sleep', SLEEP])"),
    ("processes", "deaf", "deaf(); os.fork() or (os.setsid(), sleep(60))"),
    ("processes", "many", "[os.fork() or (os.setsid(), sleep(60)) for _ in range(100)]"),
    ("processes", "rolling", "while os.fork() == 0 or os._exit(0): os.setsid()"),
]  # fmt: skip
LEVELS = [
    "bubblewrap",
    "namespaces",
    "namespaces again",
    "landlock",
    pytest.param("limits", marks=pytest.mark.long("kills what nothing holds, which takes time")),
]


@pytest.fixture(scope="module", params=LEVELS)
def place(request, tmp_path_factory):
    level, _, again = request.param.partition(" ")
    made = Place(tmp_path_factory.mktemp(level), level, again=again)
    yield made
    made.close()


def tried(place, code):
    """What came of it, by the row of `doctor` that speaks of it; and what the code said."""
    place.begin(code)
    out = place.said()
    state = place.state()
    if state != place.before:
        place.furnish()
    happened = {
        "files": state != place.before,
        "secrets": any(word in (out or "") for word in (KEY, RECORD, LOGIN)),
        "server": out is None and place.server.wait(10) != 0,
        "network": place.reached(),
        "processes": bool(place.left()),
    }
    return {subject for subject, did in happened.items() if did}, out


@pytest.mark.first(1)
@pytest.mark.parametrize("code", [pytest.param(code, id=name) for _, name, code in ATTEMPTS])
def test_what_is_kept_in_is(place, code):
    happened, out = tried(place, code)
    broken = [subject for subject in happened if place.kept[subject]]
    assert not broken, out
    assert "begun" in (out or "") or "server" in happened


@pytest.mark.parametrize("subject", ["files", "secrets", "server"])
def test_attempts_do_harm_where_nothing_is_kept_in(place, subject):
    if place.level != "limits":
        pytest.skip("this is kept in")
    done = [tried(place, code)[0] for one, _, code in ATTEMPTS if one == subject]
    assert sum(subject in happened for happened in done) >= 2


STUBS = [(name, code) for subject, name, code in ATTEMPTS if subject == "processes"]
STUBS += [
    ("loop", "while True: pass"),
    ("forks", "while True: os.fork() or time.sleep(60); time.sleep(.01)"),
]


def kill_server(place, code, delay_s):
    """Kill the server some time after the code has begun; what is left 2 s later, and after the
    next server's start."""
    place.begin(f"{code}\ntime.sleep(60)")
    deadline = time.monotonic() + 20
    while not place.processes() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(delay_s)
    place.end()
    soon = place.left()
    if soon:
        place.start()
    return soon, place.left(1)


@pytest.mark.first(1)
@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in STUBS])
def test_nothing_outlives_a_server_that_is_killed(place, code):
    soon, later = kill_server(place, code, 0.05)
    assert not later
    if place.level in ("bubblewrap", "namespaces"):
        assert not soon


@pytest.mark.long("starts and kills a hundred servers in all, with each containment a quarter")
def test_no_kill_at_any_moment_leaves_anything(place):
    left = []
    for turn in range(25):
        name, code = STUBS[turn % len(STUBS)]
        soon, later = kill_server(place, code, turn % 7 / 20)
        if later or (soon and place.level in ("bubblewrap", "namespaces")):
            left.append((name, soon, later))
    assert not left
