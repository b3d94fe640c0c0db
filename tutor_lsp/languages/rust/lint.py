"""Clippy's remarks, or the compiler's own where there is no clippy, from a build folder of their
own."""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from tutor_lsp.core.exercise.report import Remark
from tutor_lsp.languages.common.output import json_object
from tutor_lsp.languages.common.toolchain import contained
from tutor_lsp.languages.rust.environment import cargo_environment
from tutor_lsp.languages.rust.refresh import refresh
from tutor_lsp.process.box import Area
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.spec import Spec

TARGET = "target/lint"
LINTERS = ("clippy", "check")
OPTIONS = (
    "--offline",
    "--quiet",
    "--lib",
    "--message-format=json",
    "--target-dir",
    TARGET,
)
OUTPUT_BYTES = 1024 * 1024
SHOWN = 80
"""Longest replacement, in characters, that reads as part of a sentence."""
_STYLE = frozenset({
    "unused_parens", "unused_braces", "unused_imports", "redundant_semicolons", "non_snake_case",
    "non_camel_case_types", "non_upper_case_globals",
})  # fmt: skip
"""The compiler's own warnings of what works as it is."""


async def lint(
    folder: Path, files: Collection[str], limit_s: float, containment: Containment
) -> tuple[Remark, ...]:
    """See `core.ports.Toolchain.lint`."""
    await asyncio.to_thread(refresh, folder, folder / TARGET)
    for linter in LINTERS:
        argv = ("cargo", linter, *OPTIONS)
        spec = Spec(argv, folder, cargo_environment(), limit_s, output_bytes=OUTPUT_BYTES)
        ended = await contained(spec, Area(folder, writable=(folder / TARGET,)), containment)
        if ended is None:
            return ()
        said = ended.stdout.decode("utf-8", "replace")
        if ended.returncode == 0 or said.strip():
            return tuple(remarks(said, files))
    return ()


def remarks(output: str, files: Collection[str]) -> Iterator[Remark]:
    """The warnings in cargo's messages that have a rule and lie in one of `files`. What clippy is
    sure to be a mistake is an error to it."""
    for line in output.splitlines():
        message = json_object(line).get("message")
        if not isinstance(message, dict):
            continue
        code = (message.get("code") or {}).get("code")
        is_sure = message["level"] == "error" and str(code).startswith("clippy::")
        if not code or not (is_sure or message["level"] == "warning"):
            continue
        span = next((each for each in message["spans"] if each["is_primary"]), None)
        if span is not None and span["file_name"] in files:
            is_mere = code.startswith("clippy::") or code in _STYLE
            yield Remark(
                file=span["file_name"],
                line=span["line_start"],
                end_line=span["line_end"],
                rule=code,
                message=message["message"].partition("\n")[0] + _cure(message),
                rank=1 if is_mere and not is_sure else 0,
            )


def _cure(message: Mapping[str, Any]) -> str:
    """The advice that it gives, with the replacement where that is a short one."""
    for child in message.get("children", ()):
        said = str(child.get("message", "")).partition("\n")[0].rstrip(":")
        if child.get("level") != "help" or said.startswith("for further information"):
            continue
        spans: list[Any] = child.get("spans") or []
        text = str(spans[0].get("suggested_replacement") or "").strip() if len(spans) == 1 else ""
        if text and "\n" not in text and len(text) <= SHOWN:
            return f"; {said}: `{text}`"
        return f"; {said}" if len(said) <= SHOWN else ""
    return ""
