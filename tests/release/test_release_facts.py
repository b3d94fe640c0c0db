"""release.toml, and what each package takes of it."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from tutor_lsp.languages.registry import languages

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "scripts"))
import release_facts  # noqa: E402

NONE = release_facts.Facts("", "", "", "")
KNOWN = release_facts.Facts(
    "https://github.com/someone/tutor",
    "https://github.com/someone/tutor/issues",
    "https://tutor.example",
    "someone",
)
MANIFEST = json.loads((REPO / "editors" / "vscode" / "package.json").read_text())


@pytest.fixture
def tree(tmp_path):
    """A copy of those files that carry or take links."""
    for name in ("release.toml", "README.md", "pyproject.toml", "editors/emacs/tutor-lsp.el"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPO / name, tmp_path / name)
    return tmp_path


def write(tree, facts):
    lines = [f'{name} = "{value}"\n' for name, value in vars(facts).items()]
    (tree / "release.toml").write_text("# Facts\n" + "".join(lines))


def test_ours_can_be_read():
    assert release_facts.read() == replace(
        NONE, **tomllib.loads((REPO / "release.toml").read_text())
    )


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("repository", "http://forge.example/x", "repository in release.toml must be an https"),
        ("bugs", "https://forge.example/x/", "bugs in release.toml must be an https"),
        ("homepage", "forge.example", "homepage in release.toml must be an https"),
        ("publisher", "Some One", "publisher in release.toml must be a name"),
        ("shop", "x", "must have these keys and no others"),
    ],
)
def test_a_wrong_value_is_named(tree, name, value, said):
    (tree / "release.toml").write_text("")
    with pytest.raises(release_facts.FactsError, match="these keys"):
        release_facts.read(tree)
    told = {**vars(NONE), name: value}
    (tree / "release.toml").write_text("".join(f'{k} = "{v}"\n' for k, v in told.items()))
    with pytest.raises(release_facts.FactsError, match=re.escape(said)):
        release_facts.read(tree)


def test_what_is_not_known_is_missing_and_left_out():
    assert NONE.missing == ["repository", "bugs", "homepage", "publisher"]
    assert replace(KNOWN, bugs="").missing == ["bugs"]
    assert KNOWN.missing == []
    assert release_facts.vscode(NONE, "1.2.3") == {"manifest": {}, "pages": None, "raw": None}
    assert NONE.links == {}
    with pytest.raises(release_facts.FactsError, match="homepage"):
        release_facts.mason(NONE, "1.2.3")


def test_files_of_a_release_are_found_on_known_forges_alone():
    assert KNOWN.pages("1.2.3") == "https://github.com/someone/tutor/blob/v1.2.3"
    assert KNOWN.raw("1.2.3") == "https://github.com/someone/tutor/raw/v1.2.3"
    elsewhere = replace(KNOWN, repository="https://forge.example/tutor")
    assert (elsewhere.pages("1.2.3"), elsewhere.raw("1.2.3")) == (None, None)


def test_links_into_the_repository_lead_to_the_release():
    text = "[a](docs/a.md) [b](https://b.example) [c](#c) ![d](d.png)"
    with_links = release_facts.absolute(text, KNOWN, "1.2.3", "x/")
    page = "https://github.com/someone/tutor/blob/v1.2.3/x/docs/a.md"
    picture = "https://github.com/someone/tutor/raw/v1.2.3/x/d.png"
    assert with_links == f"[a]({page}) [b](https://b.example) [c](#c) ![d]({picture})"
    assert release_facts.absolute(text, NONE, "1.2.3").startswith("a [b](https://b.example)")
    assert release_facts.absolute("One.\n\n![d](d.png)\n\nTwo.", NONE, "1.2.3") == "One.\n\nTwo."


def test_sources_take_the_links_and_give_them_back(tree):
    before = release_facts.sources(NONE, tree)
    assert before == {path: path.read_text() for path in before}
    for path, text in release_facts.sources(KNOWN, tree).items():
        path.write_text(text)
    header = (tree / "editors/emacs/tutor-lsp.el").read_text()
    assert re.search(r"^;; Version: .*\n;; URL: https://tutor\.example\n", header, re.MULTILINE)
    readme = (tree / "README.md").read_text()
    assert readme.endswith(
        "[Homepage](https://tutor.example) · [Source](https://github.com/someone/tutor) · "
        "[Issues](https://github.com/someone/tutor/issues)\n"
    )
    assert release_facts.sources(KNOWN, tree) == {path: path.read_text() for path in before}
    assert release_facts.sources(NONE, tree) == before


def test_the_wheel_takes_the_links(tree):
    shutil.copytree(REPO / "scripts", tree / "scripts")
    for facts in (NONE, KNOWN):
        write(tree, facts)
        metadata = WheelBuilder(str(tree)).metadata.core
        assert metadata.urls == facts.links
        relative = re.findall(r"\]\((?!https:|#)", metadata.readme)
        assert relative == []
        page = "(https://github.com/someone/tutor/blob/v"
        assert (page in metadata.readme) == (facts is KNOWN)
        picture = "(https://github.com/someone/tutor/raw/v"
        assert (picture in metadata.readme) == ("![" in metadata.readme) == (facts is KNOWN)


def test_every_language_is_a_keyword():
    project = tomllib.loads((REPO / "pyproject.toml").read_text())["project"]
    assert languages().keys() <= set(project["keywords"])
    assert languages().keys() <= set(MANIFEST["keywords"])


def test_pictures_of_the_readme_are_there_and_small():
    folder = REPO / "editors" / "vscode"
    text = (folder / "README.md").read_text()
    named = {folder / path for path in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)}
    assert named == set((folder / "images").iterdir())
    assert [path.name for path in named if path.stat().st_size > 100_000] == []


def test_pictures_of_the_readme_of_all_are_there_and_load_nothing():
    named = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (REPO / "README.md").read_text())
    assert [Path(name).suffix for name in named] == [".png", ".svg"]
    assert max((REPO / name).stat().st_size for name in named) < 200_000
    drawn = (REPO / named[1]).read_text()
    assert not re.search(r"<(script|image|use|style)|href|url\(", drawn)
    assert "tutor-lsp check" in drawn


def test_nothing_of_it_is_kept_in_the_manifest():
    assert {"repository", "bugs", "homepage"} & MANIFEST.keys() == set()


def test_a_check_names_the_file_without_links(tree):
    shutil.copytree(REPO / "scripts", tree / "scripts")
    script = [sys.executable, str(tree / "scripts" / "release_facts.py")]
    write(tree, KNOWN)
    done = subprocess.run([*script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "README.md lacks the links of release.toml: run `make links`" in done.stderr
    assert subprocess.run(script, check=False).returncode == 0
    assert subprocess.run([*script, "--check"], check=False).returncode == 0
