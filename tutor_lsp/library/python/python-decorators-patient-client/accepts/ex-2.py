from collections.abc import Callable
from typing import Any


def accepts(func: Callable[..., Any]) -> bool:
    """A function with a name, as `def` makes it."""
    return callable(func) and hasattr(func, "__name__")
