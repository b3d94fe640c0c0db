"""Packages for one target: the server's libraries, and a Python that comes along."""

import hashlib
import io
import json
import marshal
import struct
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "editors" / "vscode" / "scripts"
sys.path.insert(0, str(SCRIPTS))
import carried_python  # noqa: E402
import elf  # noqa: E402
import libraries  # noqa: E402
import modules  # noqa: E402

pytestmark = pytest.mark.long("makes packages of libraries with pip")
MINORS = ("3.11", "3.14")
sys.path.remove(str(SCRIPTS))


def wheel(folder, name, tags, files, needs=()):
    """Make a wheel, as an index would have it."""
    project, version = name.split("-")
    info = f"{project}-{version}.dist-info"
    metadata = [f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}"]
    metadata += [f"Requires-Dist: {need}" for need in needs]
    path = folder / f"{name}-{tags}.whl"
    python, abi, platforms = tags.split("-")
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
        archive.writestr(f"{info}/METADATA", "\n".join(metadata) + "\n")
        expanded = [f"Tag: {python}-{abi}-{each}\n" for each in platforms.split(".")]
        archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\n{''.join(expanded)}")
        archive.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A package index with what a server needs, for two platforms; where the libraries go."""
    folder = tmp_path / "index"
    folder.mkdir()
    for minor in (11, 12, 14):
        for platform in ("manylinux_2_28_x86_64", "macosx_11_0_arm64"):
            tags = f"cp3{minor}-cp3{minor}-{platform}"
            wheel(folder, "fast-2.0", tags, {"fast/core.so": platform, "fast/tests/test_it.py": ""})
    abi3 = "cp310-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64"
    wheel(folder, "grammar-1.0", abi3, {"grammar/g.so": ""})
    wheel(folder, "grammar-1.0", "cp310-abi3-macosx_11_0_arm64", {"grammar/g.so": ""})
    pure = {
        "pure/__init__.py": "",
        "pure/tests/test_pure.py": "",
        "pure-1.0.data/purelib/more.py": "",
        "pure-1.0.data/scripts/pure": "",
        "pure-1.0.dist-info/entry_points.txt": "[x]\n",
        "pure-1.0.dist-info/licenses/LICENSE": "Free",
    }
    wheel(folder, "pure-1.0", "py3-none-any", pure)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setattr(libraries, "VERSIONS", MINORS)
    monkeypatch.setattr(libraries, "ROOT", tmp_path)
    monkeypatch.setattr(libraries, "LIBS", tmp_path / "libs")
    monkeypatch.setattr(libraries, "PYTHON", tmp_path / "python")
    return folder


@pytest.fixture
def server(tmp_path):
    files = {"tutor_lsp/library/x/tests/test_x.py": "", "tutor_lsp/launch.py": ""}
    return wheel(tmp_path, "tutor_lsp-1.0", "py3-none-any", files, ("pure", "fast>=2", "grammar"))


def build(monkeypatch, *argv):
    monkeypatch.setattr(sys, "argv", ["libraries.py", *map(str, argv)])
    libraries.main()


def below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def packed(libs):
    """The modules that are in one file, as they would lie below `any`."""
    data = (libs / modules.NAME).read_bytes()
    size = int.from_bytes(data[modules.LENGTH :][: modules.LENGTH], "little")
    index = data[2 * modules.LENGTH :][:size]
    names = marshal.loads(index)["modules"]  # noqa: S302 - made just now
    return {name.removeprefix("any/") for name in names}


@pytest.mark.parametrize(
    ("target", "platform"),
    [("linux-x64", "manylinux_2_28_x86_64"), ("darwin-arm64", "macosx_11_0_arm64")],
)
def test_only_what_is_for_one_version_of_python_gets_a_folder_of_its_own(
    index, server, tmp_path, monkeypatch, target, platform
):
    build(monkeypatch, target, server)
    libs = tmp_path / "libs"
    assert {path.name for path in libs.iterdir() if path.is_dir()} == {
        "any", "cp311", "cp314",
    }  # fmt: skip
    for minor in (11, 14):
        found = below(libs / f"cp3{minor}")
        assert {name for name in found if "dist-info" not in name} == {"fast/core.so"}
        assert (libs / f"cp3{minor}" / "fast" / "core.so").read_text() == platform
    assert (libs / "any" / "grammar" / "g.so").is_file()
    assert (libs / "target").read_text() == f"{target}\n"
    sizes = json.loads((libs / "contents.json").read_text())["files"]
    assert set(sizes) == {f"libs/{name}" for name in below(libs) - {"contents.json"}}


def test_only_what_is_used_where_it_runs_is_packed(index, server, tmp_path, monkeypatch):
    build(monkeypatch, "linux-x64", server)
    found = below(tmp_path / "libs" / "any") | packed(tmp_path / "libs")
    assert {"more.py", "pure-1.0.dist-info/entry_points.txt"} <= found
    assert {"pure-1.0.dist-info/METADATA", "pure-1.0.dist-info/licenses/LICENSE"} <= found
    assert not {name for name in found if name.startswith("pure") and "test" in name}
    assert "tutor_lsp/library/x/tests/test_x.py" in found
    assert not {name for name in found if name.endswith(("RECORD", "scripts/pure"))}


def test_modules_are_in_one_file_save_those_that_are_started_or_copied(
    index, server, tmp_path, monkeypatch, capsys
):
    build(monkeypatch, "linux-x64", server)
    libs = tmp_path / "libs"
    sources = {name for name in below(libs / "any") if name.endswith(".py")}
    assert sources == {"tutor_lsp/library/x/tests/test_x.py", "tutor_lsp/launch.py"}
    assert {"more.py", "pure/__init__.py"} <= packed(libs)
    ahead = modules.interpreter(MINORS[1]) is not None
    assert ahead or f"no code for Python {MINORS[1]}" in capsys.readouterr().out


def test_what_debuggers_read_is_cleared_and_nothing_else(tmp_path):
    library = tmp_path / "x.so"
    names = b"\0.debug_info\0.text\0.debug_bss\0"
    sections = [(0, 0, 0, 0), (1, 1, 0, 4), (13, 1, 2, 4), (19, 8, 0, 4), (0, 3, 0, len(names))]
    body = b"INFO" + b"TEXT" + names
    places = [0, 64, 68, 64, 72]
    table = b"".join(
        struct.pack("<IIQQQQIIQQ", name, kind, flags, 0, place, size, 0, 0, 0, 0)
        for (name, kind, flags, size), place in zip(sections, places, strict=True)
    )
    head = elf.HEADER.pack(3, 62, 1, 0, 0, 64 + len(body), 0, 64, 0, 0, 64, len(sections), 4)
    library.write_bytes(b"\x7fELF\x02\x01".ljust(16, b"\0") + head[16:] + body + table)
    elf.clear_debugging(library)
    assert library.read_bytes()[64:] == b"\0\0\0\0TEXT" + names + table
    other = tmp_path / "other.so"
    other.write_bytes(b"\xcf\xfa\xed\xfe .debug_info")
    elf.clear_debugging(other)
    assert other.read_bytes() == b"\xcf\xfa\xed\xfe .debug_info"


def test_a_library_that_cannot_be_had_is_named(index, server, tmp_path, monkeypatch):
    (index / "fast-2.0-cp314-cp314-manylinux_2_28_x86_64.whl").unlink()
    with pytest.raises(SystemExit) as ended:
        build(monkeypatch, "linux-x64", server)
    assert "linux-x64 and Python 3.14" in str(ended.value.code)
    assert "fast" in str(ended.value.code)


@pytest.fixture
def archive(tmp_path):
    """A stand-in for what python-build-standalone publishes, of files that are here."""
    path = tmp_path / "cpython-3.12.1+20240107-x86_64-unknown-linux-gnu.tar.gz"
    files = {
        "bin/python3.12": ("#!/bin/sh\necho it starts\n", 0o755),
        "bin/pip3": ("", 0o755),
        "lib/python3.12/os.py": ("", 0o644),
        "lib/python3.12/json/__init__.py": ("", 0o644),
        "lib/python3.12/test/test_os.py": ("", 0o644),
        "lib/python3.12/site-packages/pip/__init__.py": ("", 0o644),
        "lib/python3.12/lib-dynload/_json.so": ("", 0o755),
        "lib/libpython3.12.so.1.0": ("", 0o755),
        "include/python3.12/Python.h": ("", 0o644),
        "share/terminfo/x": ("", 0o644),
        "../outside": ("", 0o644),
    }
    with tarfile.open(path, "w:gz") as tar:
        for name, (text, mode) in files.items():
            member = tarfile.TarInfo(f"python/{name}")
            member.size, member.mode = len(text), mode
            tar.addfile(member, io.BytesIO(text.encode()))
        link = tarfile.TarInfo("python/bin/python3")
        link.type, link.linkname = tarfile.SYMTYPE, "python3.12"
        tar.addfile(link)
    return path


def checksum(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_python_that_comes_along_has_what_it_needs_and_no_more(archive, tmp_path):
    version = carried_python.carry(str(archive), checksum(archive), tmp_path / "python")
    assert version == "3.12"
    assert below(tmp_path / "python") == {
        "bin/python3",
        "lib/python3.12/os.py",
        "lib/python3.12/json/__init__.py",
        "lib/python3.12/lib-dynload/_json.so",
    }
    assert (tmp_path / "python" / "bin" / "python3").stat().st_mode & 0o777 == 0o755


def test_libraries_are_for_the_python_that_comes_along(
    index, server, archive, tmp_path, monkeypatch
):
    given = ("--python", archive, "--sha256", checksum(archive))
    build(monkeypatch, "linux-x64", server, *given)
    assert {path.name for path in (tmp_path / "libs").iterdir() if path.is_dir()} == {
        "any", "cp312",
    }  # fmt: skip
    sizes = json.loads((tmp_path / "libs" / "contents.json").read_text())["files"]
    assert "python/bin/python3" in sizes


def test_an_archive_that_is_not_the_one_that_was_meant_is_refused(archive, tmp_path):
    for given, said in ((None, "needs --sha256"), ("0" * 64, "has the checksum")):
        with pytest.raises(SystemExit) as ended:
            carried_python.carry(str(archive), given, tmp_path / "python")
        assert said in str(ended.value.code)
    assert not (tmp_path / "python").exists()


def test_an_archive_with_another_layout_is_refused(tmp_path):
    path = tmp_path / "other.tar.gz"
    with tarfile.open(path, "w:gz"):
        pass
    with pytest.raises(SystemExit) as ended:
        carried_python.carry(str(path), checksum(path), tmp_path / "python")
    assert "holds no python/bin/python3" in str(ended.value.code)
