# What a client shows when the service is silent: `or_else` makes a decorator. With
# `@or_else("no forecast")` above a function, a call that raises a
# `ConnectionError` gives "no forecast". Every other call does what it did
# before: all its arguments arrive, its answer comes back, and errors of another
# kind go on. Name and docstring stay, and a method can be decorated as well.
#
# ex-6 - First principle: a decorator is functions in functions
# Read: LESSON.md, "A decorator from scratch"
# Test: test_or_else_gives_the_value_without_an_answer
# Start here: what is given to `or_else`, what to the decorator, what to a call?

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def or_else(value: R) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def decorate(func: Callable[P, R]) -> Callable[P, R]:
        @wraps(func)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return func(*args, **kwargs)
            except ConnectionError:
                return value

        return wrapper

    return decorate
