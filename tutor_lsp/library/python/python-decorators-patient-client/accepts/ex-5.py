from collections.abc import Callable
from typing import Any


def accepts(func: Callable[..., Any], log: list[str], wait: Callable[[int], None]) -> bool:
    """A function with a name, as `def` makes it, and any log."""
    return hasattr(func, "__name__") and isinstance(log, list) and callable(wait)
