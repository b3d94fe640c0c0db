"""How somebody adds a translation: one file, one command."""

import gettext
import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

pytestmark = pytest.mark.xdist_group("translating")
SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture(scope="module")
def module():
    """scripts/catalogue.py and the texts that it has found: to find them takes two seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        import catalogue

        with catalogue.POT.open("rb") as file:
            yield catalogue, read_po(file)


@pytest.fixture
def catalogue(module, monkeypatch, tmp_path):
    """The same, at work in a folder without translations."""
    script, texts = module
    monkeypatch.setattr(script, "POT", tmp_path / "tutor_lsp.pot")
    monkeypatch.setattr(script, "template", lambda: texts)
    script.main([])
    return script


def fill(path, english, other):
    """Translate a text as a translator does, in the file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(f'msgid "{english}"\nmsgstr ""') == 1
    before = f'msgid "{english}"\nmsgstr "'
    path.write_text(text.replace(f'{before}"', f'{before}{other}"'), encoding="utf-8")


def test_a_translation_is_one_file_and_one_command(catalogue, tmp_path):
    catalogue.main(["--new", "de"])
    path = tmp_path / "de" / "LC_MESSAGES" / "tutor_lsp.po"
    assert catalogue.drifted() == []
    fill(path, "Run the tests", "Tests ausführen")
    fill(path, "Keep trying", "Weiter versuchen")
    assert catalogue.drifted() == ["de/LC_MESSAGES/tutor_lsp.mo"]
    catalogue.main([])
    assert catalogue.drifted() == []
    found = gettext.translation("tutor_lsp", tmp_path, ["de_AT"])
    assert found.gettext("Run the tests") == "Tests ausführen"
    assert found.pgettext("editor", "Keep trying") == "Weiter versuchen"
    assert found.gettext("Keep trying") == "Keep trying"
    assert found.info()["language"] == "de"
    catalogue.main(["--new", "de"])
    assert "Tests ausführen" in path.read_text(encoding="utf-8"), "it is there already"


def test_what_is_no_longer_said_is_kept_aside_and_what_is_like_it_is_for_review(
    catalogue, tmp_path, monkeypatch
):
    catalogue.main(["--new", "de"])
    path = tmp_path / "de" / "LC_MESSAGES" / "tutor_lsp.po"
    fill(path, "Run the tests", "Tests ausführen")
    changed = Catalog()
    changed.add("Run the tests now")
    monkeypatch.setattr(catalogue, "template", lambda: changed)
    catalogue.main([])
    text = path.read_text(encoding="utf-8")
    assert '#, fuzzy\nmsgid "Run the tests now"\nmsgstr "Tests ausführen"' in text
    compiled = gettext.GNUTranslations(BytesIO(path.with_suffix(".mo").read_bytes()))
    assert compiled.gettext("Run the tests now") == "Run the tests now"


def test_the_terminal_speaks_it(catalogue, tmp_path):
    catalogue.main(["--new", "de"])
    path = tmp_path / "de" / "LC_MESSAGES" / "tutor_lsp.po"
    fill(path, "Run the tests", "Tests ausführen")
    catalogue.main([])
    ran = subprocess.run(
        [sys.executable, "-m", "tutor_lsp", "--help"],
        env={**os.environ, "LANGUAGE": "de", "TEXTDOMAINDIR": str(tmp_path)},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert re.search(r"check +Tests ausführen", ran.stdout)
    assert re.search(r"hint +Get the next hint", ran.stdout)
