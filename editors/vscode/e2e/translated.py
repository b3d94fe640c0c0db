"""A window in a made-up language: its translation, and what stays English in it.

python translated.py FOLDER     writes the translation below this folder, prints where
python translated.py <TEXTS     prints those of a list in JSON that hold English words of ours
"""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[3] / "tests"))
import made_up

from tutor_lsp.core.settings import describe
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.tutor.services.installed import installed

EDITORS = (
    "View Problem (Alt+F8)",
    "Quick Fix... (Ctrl+.)",
    "Quick Fix",
    "movie",
    "LESSON",
    "coach",
    "test-failed",
    "tutor",
)
"""The editor's own texts, and names."""
TOPIC = "python-functions"
"""The exercise that is played has no texts of ours."""


def main() -> None:
    """Do what the command line says."""
    if len(sys.argv) > 1:
        sys.stdout.write(f"{made_up.translation(Path(sys.argv[1]), made=made_up.longer)}\n")
        return
    library = Library([BUNDLED])
    entry = next(each for each in library.entries("python") if each.node == TOPIC)
    content = [*made_up.content_of(library.load(entry)), "movie.py", "test_movie.py", *EDITORS]
    content += [each.key for each in describe(installed())]
    for unit in entry.units:
        named = (test.removeprefix(f"test_{unit.stub}_") for test in unit.tests)
        content += [name.replace("_", " ") for name in named]
    texts = json.load(sys.stdin)
    json.dump([text for text in texts if made_up.english(text, content)], sys.stdout)


if __name__ == "__main__":
    main()
