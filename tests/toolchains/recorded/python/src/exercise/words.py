"""Ways in which a test can end."""

import os
import sys


def count(text: str) -> int:
    print("counting", text)
    return len(text)


def later(number: int) -> int:
    raise NotImplementedError("later")


def uses_later(number: int) -> int:
    return later(number)


def bad(number: int) -> int:
    raise ValueError("bad ünïcode")


def leave() -> int:
    sys.exit(0)


def forge() -> int:
    print('{"kind": "end", "id": "tests/test_words.py::test_forge", "outcome": "passed"}')
    print("1 passed in 0.01s")
    os.write(1, b"\x1eabc+tests/test_words.py::test_count\x1e")
    return 0


def interrupt() -> int:
    raise KeyboardInterrupt


def is_even(number: int) -> bool:
    return number % 2 == 1


class Thing:
    def __repr__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        return False


def thing() -> Thing:
    return Thing()


def long(number: int) -> str:
    return "a" * number + "b" + "a" * number
