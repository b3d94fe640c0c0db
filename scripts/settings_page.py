"""Writes docs/settings.md from the settings model; `--check` fails where it has drifted."""

import sys
from pathlib import Path

from tutor_lsp.core.settings import describe
from tutor_lsp.tutor.services.installed import installed

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"
HEAD = """# Settings

This page is made from the settings in the code by `make settings`.

Three places, the later wins: `<home>/config.toml` (which the terminal reads too), environment
variables, and your editor's settings in the section `tutor`. A value that cannot be used is
reported and ignored; the others stay in force.

| setting | environment | default | meaning |
| --- | --- | --- | --- |
"""


def page() -> str:
    """The page's text."""
    rows = []
    for info in describe(installed()):
        default = "" if info.default in (None, ()) else f"`{str(info.default).lower()}`"
        if isinstance(info.default, str):
            default = f"`{info.default}`"
        offered = [f"`{choice}`" for choice, meaning in info.choices.items() if meaning]
        choices = f" One of {', '.join(offered)}." if offered else ""
        bounds = f" {info.bounds[0]} to {info.bounds[1]}." if info.bounds else ""
        rows.append(
            f"| `{info.key}` | `{info.environment}` | {default} | "
            f"{info.description}{choices}{bounds} |"
        )
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
            sys.exit("docs/settings.md does not match the settings: run `make settings`")
    else:
        PAGE.write_text(page(), encoding="utf-8")
