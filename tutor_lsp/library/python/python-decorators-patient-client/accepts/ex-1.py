from collections.abc import Callable
from typing import Any


def accepts(func: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
    """Any function, whatever its arguments."""
    return callable(func)
