"""Prints the server's settings as VS Code configuration properties, for scripts/settings.mjs.

Run with a Python that tutor-lsp is installed in.
"""

import json
import sys
from typing import Any

from tutor_lsp.core.setting_values import SettingInfo
from tutor_lsp.core.settings import describe
from tutor_lsp.tutor.services.installed import installed

TYPES = {
    "text": "string",
    "path": "string",
    "program": "string",
    "switch": "boolean",
    "whole": "integer",
    "number": "number",
    "paths": "array",
}
OF_THE_MACHINE = frozenset({"path", "program", "paths"})


def scope(info: SettingInfo) -> str:
    """Programs, folders, addresses and the key's variable belong to the machine; the rest may
    follow a workspace."""
    if info.key.endswith(("Url", "Variable")):
        return "machine"
    return "machine-overridable" if info.kind in OF_THE_MACHINE else "window"


def prop(info: SettingInfo) -> dict[str, Any]:
    """One configuration property."""
    default = list(info.default) if info.kind == "paths" else info.default
    if info.kind == "whole" or (info.kind == "number" and float(info.default).is_integer()):
        default = int(info.default)
    found: dict[str, Any] = {
        "type": TYPES[info.kind],
        "default": "" if default is None else default,
        "scope": scope(info),
    }
    if info.kind == "paths":
        found["items"] = {"type": "string"}
    offered = {choice: meaning for choice, meaning in info.choices.items() if meaning}
    if offered:
        found["enum"] = list(offered)
        found["enumDescriptions"] = [meaning.replace("`", "") for meaning in offered.values()]
    if info.bounds:
        found["minimum"], found["maximum"] = info.bounds
    found["markdownDescription"] = info.description
    return found


sys.stdout.write(json.dumps({f"tutor.{info.key}": prop(info) for info in describe(installed())}))
