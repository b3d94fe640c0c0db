from collections.abc import Callable


def accepts(times: int, errors: type[Exception], wait: Callable[[int], None]) -> bool:
    """At least one try is made, however few are asked for."""
    return issubclass(errors, Exception) and callable(wait)
