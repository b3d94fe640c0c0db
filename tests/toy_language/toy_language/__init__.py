"""Toy as a language of tutor-lsp: a few functions and tests, run by an interpreter in Python."""

import re

from toy_language.dialect import ToyDialect
from toy_language.toolchain import ToyToolchain
from tutor_lsp.core.language.language import Lines, Names
from tutor_lsp.languages.language import BaseLanguage


class Toy(BaseLanguage):
    """See `tutor_lsp.core.language.language.Language`."""

    id = "toy"
    name = "Toy"
    suffixes = (".toy",)
    stub = re.compile(r"^\s*todo\b", re.MULTILINE)
    names = Names(fences=frozenset({"toy"}))
    lines = Lines(
        definition=r"\s*fun\s+%s\b",
        begins=re.compile(r"\s*(?:fun|test)\b"),
        comment=("--",),
        above=("--",),
        closes=("end",),
        prints=r"^\s*print\b",
    )

    def toolchain(self, settings, contain):
        return ToyToolchain(contain=contain)

    def dialect(self):
        return ToyDialect()
