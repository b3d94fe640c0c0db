"""The texts that a language's folder holds."""

from pathlib import Path


def words(text: str) -> frozenset[str]:
    """The words of a text with blanks between them."""
    return frozenset(text.split())


def text_beside(module: str, name: str) -> str | None:
    """The text of a file beside a module (its `__file__`), None if there is none. Blocks."""
    try:
        return (Path(module).parent / name).read_text("utf-8")
    except FileNotFoundError:
        return None


def harness_text(module: str, name: str) -> str:
    """The text of a file in the folder `harness` beside a module. Blocks."""
    return text_beside(module, f"harness/{name}") or ""
