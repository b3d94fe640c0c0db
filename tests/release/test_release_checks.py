"""A release refuses where something does not agree, and names all of it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from releasing import FACTS, REPO, commit, copy, git

sys.path.insert(0, str(REPO / "scripts"))
import release_checks as checks
import release_facts

PARTS = [*checks.VERSIONS, "CHANGELOG.md", "README.md", "release.toml", "scripts"]


def release(root, *words):
    return subprocess.run(
        [sys.executable, str(root / "scripts" / "release.py"), *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def tree(tmp_path):
    """What a release reads before it builds anything, ready for v1.2.3 and tagged."""
    root = tmp_path / "tree"
    copy(root, PARTS)
    version = release_facts.version(root)
    for name in checks.VERSIONS:
        text = (root / name).read_text()
        (root / name).write_text(text.replace(version, "1.2.3"))
    changes = (root / "CHANGELOG.md").read_text()
    (root / "CHANGELOG.md").write_text(changes.replace("## [Unreleased]", "## [1.2.3] - today", 1))
    (root / "release.toml").write_text(FACTS)
    for path, text in release_facts.sources(release_facts.read(root), root).items():
        path.write_text(text)
    commit(root)
    git(root, "tag", "v1.2.3")
    return root


def wrong(tree, tag="v1.2.3", *, rehearsal=False):
    facts = release_facts.read(tree)
    return [
        *checks.facts_missing(facts),
        *checks.versions(tree, checks.version_of(tag)),
        *checks.links(facts, tree),
        *checks.state(tree, tag, rehearsal=rehearsal),
    ]


def test_what_agrees_is_not_complained_about(tree):
    assert wrong(tree) == []


@pytest.mark.parametrize("name", checks.VERSIONS)
def test_another_version_is_named(tree, name):
    path = tree / name
    path.write_text(path.read_text().replace("1.2.3", "1.2.4"))
    commit(tree)
    git(tree, "tag", "--force", "v1.2.3")
    assert wrong(tree) == [f"{name} has version 1.2.4, but the tag says 1.2.3."]


def test_a_changelog_without_the_version_is_named(tree):
    path = tree / "CHANGELOG.md"
    path.write_text(path.read_text().replace("## [1.2.3]", "## [1.2.2]"))
    (said,) = checks.versions(tree, "1.2.3")
    assert said == "CHANGELOG.md has no heading [1.2.3] before those of other versions."


def test_a_tree_with_changes_is_named(tree):
    (tree / "note").write_text("")
    assert wrong(tree) == [
        "The tree has changes that are not committed (note): commit or discard them."
    ]


def test_the_tag_must_be_what_is_checked_out(tree):
    commit(tree)
    (said,) = wrong(tree)
    assert said == "The tag v1.2.3 is not the commit that is checked out: git checkout v1.2.3."
    git(tree, "tag", "--delete", "v1.2.3")
    assert wrong(tree) == ["There is no tag v1.2.3: git tag -a v1.2.3 -m v1.2.3."]
    assert wrong(tree, rehearsal=True) == []


def test_sources_without_the_links_are_named(tree):
    (tree / "release.toml").write_text(FACTS.replace("tutor.example", "tutor.test"))
    said = list(checks.links(release_facts.read(tree), tree))
    assert [each.partition(" ")[0] for each in said] == ["tutor-lsp.el", "README.md"]


@pytest.mark.parametrize("words", [["v1.2.3"], ["v1.2.3", "--dry-run"]])
def test_without_facts_it_refuses_and_names_those_that_are_missing(tree, words):
    path = tree / "release.toml"
    path.write_text(FACTS.replace("https://tutor.example", "").replace('"someone"', '""'))
    done = release(tree, *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "release.toml does not say yet: homepage, publisher. A release needs them: fill them in, "
        "run `make links` and commit.\n"
    )


def test_every_reason_is_said_at_once(tree):
    (tree / "note").write_text("")
    done = release(tree, "v9.9.9")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == len(checks.VERSIONS) + 3
    assert not (tree / "dist").exists()


def test_a_tag_of_another_form_is_refused(tree):
    done = release(tree, "1.2.3")
    assert done.returncode == 1
    assert done.stderr == "1.2.3 is no tag of a version, such as v1.2.3.\n"


def test_wheels_that_differ_are_told_apart(tmp_path):
    def wheel(name, **files):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for file, text in files.items():
                archive.writestr(file, text)
        return Path(tmp_path / name)

    one = wheel("one", a="1", b="2")
    assert list(checks.same_wheels(one, wheel("same", b="2", a="1"))) == []
    found = list(checks.same_wheels(one, wheel("other", a="1", b="3", c="4")))
    assert [each[0] for each in found] == ["b", "c"]
