"""The texts that a language's folder holds."""

from pathlib import Path


def text_beside(module: str, name: str) -> str | None:
    """The text of a file beside a module (its `__file__`), None if there is none. Blocks."""
    try:
        return (Path(module).parent / name).read_text("utf-8")
    except FileNotFoundError:
        return None
