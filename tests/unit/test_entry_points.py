"""Entry points are those that importlib.metadata finds."""

import sys
import zipfile
from importlib import metadata

import pytest

from tutor_lsp.languages import entry_points as ours


@pytest.fixture(autouse=True)
def _anew(monkeypatch):
    monkeypatch.setattr(ours, "_in_folders", ours._in_folders.__wrapped__)


def both(group):
    def told(points):
        return sorted((p.name, p.value, p.dist.name, id(p.load())) for p in points)

    return told(ours.entry_points(group)), told(metadata.entry_points(group=group))


def install(place, folder, text, name="Their-Package"):
    info = place / folder
    info.mkdir(parents=True)
    file = "PKG-INFO" if folder.endswith(".egg-info") else "METADATA"
    info.joinpath(file).write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    if text is not None:
        info.joinpath("entry_points.txt").write_text(text)


@pytest.mark.parametrize("group", ["tutor_lsp.languages", "tutor_lsp.backends"])
def test_of_what_is_installed_here(group):
    mine, theirs = both(group)
    assert mine == theirs
    assert len(mine) >= 3


def test_of_packages_of_every_form(tmp_path, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    install(first, "their_package-1.dist-info", """
# a comment = json:loads
[console_scripts]
run = json:dumps
[toys]
a = json : JSONDecoder
b= json.decoder:JSONDecoder.decode [extra]
c =json.encoder
""")  # fmt: skip
    install(first, "old.egg-info", "[toys]\nd = json:load\n", "old")
    install(second, "Their_Package-0.dist-info", "[toys]\nshadowed = json:nothing\n")
    install(second, "none-1.dist-info", None)
    monkeypatch.setattr(sys, "path", [str(first), str(tmp_path / "gone"), str(second), *sys.path])
    mine, theirs = both("toys")
    assert mine == theirs
    assert [name for name, *_ in mine] == ["a", "b", "c", "d"]


def test_of_what_is_in_no_folder(tmp_path, monkeypatch):
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("zipped-1.dist-info/METADATA", "Name: zipped\nVersion: 1\n")
        file.writestr("zipped-1.dist-info/entry_points.txt", "[toys]\nz = json:loads\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(packed)])
    mine, theirs = both("toys")
    assert mine == theirs
    assert [name for name, *_ in mine] == ["z"]
