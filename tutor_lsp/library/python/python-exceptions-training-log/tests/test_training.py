import pytest

from exercise.training import (
    LINES,
    Journal,
    JournalFullError,
    LogError,
    minutes,
    read_line,
    read_log,
    refuse,
    save,
)


def half(line: str) -> tuple[str, int]:
    if line == "odd":
        raise LogError("this one is odd")
    return line, len(line) // 2


def with_a_bug(line: str) -> tuple[str, int]:
    return line, len(line) // 0


def test_refuse_raises_a_log_error() -> None:
    with pytest.raises(LogError):
        refuse("yoga", "is no sport we know")


def test_refuse_says_what_and_why() -> None:
    with pytest.raises(LogError) as caught:
        refuse("golf 20", "is too slow")
    assert str(caught.value) == '"golf 20" is too slow'


def test_minutes_are_a_whole_number() -> None:
    assert minutes("45") == 45
    assert minutes("1") == 1
    assert minutes("600") == 600


def test_minutes_refuses_what_is_no_number() -> None:
    with pytest.raises(LogError) as caught:
        minutes("twenty")
    assert str(caught.value) == '"twenty" is not a number'


def test_minutes_keeps_the_cause() -> None:
    with pytest.raises(LogError) as caught:
        minutes("4.5")
    assert type(caught.value.__cause__).__name__ == "ValueError"


def test_minutes_has_limits() -> None:
    with pytest.raises(LogError) as caught:
        minutes("0")
    assert str(caught.value) == '"0" is not from 1 to 600'
    with pytest.raises(LogError) as caught:
        minutes("601")
    assert str(caught.value) == '"601" is not from 1 to 600'
    with pytest.raises(LogError) as caught:
        minutes("-5")
    assert str(caught.value) == '"-5" is not from 1 to 600'


def test_read_line_gives_sport_and_minutes() -> None:
    assert read_line("run 45") == ("run", 45)
    assert read_line("  swim   20 ") == ("swim", 20)


def test_read_line_wants_two_words() -> None:
    with pytest.raises(LogError) as caught:
        read_line("climb")
    assert str(caught.value) == '"climb" is not a sport and its minutes'
    with pytest.raises(LogError) as caught:
        read_line("run 20 30")
    assert str(caught.value) == '"run 20 30" is not a sport and its minutes'


def test_read_line_knows_its_sports() -> None:
    with pytest.raises(LogError) as caught:
        read_line("chess 30")
    assert str(caught.value) == '"chess" is no sport we know'


def test_read_line_lets_other_errors_pass() -> None:
    with pytest.raises(LogError) as caught:
        read_line("run fast")
    assert str(caught.value) == '"fast" is not a number'
    with pytest.raises(LogError) as caught:
        read_line("run 9000")
    assert str(caught.value) == '"9000" is not from 1 to 600'


def test_read_log_keeps_good_lines() -> None:
    assert read_log(["ab", "abcdef"], half) == ([("ab", 1), ("abcdef", 3)], [])


def test_read_log_notes_bad_lines() -> None:
    assert read_log(["ab", "odd"], half) == ([("ab", 1)], ["line 2: this one is odd"])


def test_read_log_goes_on_after_a_bad_line() -> None:
    assert read_log(["odd", "ab", "odd", "abcd"], half) == (
        [("ab", 1), ("abcd", 2)],
        ["line 1: this one is odd", "line 3: this one is odd"],
    )


def test_read_log_does_not_hide_bugs() -> None:
    with pytest.raises(ZeroDivisionError):
        read_log(["ab"], with_a_bug)
    with pytest.raises(ValueError, match="invalid literal"):
        read_log(["ab"], lambda line: (line, int(line)))


def test_save_writes_the_good_lines() -> None:
    journal = Journal(room=10)
    save(LINES, journal)
    assert journal.entries == ["run 45", "bike 90"]


def test_save_returns_the_notes() -> None:
    assert save(LINES, Journal(room=10)) == [
        'line 2: "twenty" is not a number',
        'line 4: "chess" is no sport we know',
        'line 5: "climb" is not a sport and its minutes',
    ]
    assert save(["run 45"], Journal(room=1)) == []


def test_save_closes_the_journal() -> None:
    journal = Journal(room=10)
    save(["run 45", "swim 20"], journal)
    assert journal.entries == ["run 45", "swim 20"]
    assert journal.is_open is False


def test_save_closes_a_full_journal_too() -> None:
    journal = Journal(room=1)
    with pytest.raises(JournalFullError):
        save(["run 45", "swim 20"], journal)
    assert journal.entries == ["run 45"]
    assert journal.is_open is False
