"""A whole release of a copy of this repository, and its wheel as it runs without installing."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import jsonschema
import pytest
from releasing import FACTS, REPO, commit, copy, git

pytestmark = pytest.mark.release

LIMIT_S = 900
SOLUTION = REPO / "tutor_lsp/library/python/python-functions-movie-night/solution"
REGISTRY_ENTRY = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "name", "description", "homepage", "licenses", "languages", "categories", "source"
    ],
    "properties": {
        "name": {"const": "tutor-lsp"},
        "description": {"type": "string", "maxLength": 107},
        "homepage": {"type": "string", "pattern": "^https?://"},
        "licenses": {"type": "array", "minItems": 1, "items": {"const": "MIT"}},
        "languages": {"type": "array", "items": {"type": "string"}},
        "categories": {
            "type": "array",
            "items": {"enum": ["Compiler", "DAP", "Formatter", "LSP", "Linter", "Runtime"]},
        },
        "source": {
            "type": "object",
            "additionalProperties": False,
            "required": ["id"],
            "properties": {
                "id": {"pattern": r"^pkg:pypi/tutor-lsp@\d+\.\d+\.\d+$"},
                "supported_platforms": {"type": "array", "items": {"enum": ["unix"]}},
            },
        },
        "bin": {"type": "object", "additionalProperties": {"pattern": "^pypi:"}},
    },
}  # fmt: skip
"""What mason's schema demands of an entry that comes from the Python package index."""


def tool(name):
    """A program of the environment that the tests run in."""
    path = shutil.which(name, path=str(Path(sys.executable).parent))
    assert path is not None, f"{name} is not installed: make test-release does so"
    return path


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The copy with its release, and what the script printed."""
    root = tmp_path_factory.mktemp("release") / "tutor-lsp"
    copy(root)
    version = re.search(r'^version = "(.*)"', (root / "pyproject.toml").read_text(), re.MULTILINE)[
        1
    ]
    (root / "release.toml").write_text(FACTS)
    # Whether one can be fetched must not depend on where this runs.
    (root / "editors/vscode/scripts/pythons.toml").write_text('address = "http://127.0.0.1:9"\n')
    changes = (root / "CHANGELOG.md").read_text()
    (root / "CHANGELOG.md").write_text(changes.replace("[Unreleased]", f"[{version}]", 1))
    subprocess.run([sys.executable, "scripts/release_facts.py"], cwd=root, check=True)
    commit(root)
    git(root, "tag", f"v{version}")
    done = subprocess.run(
        [sys.executable, "scripts/release.py", f"v{version}", "--dry-run", "--target", "linux-x64"],
        cwd=root, capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return root, version, done.stdout


@pytest.fixture(scope="module")
def wheel(released):
    (found,) = (released[0] / "dist" / "release").glob("*.whl")
    return found


def test_everything_is_built_and_told_how_to_publish(released):
    root, version, said = released
    out = root / "dist" / "release"
    built = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert built >= {
        f"tutor_lsp-{version}.tar.gz",
        f"tutor_lsp-{version}-py3-none-any.whl",
        "mason/packages/tutor-lsp/package.yaml",
    }
    packages = {name for name in built if name.endswith(".vsix")}
    assert packages == {"tutor-lsp.vsix", "tutor-lsp-linux-x64.vsix"}
    for name in built - {"mason/packages/tutor-lsp/package.yaml"}:
        assert f"dist/release/{name}" in said.partition("publish it:")[2]
    assert "twine upload" in said
    assert "The package for linux-x64 carries no Python" in said
    assert "vsce publish --packagePath" in said
    assert git(root, "status", "--porcelain") == b""


def test_the_extensions_lead_to_the_repository(released):
    root, version, _ = released
    for package in (root / "dist" / "release").glob("*.vsix"):
        with zipfile.ZipFile(package) as archive:
            manifest = json.loads(archive.read("extension/package.json"))
            texts = archive.read("extension/package.nls.json").decode()
            readme = archive.read("extension/readme.md").decode()
            changes = archive.read("extension/changelog.md").decode()
        assert manifest["publisher"] == "someone"
        assert "openWalkthrough?%22someone.tutor-lsp%23begin" in texts
        assert manifest["repository"]["url"] == "https://github.com/someone/tutor"
        assert manifest["bugs"] == {"url": "https://github.com/someone/tutor/issues"}
        assert manifest["homepage"] == "https://tutor.example"
        assert manifest["galleryBanner"].keys() == {"color", "theme"}
        pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", readme)
        at = f"https://github.com/someone/tutor/raw/v{version}/editors/vscode/images/"
        assert pictures
        for picture in pictures:
            assert picture.startswith(at)
            assert (root / "editors/vscode/images" / picture.removeprefix(at)).is_file()
        assert f"[{version}]" in changes


def test_the_sdist_holds_what_the_wheel_is_made_from_alone(released):
    root, version, _ = released
    with tarfile.open(root / "dist" / "release" / f"tutor_lsp-{version}.tar.gz") as archive:
        tops = {name.split("/")[1] for name in archive.getnames()}
    assert {"tests", "docs", "lua", "plugin", "benchmarks"} & tops == set()
    assert tops >= {"tutor_lsp", "README.md", "LICENSE", "CHANGELOG.md", "release.toml"}


def test_the_entry_for_mason_is_what_its_registry_takes(released):
    import yaml

    root, version, _ = released
    file = root / "dist/release/mason/packages/tutor-lsp/package.yaml"
    entry = yaml.safe_load(file.read_text())
    jsonschema.validate(entry, REGISTRY_ENTRY)
    assert entry["source"]["id"] == f"pkg:pypi/tutor-lsp@{version}"
    # Their longest line.
    assert max(map(len, file.read_text().splitlines())) <= 120


@pytest.mark.parametrize("runner", ["uvx", "pipx"])
def test_a_session_without_installing(wheel, tmp_path, runner):
    """Start, a check of the stubs, a pass: the library, pytest and the editors' files are there."""
    words = {
        "uvx": [tool("uvx"), "--from", wheel, "tutor-lsp"],
        "pipx": [tool("pipx"), "run", "--spec", wheel, "tutor-lsp"],
    }[runner]
    kept = {key: value for key, value in os.environ.items() if not key.startswith("TUTOR_")}
    environment = {
        **kept,
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "UV_CACHE_DIR": str(tmp_path / "uv"),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
    }

    def verb(*rest, code=0, cwd=tmp_path):
        done = subprocess.run(
            [*words, *rest], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    started = json.loads(verb("start", "--node", "python-functions", "--json"))
    workspace = Path(started["workspace"])
    assert json.loads(verb("check", "--json", code=3, cwd=workspace))["outcome"] == "failed"
    for file in started["files"]:
        source = SOLUTION / file
        if source.is_file():
            shutil.copy(source, workspace / file)
    assert json.loads(verb("check", "--json", cwd=workspace))["outcome"] == "passed"
    for editor, file in (("neovim", "plugin/tutor_lsp.lua"), ("emacs", "tutor-lsp.el")):
        assert (Path(verb("editor-path", editor).strip()) / file).is_file()
