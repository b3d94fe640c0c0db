"""Runs Toy: `interpreter.py test NAME FILE…` one test, `interpreter.py run FILE…` a program.

Needs no package but Python's own. What a test comes to is one JSON object on the last line.
"""

import json
import operator
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from grammar import BrokenError, blocks_of

SIGNS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le,
    ">=": operator.ge, "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": operator.floordiv, "%": operator.mod,
}  # fmt: skip
ERRORS = (ArithmeticError, LookupError, NameError, RecursionError, SyntaxError, TypeError)
LEVELS = (("==", "!=", "<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))


class CheckError(Exception):
    """A check that does not hold, with the values of both sides."""

    def __init__(self, line, left, right):
        super().__init__(f"the check in line {line} does not hold")
        self.line, self.left, self.right = line, left, right


class TodoError(Exception):
    """A stub that nobody has written yet."""


class GivenError(Exception):
    """What a function gives back."""


class Program:
    """The functions of some files, which can be called."""

    def __init__(self, files):
        self.functions, self.tests, self.outside, self.where = {}, {}, [], []
        for file in files:
            blocks, outside, broken = blocks_of(Path(file).read_text("utf-8"))
            if broken is not None:
                raise broken
            self.outside += outside
            for block in blocks:
                (self.functions if block.kind == "fun" else self.tests)[block.name.text] = (
                    file,
                    block,
                )

    def call(self, name, values):
        """The value of a function for these arguments."""
        if name not in self.functions:
            raise NameError(f"there is no function {name}")
        file, block = self.functions[name]
        names = block.parameters()
        if len(names) != len(values):
            raise TypeError(f"{name} takes {len(names)} values, not {len(values)}")
        depth = len(self.where)
        try:
            self.body(file, block.lines(), dict(zip(names, values, strict=True)))
        except GivenError as given:
            del self.where[depth:]
            return given.args[0]
        return 0

    def body(self, file, lines, names):
        """Run lines one after the other."""
        at = 0
        while at < len(lines):
            first, *rest = lines[at]
            self.where.append((file, first.line))
            if first.text == "if":
                inside, other, at = split(lines, at)
                self.body(file, inside if self.value(rest, names) else other, names)
            elif first.text == "give":
                raise GivenError(self.value(rest, names))
            elif first.text == "let":
                names[rest[0].text] = self.value(rest[2:], names)
            elif first.text == "print":
                print(shown(self.value(rest, names), plain=True))
            elif first.text == "check":
                self.check(first, rest, names)
            elif first.text == "todo":
                raise TodoError(rest[0].text if rest else "")
            else:
                self.value(lines[at], names)
            self.where.pop()
            at += 1

    def check(self, first, words, names):
        at = next((i for i, word in enumerate(words) if word.text == "=="), None)
        if at is None:
            if not self.value(words, names):
                raise CheckError(first.line, None, None)
            return
        left, right = self.value(words[:at], names), self.value(words[at + 1 :], names)
        if left != right:
            raise CheckError(first.line, shown(left), shown(right))

    def value(self, words, names):
        """The value of an expression."""
        found, rest = self.level(words, 0, names)
        if rest:
            raise SyntaxError(f"`{rest[0].text}` is not expected in line {rest[0].line}")
        return found

    def level(self, words, level, names):
        if level == len(LEVELS):
            return self.atom(words, names)
        found, words = self.level(words, level + 1, names)
        while words and words[0].text in LEVELS[level]:
            other, rest = self.level(words[1:], level + 1, names)
            found, words = SIGNS[words[0].text](found, other), rest
        return found, words

    def atom(self, words, names):
        if not words:
            raise SyntaxError("a value is missing")
        first, *rest = words
        if first.text == "-":
            found, rest = self.atom(rest, names)
            return -found, rest
        if first.text == "(":
            found, rest = self.level(rest, 0, names)
            return found, rest[1:]
        if first.kind == "number":
            return int(first.text), rest
        if first.kind == "text":
            return first.text[1:-1], rest
        if first.kind != "name":
            raise SyntaxError(f"`{first.text}` is no value in line {first.line}")
        if not rest or rest[0].text != "(":
            if first.text not in names:
                raise NameError(f"there is no {first.text}")
            return names[first.text], rest
        values, rest = [], rest[1:]
        while rest and rest[0].text != ")":
            found, rest = self.level(rest, 0, names)
            values.append(found)
            rest = rest[1:] if rest and rest[0].text == "," else rest
        return self.call(first.text, values), rest[1:]


def split(lines, at):
    """The lines below an `if`, those below its `else`, and where its `end` is."""
    depth, parts, part = 0, ([], []), 0
    for number in range(at + 1, len(lines)):
        word = lines[number][0].text
        if depth == 0 and word == "end":
            return (*parts, number)
        if depth == 0 and word == "else":
            part = 1
            continue
        depth += (word == "if") - (word == "end")
        parts[part].append(lines[number])
    return (*parts, len(lines))


def shown(value, plain=False):
    """A value as Toy writes it."""
    if isinstance(value, str):
        return value if plain else f'"{value}"'
    return str(int(value))


def outcome(program, name):
    """What a test comes to."""
    file, block = program.tests[name]
    try:
        program.body(file, block.lines(), {})
    except CheckError as failed:
        return {
            "outcome": "failed",
            "line": failed.line,
            "left": failed.left,
            "right": failed.right,
        }
    except TodoError:
        return {"outcome": "todo"} | place(program)
    except ERRORS as error:
        return {"outcome": "failed", "error": f"{type(error).__name__}: {error}"} | place(program)
    return {"outcome": "passed"}


def place(program):
    """Where in the functions it ended, and in the test."""
    test = program.where[0][1]
    inside = [at for at in program.where if at[0].startswith("src/")]
    return {"line": test} | ({"raised": inside[-1]} if inside else {})


def main(what, *rest):
    """The exit code."""
    name, files = (rest[0], rest[1:]) if what == "test" else (None, rest)
    try:
        program = Program(files)
    except BrokenError as broken:
        print(f"line {broken.at.line}: {broken.message}", file=sys.stderr)
        return 2
    if what == "test":
        print(json.dumps(outcome(program, name)))
        return 0
    lines = {}
    for word in program.outside:
        lines.setdefault(word.line, []).append(word)
    try:
        program.body("", list(lines.values()), {})
    except (CheckError, TodoError, *ERRORS) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
