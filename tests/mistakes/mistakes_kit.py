"""Known mistakes of the new exercise of each language, and what the proof says of them."""

import asyncio

from tutor_lsp.authoring.own.check_exercise import check_exercise
from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.languages.toolchains import toolchains

TOOLS = toolchains()
FENCE = {"python": "python", "rust": "rust", "c": "c"}


def file_of(language, *mistakes):
    """The file of some mistakes, each a name, lines above the code, and the code."""
    fence = FENCE[language]
    texts = (f"## {name}\n\n{above}\n\n```{fence}\n{code}```\n" for name, above, code in mistakes)
    return "\n".join(texts)


def again(folder):
    """All that the proof of an exercise says."""
    return asyncio.run(check_exercise(folder, toolchains=TOOLS))


def checked(folder, language, unit, *mistakes, kinds=()):
    """What the proof finds of a new exercise with these mistakes of a unit, and its figures."""
    new_exercise(folder, language, kinds=kinds)
    (folder / "mistakes").mkdir()
    (folder / f"mistakes/{unit}.md").write_text(file_of(language, *mistakes))
    result = again(folder)
    return [(each.step, each.line, each.message) for each in result.findings], result.proof
