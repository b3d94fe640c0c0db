"""A release fetches the Python that each package carries, and says where it cannot."""

import hashlib
import http.server
import sys
import threading
import tomllib
from pathlib import Path
from typing import ClassVar

import pytest
from releasing import FACTS, REPO, commit, copy, git

sys.path.insert(0, str(REPO / "scripts"))
import release
import release_checks as checks
import release_facts
import release_pythons

DATA = b"an archive"
SUM = hashlib.sha256(DATA).hexdigest()


class Publisher(http.server.BaseHTTPRequestHandler):
    """Stands in for where archives are published; `asked`: the paths."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[list[str]]
    short = False

    def do_GET(self):
        self.asked.append(self.path)
        there = not self.path.endswith("gone.tar.gz")
        self.send_response(200 if there else 404)
        self.send_header("Content-Length", str(len(DATA) if there else 0))
        self.send_header("Connection", "close")
        self.end_headers()
        if there:
            self.wfile.write(DATA[:3] if self.short else DATA)

    def log_message(self, *_):
        pass


@pytest.fixture
def publisher():
    class Own(Publisher):
        asked: ClassVar = []

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Own) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        Own.address = f"http://127.0.0.1:{server.server_port}/20261110"
        yield Own
        server.shutdown()


@pytest.fixture
def tree(tmp_path, monkeypatch, publisher):
    """A tree to be released as v1.2.3, whose packages are made by nobody."""
    root = tmp_path / "tree"
    copy(root, [*checks.VERSIONS, "CHANGELOG.md", "README.md", "release.toml", "scripts"])
    version = release_facts.version(root)
    for name in checks.VERSIONS:
        text = (root / name).read_text()
        (root / name).write_text(text.replace(version, "1.2.3"))
    changes = (root / "CHANGELOG.md").read_text()
    (root / "CHANGELOG.md").write_text(changes.replace("## [Unreleased]", "## [1.2.3] - today", 1))
    (root / "release.toml").write_text(FACTS)
    for path, text in release_facts.sources(release_facts.read(root), root).items():
        path.write_text(text)
    (root / ".gitignore").write_text("dist/\n.cache/\n")
    facts = release_facts.read(root)
    monkeypatch.setattr(release, "ROOT", root)
    monkeypatch.setattr(release, "VSCODE", root / "editors" / "vscode")
    monkeypatch.setattr(release, "OUT", root / "dist" / "release")
    monkeypatch.setattr(release_facts, "read", lambda: facts)
    monkeypatch.setattr(release, "build_python", lambda _: (release.OUT / "s", release.OUT / "w"))
    monkeypatch.setattr(release, "check_installed", lambda *_: None)
    listed(root, publisher.address)
    return root


def listed(root, address, **archives):
    """Write the list of archives, and put it under the tag."""
    text = f'address = "{address}"\n'
    for target, (file, checksum) in archives.items():
        text += f'[{target.replace("_", "-")}]\nfile = "{file}"\nsha256 = "{checksum}"\n'
    path = root / release_pythons.LIST
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    commit(root)
    git(root, "tag", "--force", "v1.2.3")


@pytest.fixture
def packed(monkeypatch):
    """How each package was made: the words after its target."""
    made = {}

    def run(words, *, cwd, **_):
        if words[0] == "scripts/package.sh":
            made[words[1]] = [str(word) for word in words[2:]]
        name = f"tutor-lsp-{words[1]}" if words[0] == "scripts/package.sh" else "tutor-lsp"
        (cwd / "dist").mkdir(exist_ok=True)
        (cwd / "dist" / f"{name}.vsix").touch()
        return ""

    monkeypatch.setattr(release, "run", run)
    return made


def released(*targets, **more):
    return release.release("v1.2.3", rehearsal=False, targets=targets, **more)


def test_a_package_carries_the_python_that_is_named_for_it(tree, publisher, packed):
    listed(tree, publisher.address, linux_x64=("cpython-3.13+1.tar.gz", SUM))
    said = released("linux-x64")
    word, archive, option, checksum = packed["linux-x64"]
    assert (word, option, checksum) == ("--python", "--sha256", SUM)
    assert Path(archive).read_bytes() == DATA
    assert publisher.asked == ["/20261110/cpython-3.13%2B1.tar.gz"]
    assert "carries no Python" not in said
    # It is kept for the next time, and fetched again where it was damaged since.
    released("linux-x64")
    assert len(publisher.asked) == 1
    Path(archive).write_bytes(b"other")
    released("linux-x64")
    assert Path(archive).read_bytes() == DATA


def test_a_package_goes_without_where_none_can_be_had(tree, publisher, packed, capsys):
    archives = {"linux_x64": ("gone.tar.gz", SUM), "linux_arm64": ("unknown.tar.gz", "")}
    listed(tree, publisher.address, **archives)
    said = released("linux-x64", "linux-arm64", "darwin-x64")
    assert packed == {"linux-x64": [], "linux-arm64": [], "darwin-x64": []}
    sentences = [
        "The package for linux-x64 carries no Python: gone.tar.gz cannot be fetched (HTTP",
        "The package for linux-arm64 carries no Python: editors/vscode/scripts/pythons.toml has no "
        "checksum for it.",
        "The package for darwin-x64 carries no Python: editors/vscode/scripts/pythons.toml has no "
        "Python for it.",
    ]
    shown = capsys.readouterr().out
    for sentence in sentences:
        assert sentence in shown
        assert f"# {sentence}" in said
    # What has no checksum is not even asked for.
    assert publisher.asked == ["/20261110/gone.tar.gz"]


def test_a_package_goes_without_where_there_is_no_network_or_it_breaks_off(tree, publisher, packed):
    listed(tree, "http://127.0.0.1:9/x", linux_x64=("a.tar.gz", SUM))
    assert "a.tar.gz cannot be fetched" in released("linux-x64")
    publisher.short = True
    listed(tree, publisher.address, linux_x64=("a.tar.gz", SUM))
    assert "a.tar.gz cannot be fetched" in released("linux-x64")
    assert packed == {"linux-x64": []}
    assert list((tree / release_pythons.CACHE).iterdir()) == []


def test_another_file_than_the_one_that_was_meant_ends_the_release(tree, publisher, packed):
    listed(tree, publisher.address, linux_x64=("a.tar.gz", "0" * 64))
    with pytest.raises(release_pythons.PythonsError, match=f"has the checksum {SUM}, but"):
        released("linux-x64")
    assert packed == {}
    assert list((tree / release_pythons.CACHE).iterdir()) == []


def test_an_archive_that_is_given_is_not_fetched(tree, publisher, packed):
    listed(tree, publisher.address, linux_x64=("a.tar.gz", SUM))
    released("linux-x64", pythons={"linux-x64": ("/own.tar.gz", "1" * 64)})
    assert packed["linux-x64"] == ["--python", "/own.tar.gz", "--sha256", "1" * 64]
    assert publisher.asked == []


def test_a_list_that_cannot_be_read_is_named(tree):
    for text in ("[linux-x64]", 'address = "x"\n[linux-x64]\nfile = "a"\nsha256 = "abc"'):
        (tree / release_pythons.LIST).write_text(text)
        with pytest.raises(release_pythons.PythonsError, match=r"pythons\.toml"):
            release_pythons.fetch(tree, ["linux-x64"])


def test_the_list_names_a_stripped_archive_for_each_target():
    triples = {
        "linux-x64": "x86_64-unknown-linux-gnu",
        "linux-arm64": "aarch64-unknown-linux-gnu",
        "darwin-x64": "x86_64-apple-darwin",
        "darwin-arm64": "aarch64-apple-darwin",
    }
    told = tomllib.loads((REPO / release_pythons.LIST).read_text())
    date = told.pop("address").rpartition("/")[2]
    assert set(told) == set(release.TARGETS) == set(triples)
    for target, archive in told.items():
        version = archive["file"].removeprefix("cpython-").partition("+")[0]
        wanted = f"cpython-{version}+{date}-{triples[target]}-install_only_stripped.tar.gz"
        assert archive["file"] == wanted
