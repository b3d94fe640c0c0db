import pytest

from exercise.patient import Service, later, logged, patient, remembered, retry


def no_wait(attempt: int) -> None:
    """Wait for nothing."""


def sky(city: str, mark: str = ".") -> str:
    """Tell the weather."""
    return f"sun in {city}{mark}"


def refuse(name: str) -> str:
    raise PermissionError(f"not {name}")


class Blank:
    """An answer that has no text."""

    def __repr__(self) -> str:
        raise LookupError("no text")


def test_later_calls_nothing_by_itself() -> None:
    seen: list[int] = []
    call = later(seen.append, 3)
    assert seen == []
    call()
    assert seen == [3]


def test_later_passes_everything_on() -> None:
    assert later(sky, "Porto")() == "sun in Porto."
    assert later(sky, "Porto", mark="!")() == "sun in Porto!"


def test_later_calls_anew_each_time() -> None:
    seen: list[str] = []
    call = later(seen.append, "x")
    call()
    call()
    assert seen == ["x", "x"]


def test_remembered_calls_once_for_equal_arguments() -> None:
    service = Service(failures=0)
    ask = remembered(service.forecast)
    assert [ask("Porto"), ask("Porto"), ask("Bonn"), ask("Porto")] == [
        "Porto: 1 x sun",
        "Porto: 1 x sun",
        "Bonn: 1 x sun",
        "Porto: 1 x sun",
    ]
    assert service.asked == 2
    assert ask(days=2, city="Porto") == ask(city="Porto", days=2) == "Porto: 2 x sun"
    assert ask("Porto", days=3) == "Porto: 3 x sun"
    assert service.asked == 4


def test_remembered_keeps_any_answer() -> None:
    seen: list[int] = []
    note = remembered(seen.append)
    assert note(5) is None
    assert note(5) is None
    assert seen == [5]
    ask = remembered(Service(failures=1).forecast)
    with pytest.raises(ConnectionError):
        ask("Porto")
    assert ask("Porto") == "Porto: 1 x sun"


def test_remembered_has_one_memory_for_each_function() -> None:
    assert remembered(sky)("Porto") == "sun in Porto."
    assert remembered(str.upper)("Porto") == "PORTO"


def test_remembered_keeps_name_and_docstring() -> None:
    ask = remembered(sky)
    assert (ask.__name__, ask.__doc__) == ("sky", "Tell the weather.")
    assert ask("Bonn", mark="?") == "sun in Bonn?"


def test_logged_notes_each_answer() -> None:
    log: list[str] = []
    ask = logged(log)(sky)
    ask("Porto")
    ask("Bonn", mark="!")
    assert log == ["sky gave 'sun in Porto.'", "sky gave 'sun in Bonn!'"]


def test_logged_hands_the_answer_back() -> None:
    assert logged([])(sky)("Porto") == "sun in Porto."
    assert logged([])(sky)(city="Bonn", mark="!") == "sun in Bonn!"


def test_logged_notes_errors_and_lets_them_pass() -> None:
    log: list[str] = []
    with pytest.raises(PermissionError):
        logged(log)(refuse)("Ben")
    assert log == ["refuse failed: not Ben"]
    with pytest.raises(LookupError):
        logged(log)(Blank)()
    assert log == ["refuse failed: not Ben"]


def test_logged_keeps_name_and_docstring() -> None:
    ask = logged([])(sky)
    assert (ask.__name__, ask.__doc__) == ("sky", "Tell the weather.")


def test_retry_tries_until_it_works() -> None:
    service = Service(failures=2)
    ask = retry(4, ConnectionError, no_wait)(service.forecast)
    assert (ask("Porto", days=2), ask.__name__) == ("Porto: 2 x sun", "forecast")
    assert service.asked == 3


def test_retry_waits_between_the_tries() -> None:
    waits: list[int] = []
    ask = retry(4, ConnectionError, waits.append)(Service(failures=3).forecast)
    assert ask("Bonn") == "Bonn: 1 x sun"
    assert waits == [1, 2, 3]
    assert ask("Bonn") == "Bonn: 1 x sun"
    assert waits == [1, 2, 3]


def test_retry_gives_up_with_the_last_error() -> None:
    waits: list[int] = []
    service = Service(failures=9)
    ask = retry(3, ConnectionError, waits.append)(service.forecast)
    with pytest.raises(ConnectionError, match="no answer"):
        ask("Bonn")
    assert (service.asked, waits) == (3, [1, 2])
    with pytest.raises(ConnectionError, match="no answer"):
        ask("Bonn")
    assert (service.asked, waits) == (6, [1, 2, 1, 2])
    with pytest.raises(ConnectionError, match="no answer"):
        retry(1, ConnectionError, waits.append)(service.forecast)("Bonn")
    assert (service.asked, waits) == (7, [1, 2, 1, 2])


def test_retry_catches_nothing_else() -> None:
    waits: list[int] = []
    with pytest.raises(PermissionError):
        retry(3, ConnectionError, waits.append)(refuse)("Ana")
    assert waits == []
    with pytest.raises(PermissionError):
        retry(2, OSError, waits.append)(refuse)("Ana")
    assert waits == [1]


def test_patient_tries_again() -> None:
    waits: list[int] = []
    service = Service(failures=2)
    assert patient(service.forecast, [], waits.append)("Porto", days=3) == "Porto: 3 x sun"
    assert (service.asked, waits) == (3, [1, 2])
    with pytest.raises(PermissionError):
        patient(refuse, [], waits.append)("Ana")
    assert waits == [1, 2]


def test_patient_logs_each_question_once() -> None:
    log: list[str] = []
    ask = patient(Service(failures=1).forecast, log, no_wait)
    ask("Porto")
    ask("Bonn")
    assert log == ["forecast gave 'Porto: 1 x sun'", "forecast gave 'Bonn: 1 x sun'"]


def test_patient_remembers_without_a_line() -> None:
    log: list[str] = []
    service = Service(failures=0)
    ask = patient(service.forecast, log, no_wait)
    assert ask("Porto") == ask("Porto") == "Porto: 1 x sun"
    assert (service.asked, log) == (1, ["forecast gave 'Porto: 1 x sun'"])


def test_patient_asks_again_after_a_failure() -> None:
    log: list[str] = []
    ask = patient(Service(failures=3).forecast, log, no_wait)
    with pytest.raises(ConnectionError):
        ask("Porto")
    assert ask("Porto") == "Porto: 1 x sun"
    assert log == ["forecast failed: no answer", "forecast gave 'Porto: 1 x sun'"]
