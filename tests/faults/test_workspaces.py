"""What an exercise folder holds, or a run makes of it, that could hurt what copies it."""

import contextlib
import os
import resource
import subprocess
import sys

import pytest

from tutor_lsp.process.box import Area, put_written
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import run
from tutor_lsp.process.spec import Spec
from tutor_lsp.process.supervisor import contents

pytestmark = [pytest.mark.cold, pytest.mark.first(3)]

DEEP = 1200
MADE = """
import os
for name in ("src", *"abc"):
    os.makedirs(name, exist_ok=True)
    open(name + "/seen.txt", "w").close()
"""
GROW = f"""
import os
at = os.getcwd()
for _ in range({DEEP}):
    os.mkdir("d"); os.chdir("d")
os.chdir(at)
"""
LISTS = "print(sorted(os.listdir('.')), os.path.isdir('deep/d/d'))"


@pytest.fixture(params=["bubblewrap", "namespaces"])
async def held(request):
    found = await Contain(level=request.param).get()
    if found.level != request.param:
        pytest.skip(f"not here: {found.why}")
    return found


@pytest.fixture
def work(tmp_path):
    """A workspace; removed here if it is too deep for pytest."""
    folder = tmp_path / "work"
    folder.mkdir()
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)  # shutil gives up on deep folders


def deepen(folder, depth):
    folder.mkdir()
    at = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=at)
        below = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(os.open("last", os.O_CREAT | os.O_WRONLY, dir_fd=at))
    os.close(at)


def python(code, folder):
    return Spec((sys.executable, "-c", code), folder, child_environment(), 10, merge=True)


@pytest.mark.parametrize("depth", [30, 300, DEEP])
async def test_a_deep_folder_is_no_hindrance(held, work, depth):
    deepen(work / "deep", depth)
    outcome = await run(held.apply(python(f"{MADE}{LISTS}", work), Area(work)))
    assert outcome.stdout.split(b"\n")[0] == b"['a', 'b', 'c', 'deep', 'src'] True", outcome
    assert [path.name for path in work.iterdir()] == ["deep"]


@contextlib.contextmanager
def few_descriptors(most=100):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("depth", [20, 60, 300, DEEP])
def test_a_deep_folder_takes_few_descriptors(work, tmp_path, depth):
    deepen(work / "deep", depth)
    (work / "a").write_text("")
    target = tmp_path / "target"
    target.mkdir()
    source = os.open(work, os.O_RDONLY)
    try:
        with few_descriptors():
            copied, shared = contents.listing(source)
            contents.copy(source, str(target), ["a", "deep"])  # it has grown since
    finally:
        os.close(source)
    assert (copied, shared) == ((["a", "deep"], []) if depth == 20 else (["a"], ["deep"]))
    assert {path.name for path in target.iterdir()} == {"a", "deep"}
    assert len(list(target.rglob("last"))) == (depth == 20)


@pytest.mark.parametrize("code", [f"{GROW}{MADE}", f"{MADE}{GROW}"], ids=["first", "last"])
async def test_what_a_run_wrote_beside_a_deep_folder_is_kept(held, work, tmp_path, code):
    area = Area(work, written=tmp_path / "written")
    outcome = await run(held.apply(python(code, work), area))
    assert (outcome.returncode, outcome.stdout) == (0, b"")
    put_written(area)
    assert (work / "src" / "seen.txt").exists()


# what lies in the workspace, and what a run puts in its place
LINKS = {
    "a folder": ("src/data", "os.unlink('src/data'); os.mkdir('src/data')", "src/data/new.txt"),
    "a folder above": ("src", "os.unlink('src'); os.makedirs('src/a')", "src/a/new.txt"),
    "a file": ("own.txt", "os.unlink('own.txt')", "own.txt"),
    "nothing that is there": ("own.txt", "os.unlink('own.txt')", "own.txt"),
}


@pytest.mark.parametrize("link", LINKS)
async def test_what_a_run_wrote_goes_through_no_link(held, work, tmp_path, link):
    name, makes_way, written = LINKS[link]
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs.txt").write_text("theirs")
    target = {"a file": outside / "theirs.txt", "nothing that is there": outside / "new.txt"}
    (work / name).parent.mkdir(exist_ok=True)
    (work / name).symlink_to(target.get(link, outside))
    area = Area(work, written=tmp_path / "written")
    code = (
        f"import os\n{makes_way}\nfor at in ({written!r}, 'kept.txt'):\n open(at, 'w').write('x')"
    )
    outcome = await run(held.apply(python(code, work), area))
    assert (outcome.returncode, outcome.stdout) == (0, b"")
    put_written(area)
    assert (work / "kept.txt").read_text() == "x"
    assert [(path.name, path.read_text()) for path in outside.iterdir()] == [
        ("theirs.txt", "theirs")
    ]


@pytest.mark.first(1)
async def test_what_a_run_wrote_waits_for_no_pipe_and_keeps_modes(held, work, tmp_path):
    os.mkfifo(work / "pipe")
    (work / "own.txt").write_text("a longer text")
    (work / "own.txt").chmod(0o600)
    area = Area(work, written=tmp_path / "written")
    code = "import os; os.path.exists('pipe') and os.unlink('pipe')\n"
    code += "for at in 'pipe', 'own.txt': open(at, 'w').write('x')"
    outcome = await run(held.apply(python(code, work), area))
    assert (outcome.returncode, outcome.stdout) == (0, b"")
    put_written(area)
    assert (work / "pipe").is_fifo()
    assert (work / "own.txt").read_text() == "x"
    assert (work / "own.txt").stat().st_mode & 0o777 == 0o600
