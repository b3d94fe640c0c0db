"""What a verb imports: what it needs, and nothing of other verbs."""

import json
import subprocess
import sys

import pytest

HEAVY = {
    "pydantic", "pydantic_core", "pygls", "lsprotocol", "jsonschema", "rich", "fsrs", "openai",
    "markdown_it", "tree_sitter", "tarfile", "email", "ssl", "zipfile",
}  # fmt: skip
OTHERS = (
    "tutor_lsp.lsp.server", "tutor_lsp.authoring.proof", "tutor_lsp.authoring.own",
    "tutor_lsp.authoring.refresher", "tutor_lsp.contracts.models", "tutor_lsp.tutor.hinting.coach",
    "tutor_lsp.tutor.reviewing", "tutor_lsp.tutor.running.execute", "tutor_lsp.stages.runner",
    "tutor_lsp.tutor.starting.start", "tutor_lsp.tutor.learner.record.transfer",
    "tutor_lsp.cli.demo",
    "tutor_lsp.tutor.learner.pages", "tutor_lsp.cli.work.own", "tutor_lsp.cli.work.watch",
)  # fmt: skip
MOST = 502
"""Modules in all, the standard library's included; it may only fall."""
SHOWN = """
import atexit, json, sys
from tutor_lsp.cli.main import main
def loaded():
    from tutor_lsp.cli.quick.modules import Later
    there = [name for name, module in sys.modules.items() if not isinstance(module, Later)]
    print(json.dumps(sorted(there)), file=sys.stderr)
atexit.register(loaded)
sys.exit(main())
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """The modules that `status` of a new home loads."""
    home = tmp_path_factory.mktemp("status") / "home"
    ran = subprocess.run(
        [sys.executable, "-c", SHOWN, "status", "--json", "--home", str(home)],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return json.loads(ran.stderr.splitlines()[-1])


def test_status_imports_no_heavy_library(loaded):
    assert HEAVY & {name.partition(".")[0] for name in loaded} == set()


def test_status_imports_nothing_of_other_verbs(loaded):
    assert [name for name in loaded if name.startswith(OTHERS)] == []
    assert len(loaded) <= MOST
