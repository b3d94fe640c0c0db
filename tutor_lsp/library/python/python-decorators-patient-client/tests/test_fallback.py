import pytest

from exercise.fallback import or_else


class Station:
    """A weather station whose line is dead or not."""

    def __init__(self, line: bool) -> None:
        self.line = line
        self.asked = 0

    @or_else("no answer")
    def sky(self, city: str, *, days: int = 1) -> str:
        """Tell the weather."""
        self.asked += 1
        if not self.line:
            raise ConnectionError("dead line")
        return f"{city}: {days} x sun"


@or_else(0)
def wind(city: str, gusts: int = 0) -> int:
    """Measure the wind."""
    if city == "nowhere":
        raise PermissionError("no such city")
    return len(city) + gusts


def test_or_else_gives_the_value_without_an_answer() -> None:
    dead = Station(line=False)
    assert dead.sky("Porto") == "no answer"
    assert dead.asked == 1
    assert or_else(None)(dead.sky)("Porto") == "no answer"


def test_or_else_passes_arguments_and_answers_on() -> None:
    assert wind("Bonn", gusts=3) == 7
    assert wind("Porto", 10) == 15
    assert Station(line=True).sky("Porto", days=2) == "Porto: 2 x sun"
    assert or_else(0)(max)(4, 9, 2) == 9
    assert or_else(7)(len)("") == 0


def test_or_else_keeps_name_and_docstring() -> None:
    assert (wind.__name__, wind.__doc__) == ("wind", "Measure the wind.")
    assert (Station.sky.__name__, Station.sky.__doc__) == ("sky", "Tell the weather.")
    assert or_else(0)(len).__name__ == "len"


def test_or_else_lets_other_errors_pass() -> None:
    with pytest.raises(PermissionError, match="no such city"):
        wind("nowhere")
    with pytest.raises(ValueError):
        or_else(0)(int)("seven")
