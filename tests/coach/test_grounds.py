"""What facts support, without running anything."""

import pytest

from tutor_lsp.tutor.hinting.coach import grounds
from tutor_lsp.tutor.hinting.coach.sentences import only

SEEN = 'def count(text): return 3 assert count("a  b") == 2 `count("a  b")` gave 3, expected 2'
TESTS = {"test_count_ignores_spaces"}


@pytest.mark.parametrize(
    ("sentence", "stands"),
    [
        ("Which method takes blanks away?", True),
        ("Your code gave 3, but 2 is expected.", True),
        ("Your code gave 7.", False),
        ("`count(\"a  b\")` returns 3.", True),
        ("`count(\"\")` returns 3.", False),
        ("test_count_ignores_spaces is about blanks.", True),
        ("test_count_of_everything is about blanks.", False),
        ("Imagine seven boxes with 40 apples.", True),
        ("The output is “abc”.", False),
        ("Line 99 is the one to look at.", False),
        ("Dein Code liefert `7313`.", False),
        ("Dein Code liefert 3.", True),
        ("Ton code renvoie `7313`.", False),
        ("En Python, tu código imprime 7313.", False),
        ("Tu código imprime 3.", True),
        ("你的代码打印 `7313`。", False),
        ("你的代码打印 `3`。", True),
        ("Erwartet werden 7313.", False),
        ("迭代器有没有方法，能直接给出“第一个满足条件的”？", True),
        ("你的代码为什么输出 `7313`？", False),
        ("Wie viele von 7313 Leerzeichen zählen?", True),
    ],
)  # fmt: skip
def test_a_sentence_stands_if_its_facts_do(sentence, stands):
    assert grounds.stands(sentence, SEEN, TESTS) == stands


def test_what_does_not_stand_is_left_out():
    def stands(said):
        return grounds.stands(said, SEEN, TESTS)

    text = "Look at the blanks. Your code gave 7.\n\nOne of them counts twice."
    assert only(text, stands) == "Look at the blanks.\n\nOne of them counts twice."
    assert only("It gave 7.", stands) == ""
    listed = "Three things:\n\n- Look at `a. b`.\n- It gave 7. Why?\n- 它给出 7。为什么？"
    kept = "Three things:\n\n- Look at `a. b`.\n- Why?\n- 为什么？"
    assert only(listed, lambda said: "7" not in said) == kept
    assert only("It gave 7:\n\nIt gave 7.", lambda said: said.endswith(":")) == ""


@pytest.mark.parametrize(
    ("text", "against"),
    [
        ("The test is wrong.", True),
        ("Change the second test, it has a bug.", True),
        ("There is an incorrect test here.", True),
        ("All tests pass already.", True),
        ("Your code is correct.", True),
        ("The test expects two words.", False),
        ("Something is wrong with the first word.", False),
        ("Fix the loop and all of it fits.", False),
        ("Your code is correct, you can stop now.", True),
        ("Der Test ist falsch.", True),
        ("Dein Code ist schon richtig, du kannst aufhören.", True),
        ("Le test est faux.", True),
        ("La prueba está mal.", True),
        ("Tu código ya está bien.", True),
        ("测试写错了。", True),
        ("你的代码已经正确。", True),
        ("Nothing is printed before the loop.", False),
        ("Der Test erwartet zwei Wörter.", False),
    ],
)
def test_nothing_is_said_against_the_tests(text, against):
    assert grounds.contradicts(text, failing=True) == against


@pytest.mark.parametrize(
    ("text", "shows"),
    [
        ("Have a look at `split`, `split()` and `str.split`.", False),
        ("What about `x = text.split()`?", True),
        ('Look at `count("a  b")` once more.', False),
        ("Is it `==` that you want?", False),
    ],
)
def test_names_are_no_code(text, shows):
    assert grounds.shows_code(text, SEEN) == shows
