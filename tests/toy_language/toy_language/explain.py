"""The sentence for a failed test of Toy."""

from toy_language.grammar import blocks_of
from tutor_lsp.core.exercise.report import Failure
from tutor_lsp.languages.common import explain as say


def explain(test, files, stubs):
    """See `core.ports.Toolchain`."""
    about = say.target(test.name, stubs)
    if test.not_implemented:
        return say.not_written(None, about)
    if test.left is None:
        return Failure(f"`{about}` did not finish: {test.error}")
    left = _left_side(test, files)
    return Failure(f"`{left}` gave {test.left}, expected {test.right}", test.right, test.left)


def _left_side(test, files):
    for block in blocks_of(files.get(test.location.file, ""))[0]:
        for line in block.lines():
            if line[0].line == test.location.line:
                text = files[test.location.file]
                sign = next(word for word in line if word.text == "==")
                return text[line[0].end : sign.start].strip()
    return test.name
