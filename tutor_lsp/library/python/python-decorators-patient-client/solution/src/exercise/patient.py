"""Patient client: decorators that try again, keep a log and remember answers.

None of them knows what the function does that it wraps. `P` stands for its parameters, whatever
they are, and `R` for what it returns, so a wrapped function has the type that it had before.
"""

from collections.abc import Callable, Hashable, Mapping
from functools import wraps  # noqa: F401 (for your decorators)
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

TRIES = 3


class Service:
    """A weather service that does not answer the first few questions."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.asked = 0

    def forecast(self, city: str, days: int = 1) -> str:
        """Return the forecast for a city."""
        self.asked += 1
        if self.asked <= self.failures:
            raise ConnectionError("no answer")
        return f"{city}: {days} x sun"


def later(func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
    """Return a function without parameters. Each call of it calls `func` with
    these arguments and returns the answer; before, nothing is called.
    ex-1 - First principle: an inner function remembers
    Read: LESSON.md, "A call, packed for later"
    Test: test_later_calls_nothing_by_itself
    Start here: a lambda without parameters begins with `lambda:`
    """
    return lambda: func(*args, **kwargs)


def key_of(args: tuple[object, ...], kwargs: Mapping[str, object]) -> Hashable:
    """Return one value for all arguments of a call. It is equal for equal calls, whatever the
    order of the keywords, and it can be a key of a dictionary. (Given: use it in `remembered`.)
    """
    return args, frozenset(kwargs.items())


def remembered(func: Callable[P, R]) -> Callable[P, R]:
    """Return a function that does the same as `func` and has its name and
    docstring, but calls it once for the same arguments: later it returns the
    first answer. Errors are not remembered. Each has its own memory.
    ex-2 - First principle: a wrapper stands in for the function
    Read: LESSON.md, "Around a function"
    Test: test_remembered_calls_once_for_equal_arguments
    Start here: which variable has to live longer than a single call?
    """
    memory: dict[Hashable, R] = {}

    @wraps(func)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        key = key_of(args, kwargs)
        if key not in memory:
            memory[key] = func(*args, **kwargs)
        return memory[key]

    return wrapper


def logged(log: list[str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator. What it wraps does the same and keeps name and
    docstring, but each call logs a line: "forecast gave 'sun'", with the
    function's name and the `repr` of the answer, or "forecast failed: no
    answer", with the error's text. The error goes on.
    ex-3 - First principle: arguments need one more level
    Read: LESSON.md, "Decorators with arguments"
    Test: test_logged_notes_each_answer
    Start here: what must `logged(log)` return, to be called with a function?
    """

    def decorate(func: Callable[P, R]) -> Callable[P, R]:
        @wraps(func)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                answer = func(*args, **kwargs)
            except Exception as error:
                log.append(f"{func.__name__} failed: {error}")
                raise
            log.append(f"{func.__name__} gave {answer!r}")
            return answer

        return wrapper

    return decorate


def retry(
    times: int, errors: type[Exception], wait: Callable[[int], None]
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator. What it wraps keeps name and docstring, and is
    tried up to `times` times, at least once, as long as it raises one of the
    `errors`. After the first failed try `wait(1)` is called, after the second
    `wait(2)`, and so on. The last error goes on, with no wait after it, other
    errors at once.
    ex-4 - First principle: the wrapper decides how often
    Read: LESSON.md, "The wrapper decides"
    Test: test_retry_tries_until_it_works
    Start here: which of the tries is different from all the others?
    """

    def decorate(func: Callable[P, R]) -> Callable[P, R]:
        @wraps(func)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            call = later(func, *args, **kwargs)
            for attempt in range(1, times):
                try:
                    return call()
                except errors:
                    wait(attempt)
            return call()

        return wrapper

    return decorate


def patient(func: Callable[P, R], log: list[str], wait: Callable[[int], None]) -> Callable[P, R]:
    """Return `func` with all three around it. It is tried up to `TRIES` times
    on a `ConnectionError`, with `wait` in between. Each question makes one
    line in the log, whatever the tries, and a remembered answer none.
    ex-5 - First principle: the order of wrappers matters
    Read: LESSON.md, "Who stands outside?"
    Test: test_patient_tries_again
    Start here: which of the three should a call meet first?
    """
    return remembered(logged(log)(retry(TRIES, ConnectionError, wait)(func)))
