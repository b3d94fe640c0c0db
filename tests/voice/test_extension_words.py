"""The VS Code extension in another language: its texts come from the one catalogue."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

REPO = Path(__file__).resolve().parents[2]
VSCODE = REPO / "editors" / "vscode"
POT = REPO / "tutor_lsp" / "locale" / "tutor_lsp.pot"
KEPT = re.compile(
    r"(\{\w*\}|`[^`]*`|\$\([\w~-]+\)|\]\([^)]*\)|https?:\S+|\btutor\.\w[\w.]*|\w*[/_.]\w[\w./]*)"
)
"""What stays in every language: places, code, icons, targets, names of settings and files."""
OTHER = str.maketrans(
    {chr(ord("a") + at): chr(0x1D41A + at) for at in range(26)}
    | {chr(ord("A") + at): chr(0x1D400 + at) for at in range(26)}
)
PROSE = re.compile(r"[A-Za-z]{2}")
VALUES = {"args", "command", "default", "enablement", "enum", "icon", "id", "items", "key", "mac"}
VALUES |= {"media", "pattern", "view", "when"}
"""Keys whose values are no prose."""


def made_up(text):
    """The text in a language in which no letter is the same."""
    return "".join(
        part if at % 2 else part.translate(OTHER) for at, part in enumerate(KEPT.split(text))
    )


def is_english(text):
    return any(PROSE.search(part) for at, part in enumerate(KEPT.split(text)) if not at % 2)


@pytest.fixture(scope="module")
def packaged(tmp_path_factory):
    """What a package gets for the made-up language `xx_YY`."""
    folder = tmp_path_factory.mktemp("words")
    with POT.open("rb") as file:
        catalogue = read_po(file, locale=None)
    for message in catalogue:
        if message.id and isinstance(message.id, str):
            message.string = made_up(message.id)
    path = folder / "locale" / "xx_YY" / "LC_MESSAGES" / "tutor_lsp.mo"
    path.parent.mkdir(parents=True)
    catalogue.fuzzy = False
    with path.open("wb") as file:
        write_mo(file, catalogue)
    done = subprocess.run(
        [sys.executable, str(VSCODE / "scripts" / "l10n.py"), str(folder), str(folder / "locale")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["xx-yy"]
    return folder


def shown(value, texts, place=""):
    """Every text of a manifest that is no value, with where it stands."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in VALUES and not (place.endswith("menus") or ".menus." in f"{place}."):
                yield from shown(item, texts, f"{place}.{key}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from shown(item, texts, f"{place}.{at}")
    elif isinstance(value, str):
        key = re.fullmatch(r"%([^%\s]+)%", value)
        yield place, texts[key[1]] if key else value


def test_nothing_that_the_extension_contributes_is_in_english(packaged):
    manifest = json.loads((VSCODE / "package.json").read_text())
    texts = json.loads((packaged / "package.nls.xx-yy.json").read_text())
    parts = {
        key: manifest[key] for key in ("displayName", "description", "capabilities", "contributes")
    }
    found = list(shown(parts, texts))
    assert len(found) > 100
    identifiers = re.compile(r"[\w.:/-]+")
    prose = [
        (place, text)
        for place, text in found
        if is_english(text) and not (identifiers.fullmatch(text) and not text[0].isupper())
    ]
    allowed = re.compile(r"\.(type|scope|supported|order|format|completionEvents\.\d+)$")
    assert [each for each in prose if not allowed.search(each[0])] == []


def test_every_sentence_of_the_sources_is_in_the_bundle(packaged):
    told = json.loads((VSCODE / "l10n" / "bundle.l10n.json").read_text())
    bundle = json.loads((packaged / "l10n" / "bundle.l10n.xx-yy.json").read_text())
    assert len(told) > 100
    assert bundle == {text: made_up(text) for text in told}
    assert [text for text in bundle.values() if is_english(text)] == []


def test_the_walkthrough_is_translated(packaged):
    pages = sorted(path.stem for path in (VSCODE / "media").glob("*.md"))
    assert pages
    for name in pages:
        page = (packaged / "media" / f"{name}.nls.xx-yy.md").read_text()
        assert not is_english(page)
        english = (VSCODE / "media" / f"{name}.md").read_text()
        assert page == made_up(english)


def test_a_text_without_translation_is_left_to_the_editor(tmp_path):
    folder = tmp_path / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with POT.open("rb") as file:
        catalogue = read_po(file, locale=None)
    catalogue.fuzzy = False
    catalogue["Hint"].string = "Hinweis"
    with (folder / "tutor_lsp.mo").open("wb") as file:
        write_mo(file, catalogue)
    script = str(VSCODE / "scripts" / "l10n.py")
    subprocess.run([sys.executable, script, str(tmp_path), str(tmp_path / "locale")], check=True)
    bundle = json.loads((tmp_path / "l10n" / "bundle.l10n.de.json").read_text())
    assert bundle == {"Hint": "Hinweis"}
    texts = json.loads((tmp_path / "package.nls.de.json").read_text())
    assert texts["commands.tutorLsp.hint.title"] == "Hinweis"
    assert texts["commands.tutorLsp.start.title"] == "Start Exercise"
