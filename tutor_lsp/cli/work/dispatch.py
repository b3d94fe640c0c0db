"""Maps each verb to its work."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any

from tutor_lsp.cli.runtime import Invocation, options_of
from tutor_lsp.cli.work.perform import perform
from tutor_lsp.tutor.commands.names import COMMANDS


def _watch(values: dict[str, Any]) -> int:
    from tutor_lsp.cli.work.watch import watch  # draws with rich, whatever the terminal shows

    place = values.pop("place")
    if place is not None:
        values["path"] = place
    return watch(Invocation(options_of(values)))


def _later(place: str) -> Callable[[dict[str, Any]], int]:
    """A function of a module beside this one, as `module:name`, imported with its first use: most
    verbs need little of what others need."""

    def work(values: dict[str, Any]) -> int:
        module, _, name = place.partition(":")
        code: int = getattr(import_module(f"tutor_lsp.cli.work.{module}"), name)(values)
        return code

    return work


def _demo(values: dict[str, Any]) -> int:
    from tutor_lsp.cli.demo.play import demo  # is an editor of its own

    return demo(
        values["home"], values["language"], plain=values["plain"], keep=not values["remove"]
    )


WORK: Mapping[str, Callable[[dict[str, Any]], int]] = MappingProxyType(
    {
        **{
            verb: partial(perform, verb)
            for verb in (command.name.removeprefix("tutor.") for command in COMMANDS)
        },
        "watch": _watch,
        "demo": _demo,
        "cost": _later("cost:cost"),
        "export": _later("transfer:export_file"),
        "import": _later("transfer:import_file"),
        "tidy": _later("tidy:tidy_record"),
        "new-exercise": _later("own:new_own"),
        "check-exercise": _later("own:check_own"),
    }
)
"""What each verb does with the values of its parameters: it gives the exit code."""
