"""`tutor-lsp export` and `tutor-lsp import`: the whole learner record as one file."""

from typing import Any

from tutor_lsp.cli.paths import expanded
from tutor_lsp.cli.runtime import Invocation, options_of, run_shown
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.core.learner.loss import counted
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.tutor.learner.record.transfer.export import export
from tutor_lsp.tutor.learner.record.transfer.import_record import import_record

NAMED = 8
"""Most files that are named."""


def export_file(values: dict[str, Any]) -> int:
    """`export`."""
    path, force = expanded(values["file"]).absolute(), values["force"]
    invocation = Invocation(options_of(values))
    return run_shown(invocation, lambda app: export(app.services, path, force=force), _exported)


def import_file(values: dict[str, Any]) -> int:
    """`import`."""
    path = expanded(values["file"]).absolute()
    invocation = Invocation(options_of(values))
    return run_shown(invocation, lambda app: import_record(app.services, path), _imported)


def _said(out: Out, what: str, names: list[str]) -> None:
    if names:
        out.line(("bad", "! "), f"{t(what)}: {_first(names)}.")


def _first(names: list[str]) -> str:
    named, more = ", ".join(names[:NAMED]), len(names) - NAMED
    return t(f"{named} and {more} more (--json names all)") if more > 0 else named


def _exported(out: Out, result: dict[str, Any]) -> None:
    out.line(("good", "Written: "), result["path"])
    out.line(f"{_counts(result)}.")
    for path in result["leftOut"]:
        out.line(("bad", "! "), f"Left out, too large or not readable: {path}")


def _counts(result: dict[str, Any]) -> str:
    found = [
        counted(result["sessions"], "session"),
        counted(result["topics"], "topic"),
        counted(result["folders"], "exercise folder"),
        counted(result["events"], "event"),
    ]
    return ", ".join(part for part in found if part) or t("nothing")


def _imported(out: Out, result: dict[str, Any]) -> None:
    if not any(result.values()):
        out.line("Everything in it is already here.")
        return
    _said(out, marked("Left out, not part of an exercise"), result["leftOut"])
    _said(out, marked("Build files that differed, rebuilt"), result["writtenAnew"])
    out.line(f"{t('New')}: {_counts(result)}.")
    if result["placed"]:
        out.line(f"Exercises are now in {_first(result['placed'])}.")
        out.line(
            "None of them is run until you trust it: tutor-lsp check --path FOLDER asks for that."
        )
    if result["textsKept"]:
        out.line(
            f"Different from yours here: {counted(result['textsKept'], 'text')}. Yours stay; what "
            "the file has is kept in the event log."
        )
