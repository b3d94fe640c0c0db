"""What docs/adding-a-*.md say is there, and the examples are those of the toy packages."""

import re
import tomllib
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from tutor_lsp.core.backend import BackendKind
from tutor_lsp.tutor.application.read_settings import CLIENT_ONLY
from tutor_lsp.tutor.commands.names import BY_NAME
from tutor_lsp.tutor.interface.arguments import ChoicesArguments
from tutor_lsp.tutor.interface.notifications import Notification
from tutor_lsp.tutor.voice.command_form import CommandForm

ROOT = Path(__file__).parents[2]
GROUPS = {"tutor_lsp.languages", "tutor_lsp.backends"}
EDITOR = ROOT / "docs" / "adding-an-editor.md"
PAGES = [ROOT / "docs" / f"adding-a-{name}.md" for name in ("language", "backend")]


@pytest.mark.parametrize("page", [*PAGES, EDITOR], ids=lambda page: page.stem)
def test_what_a_page_names_is_there(page):
    text = page.read_text("utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", text)
    paths = [ROOT / path for path in re.findall(r"`(tutor_lsp/[\w/]+\.py)`", text)]
    assert len(links) >= 3
    assert [
        path for path in (*paths, *(page.parent / link for link in links)) if not path.exists()
    ] == []
    modules = set(re.findall(r"`(tutor_lsp(?:\.\w+)+)`", text)) - GROUPS
    missing = [name for name in modules if not (found(name) or found(name.rpartition(".")[0]))]
    assert missing == []


def found(name):
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_entry_point_is_the_toy_s(page):
    [shown] = re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    toy = ROOT / "tests" / f"toy_{page.stem.rpartition('-')[2]}" / "pyproject.toml"
    given = tomllib.loads(toy.read_text("utf-8"))["project"]["entry-points"]
    assert tomllib.loads(shown)["project"]["entry-points"] == given


def test_every_attribute_of_a_kind_is_told():
    rows = re.findall(r"^\| `(\w+)", PAGES[1].read_text("utf-8"), re.MULTILINE)
    said = {name for name in vars(BackendKind) if not name.startswith("_")}
    assert set(rows) == said


def rows(heading):
    """First and second cell of the rows of the table in that section, without backticks."""
    section = EDITOR.read_text("utf-8").split(heading)[1].split("\n## ")[0]
    found = re.findall(r"^\| (.*?) \| (.*?) \|", section, re.MULTILINE)
    return dict(found[2:])


def named(heading):
    return {re.match(r"`([\w/]+)", first)[1] for first in rows(heading)}


def test_what_an_editor_is_told_is_all_there_is():
    assert named("## 1.") == {*CLIENT_ONLY, "model"}
    assert named("## 4.") == set(get_args(get_type_hints(ChoicesArguments)["list_"]))
    assert named("## 5.") == {each.METHOD for each in get_args(Notification)}
    sent = " ".join(path.read_text("utf-8") for path in (ROOT / "tutor_lsp/lsp").glob("*.py"))
    for method in named("## 6."):
        generated = method.replace("showM", "show_m").replace("showD", "show_d")
        generated = generated.replace("applyE", "apply_e").replace("codeL", "code_l")
        parts = (method, generated.replace("/", "_"), "create_async")
        assert any(part in sent for part in parts), method


def test_command_forms_say_what_the_page_shows():
    titles = {name: command.title for name, command in BY_NAME.items()}
    for form, said in rows("## 2.").items():
        template = None if form == "none" else form.strip("`")
        shown = re.match(r"`(.*?)`", said)[1]
        unit = {"unit": "ex-2"}
        assert CommandForm(template, titles).command("tutor.reset", unit) == shown
