"""Defective exercises: good ones with one thing made wrong, and the step that must find it.

The good ones are what `new-exercise` writes. Each file in `corpus/` has the defects of a language,
one after the other: a line `# step: what is wrong`, then what is changed, in the manner of a diff.
Where a text is changed, the lines
with `-` or a blank in front must stand in it together, and just once, down to the next `@`; `move`
gives a file another name wherever it is named, `new` and `drop` add and remove one. `{40 words}`
stands for so many.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.authoring.own.new_exercise import template

FOLDER = Path(__file__).parent / "corpus"
NAME = "own-basics-weather"
LANGUAGES = ("python", "rust", "c")

_HEAD = re.compile(r"# (?P<step>\w+): (?P<name>.*)")
_WORDS = re.compile(r"\{(\d+) words\}")


@dataclass(frozen=True)
class Defect:
    name: str
    language: str
    step: str
    lines: tuple[str, ...]

    @property
    def id(self):
        return f"{self.language}: {self.name}"

    def files(self):
        """The defective exercise, without domains: each defect is one of the other parts."""
        made = template(self.language, NAME, {})
        parts = {path: text for path, text in made.items() if not path.startswith("accepts/")}
        return _Patch(parts).apply(self.lines)


class _Patch:
    def __init__(self, files):
        self.files = files
        self.path = None
        self.old, self.new = [], []

    def apply(self, lines):
        for line in lines:
            mark, text = line[:1], _WORDS.sub(lambda m: "word " * int(m[1]), line[1:])
            if mark in ("-", " "):
                self.old.append(text)
            if mark in ("+", " "):
                self.new.append(text)
            if mark not in ("-", "+", " "):
                self._flush()
                if mark != "@":
                    self._file(*line.split())
        self._flush()
        return self.files

    def _file(self, *words):
        if len(words) == 1:
            (self.path,) = words
        elif words[0] == "new":
            self.path = words[1]
            self.files[self.path] = ""
        elif words[0] == "drop":
            del self.files[words[1]]
        else:
            _, old, new = words
            moved = {old: new, f"solution/{old}": f"solution/{new}"}
            self.files = {
                moved.get(path, path): text.replace(old, new) for path, text in self.files.items()
            }

    def _flush(self):
        if self.path and (self.old or self.new):
            text = f"\n{self.files[self.path]}"
            old = "\n" + "".join(f"{line}\n" for line in self.old)
            assert text.count(old) == 1, f"{self.path}: {text.count(old)} times {self.old}"
            new = "\n" + "".join(f"{line}\n" for line in self.new)
            self.files[self.path] = text.replace(old, new)[1:]
        self.old, self.new = [], []


def defects():
    """All of them, in the order of the files."""
    return [defect for language in LANGUAGES for defect in _read(language)]


def _read(language):
    text = (FOLDER / f"{language}.txt").read_text("utf-8")
    for chunk in re.split(r"\n\n(?=# )", text.rstrip("\n")):
        head, *lines = chunk.split("\n")
        found = _HEAD.fullmatch(head)
        yield Defect(found["name"], language, found["step"], tuple(lines))
