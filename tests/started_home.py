"""A home with the first Python exercise just started: made once, and copied for each test."""

import io
import json
import shutil
import sqlite3
from contextlib import closing, redirect_stdout

import pytest
import quick

from tutor_lsp.cli.main import main


def moved(home, old):
    """Let every record of a copied home mean the copied folders."""
    for path in (home / "tutor.db", *(home / "backups").glob("*.db")):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(quick.NO_WAITING)
            connection.execute(
                "UPDATE sessions SET workspace = replace(workspace, ?1, ?2), "
                "body = replace(body, ?1, ?2)",
                (str(old), str(home)),
            )


@pytest.fixture(scope="session")
def first_home(tmp_path_factory):
    """The home that is copied, and what the start said."""
    home, said = tmp_path_factory.mktemp("first") / "home", io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said):
        patch.setenv("TUTOR_LSP_BACKEND", "library")
        assert main(["start", "--language", "python", "--json", "--home", str(home)]) == 0
    return home, said.getvalue()


def started(first_home, home):
    """Make a copy of it; what its start said."""
    first, said = first_home
    shutil.copytree(first, home, symlinks=True)
    moved(home, first)
    return json.loads(said.replace(str(first), str(home)))
