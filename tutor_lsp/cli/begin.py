"""From a verb's name and values to what it does. Whoever asks for help does not wait for that to be
imported.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from tutor_lsp.cli import lazy_methods
from tutor_lsp.cli.work import functions
from tutor_lsp.tutor.commands.names import BY_NAME

Values: TypeAlias = dict[str, Any]
"""The values of a verb's parameters."""


def _demo(values: Values) -> int:
    return functions.demo(
        values["home"], values["language"], plain=values["plain"], keep=not values["remove"]
    )


OWN: Mapping[str, Callable[[Values], int]] = MappingProxyType(
    {
        "watch": lambda values: functions.watch(values),
        "demo": _demo,
        "cost": lambda values: functions.cost(values),
        "generation-report": lambda values: functions.report_generation(values),
        "export": lambda values: functions.export_file(values),
        "import": lambda values: functions.import_file(values),
        "tidy": lambda values: functions.tidy_record(values),
        "new-exercise": lambda values: functions.new_own(values),
        "check-exercise": lambda values: functions.check_own(values),
    }
)
"""What the verbs do that are in the terminal only."""


def begin(verb: str, values: Mapping[str, Any]) -> int:
    """Do what a verb is for; its exit code."""
    lazy_methods.install()  # before what it needs is imported
    given = dict(values)
    return functions.perform(verb, given) if f"tutor.{verb}" in BY_NAME else OWN[verb](given)
