"""The exercise and the topics that the stand-in for the server tells of."""

import os
from pathlib import Path

HOME = Path(os.environ["TUTOR_LSP_HOME"])
ROOT = HOME / "exercises" / "python-functions-words"
STUB = ROOT / "src" / "exercise" / "words.py"
SESSION = "s-1"
SOURCE = '''def shout(text: str) -> str:
    """Upper case.

    ex-1 - First principle: call a method
    Read: LESSON.md, "Shouting"
    Test: test_shout_raises_the_voice
    Start here: a str knows how
    """
    raise NotImplementedError("shout")


def naïve(text: str) -> str:
    """Lower case.

    ex-2 - First principle: call another method
    Read: LESSON.md, "Whispering"
    Test: test_naive_lowers_the_voice
    Start here: a str knows how
    """
    raise NotImplementedError("naïve")
'''
FILES = {
    STUB: SOURCE,
    ROOT / "LESSON.md": "# Words\n\nWhy.\n\n## Shouting\n\n`shout`\n\n## Whispering\n\n`naïve`\n",
    ROOT / "tests" / "test_words.py": "def test_shout_raises_the_voice(): ...\n",
    ROOT / ".tutor" / "exercise.json": "{}",
    ROOT / ".tutor" / "coach.md": "# Coach\n\nThe text of the last hint.\n",
}
UNITS = ("shout", "naïve")
TOPICS = [
    ("python", "python-functions", "○○○ Functions", "12 min", "First steps"),
    ("python", "python-strings", "●○○ Strings", "10 min · due for review", "First steps"),
    ("python", "python-classes", "○○○ Classes", "builds on Functions", "Objects"),
    ("rust", "rust-ownership", "○○○ Ownership", "15 min", "Memory"),
]
