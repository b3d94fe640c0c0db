"""Writes the extension's texts in every language that the one catalogue is translated to.

    python scripts/l10n.py FOLDER [LOCALES]

Into FOLDER go package.nls.<language>.json, l10n/bundle.l10n.<language>.json and the pages of the
walkthrough, for each LOCALES/<language>/LC_MESSAGES/tutor_lsp.mo. Texts without a translation are
left out, so that the editor shows them in English. Standard library only.
"""

import gettext
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
LOCALES = HERE.parents[1] / "tutor_lsp" / "locale"
DOMAIN = "tutor_lsp"


def blocks(page: str) -> list[str]:
    """The paragraphs, headings and lists of a page, which are translated one by one."""
    return [block for block in page.strip().split("\n\n") if block]


def pages() -> dict[str, str]:
    """Texts of the walkthrough's pages by their names without ending."""
    found = sorted((HERE / "media").glob("*.md"))
    return {path.stem: path.read_text(encoding="utf-8") for path in found}


def _texts(name: str) -> dict[str, str]:
    path = HERE / name
    told = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {str(key): str(text) for key, text in told.items()}


def manifest() -> dict[str, str]:
    """Texts of package.json by their keys."""
    return _texts("package.nls.json")


def said() -> list[str]:
    """Texts of the sources."""
    return list(_texts("l10n/bundle.l10n.json"))


def write(folder: Path, locales: Path = LOCALES) -> list[str]:
    """The languages, as the editor names them, whose files were written."""
    languages = []
    for path in sorted(locales.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")):
        with path.open("rb") as file:
            translation = gettext.GNUTranslations(file)
        of = path.parents[1].name
        language = of.replace("_", "-").lower()
        told = {key: translation.gettext(text) for key, text in manifest().items()}
        bundle = {text: translation.gettext(text) for text in said()}
        written = {
            f"package.nls.{language}.json": told,
            f"l10n/bundle.l10n.{language}.json": {
                text: other for text, other in bundle.items() if other != text
            },
        }
        (folder / "l10n").mkdir(parents=True, exist_ok=True)
        (folder / "media").mkdir(parents=True, exist_ok=True)
        for name, content in written.items():
            text = json.dumps(content, ensure_ascii=False, indent=2)
            (folder / name).write_text(text + "\n", encoding="utf-8")
        for name, page in pages().items():
            text = "\n\n".join(translation.gettext(block) for block in blocks(page))
            (folder / "media" / f"{name}.nls.{language}.md").write_text(
                text + "\n", encoding="utf-8"
            )
        languages.append(language)
    return languages


if __name__ == "__main__":
    sys.stdout.write(" ".join(write(Path(sys.argv[1]), *map(Path, sys.argv[2:3]))) + "\n")
