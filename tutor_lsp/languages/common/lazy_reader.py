"""The half of a toolchain that reads texts, loaded when it is first asked: it takes a parser."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from tutor_lsp.core.exercise.report import BuildError, Failure, RawTest
from tutor_lsp.core.ports import FunctionSite, SourceReader, TestSite


class LazyReader:
    """Reads by the functions of the modules `source` and `explain` of `package`."""

    language: str
    package: str

    def functions(self, text: str) -> tuple[FunctionSite, ...]:
        return self._source().functions(text)

    def tests(self, text: str) -> tuple[TestSite, ...]:
        return self._source().tests(text)

    def syntax_error(self, file: str, text: str) -> BuildError | None:
        return self._source().syntax_error(file, text)

    def imports(self, text: str) -> tuple[tuple[int, str], ...]:
        return self._source().imports(text)

    def explain(self, test: RawTest, files: Mapping[str, str], stubs: Sequence[str]) -> Failure:
        explained: Failure = self._module("explain").explain(test, files, stubs)
        return explained

    def _source(self) -> SourceReader:
        return cast("SourceReader", self._module("source"))

    def _module(self, part: str) -> Any:
        return import_module(f"{self.package}.{part}")
