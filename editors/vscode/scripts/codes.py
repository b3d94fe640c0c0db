"""The codes of compilers and linters that bundled exercises practise, as the server offers them.

    python scripts/codes.py           writes src/code/codes.json
    python scripts/codes.py --check   exit 1 if src/code/codes.json says something else

Run with the Python that the tutor is installed for.
"""

import json
import sys
from pathlib import Path

from tutor_lsp.core.learner.curriculum import normal_code
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum

FILE = Path(__file__).parent.parent / "src" / "code" / "codes.json"


def codes() -> dict[str, list[str]]:
    """By language, without case and prefixes, sorted."""
    curriculum, library = load_curriculum(), Library([BUNDLED])
    return {
        language: sorted(
            {
                normal_code(code)
                for node in curriculum.of(language)
                if library.find(node.id)
                for code in node.error_codes
            }
        )
        for language in curriculum.languages
    }


text = json.dumps(codes(), indent=2) + "\n"
if sys.argv[1:] == ["--check"]:
    if not FILE.exists() or FILE.read_text(encoding="utf-8") != text:
        sys.exit("src/code/codes.json does not hold the server's codes: run scripts/codes.py again")
elif not sys.argv[1:]:
    FILE.write_text(text, encoding="utf-8")
else:
    sys.exit("usage: python scripts/codes.py [--check]")
