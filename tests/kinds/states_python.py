"""What people write into units in Python, and what they then see.

Each state is an edit (`Mixed.edited`), the unit's state, the line of its mark, and how its sentence
begins.
"""

NOTE = "src/exercise/weather.py"
READING, READING_TEST = "src/exercise/reading.py", "tests/test_reading.py"
WARMEST, WARMEST_TEST = "src/exercise/warmest.py", "tests/test_warmest.py"
SPAN, SPAN_TEST = "src/exercise/span.py", "tests/test_span.py"
ANSWERS, GAUGE, ANSWERS_TEST = (
    "src/exercise/answers.py", "src/exercise/gauge.py", "tests/test_answers.py"
)  # fmt: skip
FROST = '    frost = ", frost" if is_frosty(celsius) else ""\n'
SAYS = '    return f"{celsius} C is {to_fahrenheit(celsius)} F{frost}"\n'
BODY = {
    "as it is given": ((FROST, "", SAYS, '    raise NotImplementedError("note")\n'), "todo", 27, "`note` is not written yet"),
    "only `pass`": ((FROST, "", SAYS, "    pass\n"), "failing", 27, "`note(20)` gave None, expected '20 C is 68 F'"),
    "its comment alone": ((FROST, "", SAYS, ""), "failing", 27, "`note(20)` gave None, expected '20 C is 68 F'"),
    "a comment for a body": ((FROST, "", SAYS, "    # later\n"), "failing", 27, "`note(20)` gave None, expected '20 C is 68 F'"),
    "an ellipsis": ((FROST, "", SAYS, "    ...\n"), "failing", 27, "`note(20)` gave None, expected '20 C is 68 F'"),
    "printed": (("return f", "print(f", ' F{frost}"', ' F{frost}")'), "failing", 27, "`note(20)` gave None, expected '20 C is 68 F'"),
    "nothing returned": (("return f", "text = f"), "failing", 27, "`note(20)` gave None, expected '20 C is 68 F'"),
    "no frost": (("F{frost}", "F"), "failing", 27, "`note(-5)` gave '-5 C is 23 F', expected '-5 C is 23 F, frost'"),
    "frost the other way round": (("if is_frosty", "if not is_frosty"), "failing", 27, "`note(20)` gave '20 C is 68 F, frost', expected '20 C is 68 F'"),
    "a space too many": ((" F{frost}", "  F{frost}"), "failing", 27, "`note(20)` gave '20 C is 68  F', expected '20 C is 68 F'"),
    "no f before the text": (("return f", "return "), "failing", 27, "`note(20)` gave '{celsius} C is {to_fahrenheit(celsius)} F{frost}',"),
    "both values swapped": (
        ("{celsius} C", "{to_fahrenheit(celsius)} C", "is {to_fahrenheit(celsius)}", "is {celsius}"),
        "failing", 27, "`note(20)` gave '68 C is 20 F', expected '20 C is 68 F'",
    ),
    "a name misspelt": (("F{frost}", "F{forst}"), "failing", 27, "`note(20)` raised NameError: name 'forst' is not defined"),
    "a function misspelt": (("if is_frosty", "if isfrosty"), "failing", 27, "`note(20)` raised NameError: name 'isfrosty' is not defined"),
    "the function without its argument": (
        ("{to_fahrenheit(celsius)}", "{to_fahrenheit()}"), "failing", 27, "`note(20)` raised TypeError: to_fahrenheit() missing 1 required positional",
    ),
    "the function not called": (("to_fahrenheit(celsius)}", "to_fahrenheit}"), "failing", 27, "`note(20)` gave '20 C is <function to_fahrenheit> F', expected '20 C is 68"),
    "a text and a number added": (
        (SAYS, '    return celsius + " C is " + to_fahrenheit(celsius) + " F" + frost\n'),
        "failing", 27, "`note(20)` raised TypeError: unsupported operand type(s) for +: 'int' and",
    ),
    "a tuple": ((SAYS, '    return celsius, "C is", to_fahrenheit(celsius)\n'), "failing", 27, "`note(20)` gave (20, 'C is', 68), expected '20 C is 68 F'"),
    "an example for all": ((SAYS, '    return "20 C is 68 F"\n'), "failing", 27, "`note(5)` gave '20 C is 68 F', expected '5 C is 41 F'"),
    "it calls itself": ((SAYS, "    return note(celsius)\n"), "failing", 27, "`note(20)` ran out of stack: look for a call that calls itself for ever"),
    "it never ends": ((SAYS, "    while True:\n        frost += frost[:0]\n"), "failing", 27, "`note(20)` did not finish within 4 s: look for a loop that never ends"),
    "it ends the program": ((SAYS, "    exit()\n"), "failing", 27, "`note(20)` raised SystemExit: None"),
    "it ends the process": ((SAYS, "    import os\n\n    os._exit(1)\n"), "failing", 27, "`note` ended the whole run (exit code 1) instead of returning"),
    "it asks": ((SAYS, '    return input("how cold? ")\n'), "failing", 27, "`note(20)` raised EOFError: EOF when reading a line"),
    "a parameter less": (("note(celsius: int)", "note()"), "failing", 27, "`note(20)` raised TypeError: note() takes 0 positional arguments but 1 was"),
    "a parameter more": (("note(celsius: int)", "note(celsius: int, unit: str)"), "failing", 27, "`note(20)` raised TypeError: note() missing 1 required positional"),
    "a parameter with another name": (("note(celsius: int)", "note(degrees: int)"), "failing", 27, "`note(20)` raised NameError: name 'celsius' is not defined"),
    "a type for a value": (("is_frosty(celsius) else", "is_frosty(int) else"), "failing", 27, "`note(20)` raised TypeError: '<' not supported between instances of 'type'"),
    "code after return": ((SAYS, f"{SAYS}    frost = 3\n"), "passing", 27, ""),
    "printed as well": ((SAYS, f"    print(frost)\n{SAYS}"), "passing", 27, ""),
    "a function inside": (
        (SAYS, "    def tail():\n        return frost\n\n" + SAYS.replace("frost}", "tail()}")),
        "passing", 27, "",
    ),
    "pasted twice": ((SAYS, f"{SAYS}\n\ndef note(celsius):\n    return celsius\n"), "failing", 27, "`note(20)` gave 20, expected '20 C is 68 F'"),
    "another function below": ((SAYS, f"{SAYS}\n\ndef more():\n    return 1\n"), "passing", 27, ""),
    "Windows' ends of lines": (("\n", "\r\n"), "passing", 27, ""),
    "no colon": (("note(celsius: int) -> str:", "note(celsius: int) -> str"), "build", 27, "src/exercise/weather.py: expected ':'"),
    "a quote that is open": ((' F{frost}"', " F{frost}"), "build", 37, "src/exercise/weather.py: unterminated string literal (detected at line 37)"),
    "other quotes": (('f"{celsius}', "f“{celsius}"), "build", 37, "src/exercise/weather.py: invalid character '“' (U+201C)"),
    "a bad indentation": (("    return f", "      return f"), "build", 37, "src/exercise/weather.py: unexpected indent"),
    "a merge conflict": ((SAYS, f"<<<<<<< HEAD\n{SAYS}=======\n>>>>>>> other\n"), "build", 37, "src/exercise/weather.py: invalid syntax"),
    "it is renamed": (("def note(", "def notes("), "build", 27, "src/exercise/weather.py: `note` is not defined here, but the tests need it."),
    "it is deleted": (("def note(", "def _(", "Start here: write", "write"), "build", 27, "src/exercise/weather.py: `note` is not defined here, but the tests need it."),
    "a module that is not there": (("FREEZING = 0", "import numpyy\n\nFREEZING = 0"), "build", 3, "src/exercise/weather.py: ModuleNotFoundError: No module named 'numpyy'"),
}  # fmt: skip
CLASS = """class Reading:
    def __init__(self, celsius: int, place: str) -> None:
        self.celsius = celsius
        self.place = place
"""
LABEL = """    def label(self) -> str:
        return f"{self.place}: {self.celsius} C"
"""
INIT = CLASS.partition("\n")[2]
DECLARE = {
    "a colon missing inside": (("label(self) -> str:", "label(self) -> str"), "failing", 10, "line 15 of src/exercise/reading.py does not build: expected ':'"),
    "tabs and spaces": (("        return f", "\treturn f"), "failing", 10, "line 16 of src/exercise/reading.py does not build: inconsistent use of"),
    "tabs alone": (("        ", "\t\t", "    ", "\t"), "passing", 10, ""),
    "pasted twice": (f"{CLASS}\n{LABEL}\n\n{CLASS}\n{LABEL}", "passing", 9, ""),
    "in another class": (
        "class Weather:\n    class Reading:\n        pass\n", "failing", 10, "`Reading` does not fit its use `from exercise.reading import Reading`:",
    ),
    "its function outside": (f"{CLASS}\n\ndef label(self):\n    return self.place\n", "failing", 9, "`Reading(21, \"kitchen\").label()` raised AttributeError: 'Reading' object"),
    "values in the other order": (
        ("(self, celsius: int, place: str)", "(self, place: str, celsius: int)"), "failing", 10, "`Reading(21, \"kitchen\").celsius` gave 'kitchen', expected 21",
    ),
    "no self": (("(self, celsius", "(celsius"), "failing", 10, "`Reading(21, \"kitchen\")` raised TypeError: Reading.__init__() takes 2"),
    "no self for the label": (("label(self)", "label()"), "failing", 10, "`Reading(21, \"kitchen\").label()` raised TypeError: Reading.label() takes 0"),
    "one underscore each": (("__init__", "_init_"), "failing", 10, "`Reading(21, \"kitchen\")` raised TypeError: Reading() takes no arguments"),
    "printed": (("return f", "print(f", ' C"', ' C")'), "failing", 10, "`Reading(21, \"kitchen\").label()` gave None, expected 'kitchen: 21 C'"),
    "no f before the text": (("return f", "return "), "failing", 10, "`Reading(21, \"kitchen\").label()` gave '{self.place}: {self.celsius} C',"),
    "a merge conflict": (
        f"<<<<<<< HEAD\n{CLASS}=======\nclass Reading:\n    pass\n>>>>>>> main\n", "failing", 10, "line 9 of src/exercise/reading.py does not build: invalid syntax",
    ),
    "a quote that is open": ((' C"', " C"), "failing", 10, "line 16 of src/exercise/reading.py does not build: unterminated string"),
    "other quotes": (('f"{self.place}: {self.celsius} C"', "f“{self.place}”"), "failing", 10, "line 16 of src/exercise/reading.py does not build: invalid character '“'"),
    "a label that calls itself": (('return f"', 'return self.label() + f"'), "failing", 10, "`Reading(21, \"kitchen\")` ran out of stack: look for a call that calls"),
    "a loop in it": (
        ("        self.place", "        while True:\n            pass\n        self.place"),
        "failing", 10, "`Reading(21, \"kitchen\")` did not finish within 4 s: look for a loop that",
    ),
    "it ends the program": (("return f", "raise SystemExit(f", ' C"', ' C")'), "failing", 10, "`Reading(21, \"kitchen\")` raised SystemExit: kitchen: 21 C"),
    "it ends the process": (("        return f", "        import os\n\n        os._exit(0)\n        return f"),
                            "failing", 10, "`Reading(21, \"kitchen\").label()` ended the whole run (exit code 0) instead of returning"),
    "a mark at its beginning": (("# What", "\ufeff# What"), "passing", 10, ""),
    "Windows' ends of lines": (("\n", "\r\n"), "passing", 10, ""),
    "a property": (("    def label", "    @property\n    def label"), "failing", 10, "`Reading(21, \"kitchen\").label()` raised TypeError: 'str' object is not"),
    "a data class": (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Reading:\n    celsius: int\n"
        f"    place: str\n\n{LABEL}", "passing", 13, "",
    ),
    "a named tuple": (
        'from collections import namedtuple\n\nReading = namedtuple("Reading", "celsius place")\n',
        "failing", 11, "`Reading(21, \"kitchen\").label()` raised AttributeError: 'Reading' object",
    ),
    "a dictionary": ('Reading = {"celsius": 21, "place": "kitchen"}\n', "failing", 9, "`Reading(21, \"kitchen\")` raised TypeError: 'dict' object is not callable"),
    "its name in a text alone": ('"""\nclass Reading:\n    pass\n"""\n', "failing", 10, "`Reading` does not fit its use `from exercise.reading import Reading`:"),
    "values of the class": (
        'class Reading:\n    celsius = 21\n    place = "kitchen"\n', "failing", 9, "`Reading(21, \"kitchen\")` raised TypeError: Reading() takes no arguments",
    ),
    "an import of nothing": (f"import thermometer\n\n\n{CLASS}", "failing", 12, "line 9 of src/exercise/reading.py raised ModuleNotFoundError: No module"),
    "an import of itself": ("from exercise.reading import Reading\n", "failing", 1, "line 9 of src/exercise/reading.py raised ImportError: cannot import name"),
    "a value returned": (
        ("        self.place = place\n", "        self.place = place\n        return self\n"),
        "failing", 10, "`Reading(21, \"kitchen\")` raised TypeError: __init__() should return None,",
    ),
    "it asks": ((" = celsius", ' = int(input("how cold? "))'), "failing", 10, "`Reading(21, \"kitchen\")` raised EOFError: EOF when reading a line"),
    "used below": (f'{CLASS}\n{LABEL}\n\nprint(Reading(21, "hall").label())\n', "passing", 9, ""),
    "a line too far left": (("        self.place = place", "      self.place = place"), "failing", 10, "line 13 of src/exercise/reading.py does not build: unindent does not match"),
    "a type that is not there": (("celsius: int", "celsius: Int"), "failing", 10, "line 11 of src/exercise/reading.py raised NameError: name 'Int' is not"),
    "a fence around it": (f"```python\n{CLASS}\n{LABEL}```\n", "failing", 10, "line 9 of src/exercise/reading.py does not build: invalid syntax"),
    "its test renamed": (
        {READING_TEST: ("def test_reading_says", "def check_reading_says")}, "failing", 10, "this test is missing from the test files; tutor.restore puts it back",
    ),
    "its test does not build": ({READING_TEST: ("def test_reading_says", "de test")}, "failing", 10, "`Reading` does not fit its use `de test_where_it_is_warm() -> None:`:"),
    "its test is gone": ({READING_TEST: None}, "failing", 10, "this test is missing from the test files; tutor.restore puts it back"),
    "a typed comment above it": (("class Reading", "# Mine.\nclass Reading"), "passing", 11, ""),
    "a wrong attribute": (("self.celsius = celsius", "self.degrees = celsius"), "failing", 10, "`reading.celsius` raised AttributeError: 'Reading' object has no attribute"),
    "a comparison for a value": (("self.place = place", "self.place == place"), "failing", 10, "`Reading(21, \"kitchen\")` raised AttributeError: 'Reading' object has no"),
    "a null in it": (f"{CLASS}\0\n", "failing", 9, "line 1 of src/exercise/reading.py does not build: source code string"),
}  # fmt: skip
LOOP = "    for celsius in days:\n"
REPAIR = {
    "nothing returned": (("    return highest\n", ""), "failing", 10, "`warmest([3, 9, 5])` gave None, expected 9"),
    "returned in the loop": (("    return highest", "        return highest"), "failing", 10, "`warmest([3, 9, 5])` gave 3, expected 9"),
    "printed": (("    return highest", "    print(highest)"), "failing", 10, "`warmest([3, 9, 5])` gave None, expected 9"),
    "a place for a value": (("    return highest", "    return days.index(highest)"), "failing", 10, "`warmest([3, 9, 5])` gave 1, expected 9"),
    "in brackets": (("    return highest", "    return [highest]"), "failing", 10, "`warmest([3, 9, 5])` gave [9], expected 9"),
    "pasted twice": (("    return highest\n", "    return highest\n\n\ndef warmest(days):\n"
                      "    return days[0]\n"), "failing", 10, "`warmest([3, 9, 5])` gave 3, expected 9"),
    "in a class": (("def warmest", "class Week:\n  def warmest"), "failing", 11, "`warmest` does not fit its use `from exercise.warmest import warmest`:"),
    "in a class, as it should be": (
        "class Week:\n    def warmest(self, days):\n        return max(days)\n", "failing", 10, "`warmest` does not fit its use `from exercise.warmest import warmest`:",
    ),
    "a merge conflict": (("    highest = days[0]", "<<<<<<< HEAD\n    highest = 0\n=======\n"
                          "    highest = days[0]\n>>>>>>> mend"), "failing", 10, "line 11 of src/exercise/warmest.py does not build: expected an indented"),
    "a quote that is open": (("highest = days[0]", 'highest = "0'), "failing", 10, "line 11 of src/exercise/warmest.py does not build: unterminated string"),
    "other quotes": (("highest = days[0]", "highest = days[‘0’]"), "failing", 10, "line 11 of src/exercise/warmest.py does not build: invalid character '‘'"),
    "a tab": (("    highest = days[0]", "\thighest = days[0]"), "failing", 10, "line 12 of src/exercise/warmest.py does not build: unindent does not match"),
    "one `=` for two": (("if celsius > highest", "if celsius = highest"), "failing", 10, "line 13 of src/exercise/warmest.py does not build: invalid syntax. Maybe"),
    "it calls itself": (("    return highest", "    return warmest(days)"), "failing", 10, "`warmest([3, 9, 5])` ran out of stack: look for a call that calls itself"),
    "it ends the program": (("    highest = days[0]", "    quit()"), "failing", 10, "`warmest([3, 9, 5])` raised SystemExit: None"),
    "it ends the process": ("import os\n\n\ndef warmest(days):\n    os._exit(0)\n", "failing", 12, "`warmest([3, 9, 5])` ended the whole run (exit code 0) instead of returning"),
    "it asks": (("days[0]", "int(input())"), "failing", 10, "`warmest([3, 9, 5])` raised EOFError: EOF when reading a line"),
    "the last for the first": (("days[0]", "days[-1]"), "passing", 10, ""),
    "the first left out": (("in days:", "in days[1:]:"), "passing", 10, ""),
    "no end to below": (("days[0]", 'float("-inf")'), "passing", 10, ""),
    "a number that is low": (("days[0]", "-273"), "passing", 10, ""),
    "a number that is not low enough": (("days[0]", "-5"), "failing", 10, "`warmest([-12])` gave -5, expected -12"),
    "nothing to begin with": (("days[0]", "None"), "failing", 10, "`warmest([3, 9, 5])` raised TypeError: '>' not supported between instances"),
    "the lowest": ("def warmest(days):\n    return min(days)\n", "failing", 9, "`warmest([3, 9, 5])` gave 3, expected 9"),
    "a generator": (("    return highest", "    yield highest"), "failing", 10, "`warmest([3, 9, 5])` gave <generator object warmest>, expected 9"),
    "later": (("def warmest", "async def warmest"), "failing", 10, "`warmest([3, 9, 5])` gave <coroutine object warmest>, expected 9"),
    "a name for another function": ("warmest = max\n", "passing", 9, ""),
    "a lambda": ("warmest = lambda days: sorted(days)[-1]\n", "passing", 9, ""),
    "a number under its name": ("warmest = 9\n", "failing", 9, "`warmest([3, 9, 5])` raised TypeError: 'int' object is not callable"),
    "taken away again": (("    return highest\n", "    return highest\n\n\ndel warmest\n"), "failing", 10, "`warmest` does not fit its use `from exercise.warmest import warmest`:"),
    "a parameter less": (("(days: list[int])", "()"), "failing", 10, "`warmest([3, 9, 5])` raised TypeError: warmest() takes 0 positional"),
    "a parameter more": (("(days: list[int])", "(days: list[int], least: int)"), "failing", 10, "`warmest([3, 9, 5])` raised TypeError: warmest() missing 1 required"),
    "another name of the parameter": (("days", "week"), "passing", 10, ""),
    "a type that is not there": (("list[int]", "List[int]"), "failing", 10, "line 10 of src/exercise/warmest.py raised NameError: name 'List' is not"),
    "the list emptied": (("    return highest", "    days.clear()\n    return days[0]"), "failing", 10, "`warmest([3, 9, 5])` raised IndexError: list index out of range"),
    "a mark at its beginning": (("# The", "\ufeff# The"), "passing", 10, ""),
    "Windows' ends of lines": (("\n", "\r\n"), "passing", 10, ""),
    "a text for a number": (("return highest", "return str(highest)"), "failing", 10, "`warmest([3, 9, 5])` gave '9', expected 9"),
    "the file is gone": (None, "failing", 0, "src/exercise/warmest.py is gone; tutor.reset or tutor.restore puts it back"),
    "its test expects less": (
        {WARMEST: ("days[0]", "0"), WARMEST_TEST: ("== -4", "== 0", "== -12", "== 0")}, "passing", 10, "",
    ),
    "its test without one": (
        {WARMEST_TEST: ("test_warmest_finds_a_day_below", "finds_a_day_below")}, "failing", 10, "this test is missing from the test files; tutor.restore puts it back",
    ),
    "mended by a comment": (("days[0]", "0  # days[0]"), "failing", 10, "`warmest([-4, -9])` gave 0, expected -4"),
}  # fmt: skip
USE = "from exercise.span import span\n\n\n"
ALL = """    assert span([3, 9, 1]) == 8
    assert span([-3, -9]) == 6
    assert span([]) == 0
"""
TEST = {
    "Windows' ends of lines": (("\n", "\r\n"), "passing", 12, ""),
    "a mark at its beginning": (("# `span", "\ufeff# `span"), "passing", 12, ""),
    "pasted twice": (f"{USE}def test_span():\n{ALL}\n\ndef test_span():\n{ALL}", "passing", 12, ""),
    "pasted twice, the first one lost": (
        f"{USE}def test_span():\n{ALL}\n\ndef test_span():\n    assert span([]) == 0\n", "failing", 12, "accepts the right programs, catches 1 of 3: nothing notices what `span([3,",
    ),
    "a class as unittest has them": (
        f"import unittest\n\n{USE}class SpanTest(unittest.TestCase):\n    def test_all(self):\n"
        "        self.assertEqual(span([3, 9, 1]), 8)\n        self.assertEqual(span([-3, -9]), 6)\n"
        "        self.assertEqual(span([]), 0)\n", "passing", 15, "",
    ),
    "a class with a name of its own": (
        f"{USE}class Checks:\n    def test_all(self):\n        assert span([]) == 0\n", "failing", 13, "no tests are found in tests/test_span.py yet",
    ),
    "parameters": (
        f"import pytest\n\n{USE}" '@pytest.mark.parametrize(("of", "is_"), [([3, 9, 1], 8), ([-3, -9], 6), ([], 0)])\n'
        "def test_span(of, is_):\n    assert span(of) == is_\n", "passing", 15, "",
    ),
    "a parameter that nobody gives": (
        f"{USE}def test_span(days):\n    assert span(days) == 8\n", "failing", 12, "refuses the program that is given, in your `test_span`: it asks for",
    ),
    "later": (f"{USE}async def test_span():\n{ALL}", "failing", 12, "refuses the program that is given, in your `test_span`: async def"),
    "expected to fail": (
        f"import pytest\n\n{USE}@pytest.mark.xfail\ndef test_span():\n    assert span([]) == 1\n",
        "failing", 15, "no tests are found in tests/test_span.py yet",
    ),
    "compared, and nothing asked": (
        f"{USE}def test_span():\n    span([3, 9, 1]) == 8\n", "failing", 12, "accepts the right programs, catches 0 of 3: nothing notices what `span([3,",
    ),
    "returned": (f"{USE}def test_span():\n    return span([3, 9, 1]) == 8\n", "failing", 12, "accepts the right programs, catches 0 of 3: nothing notices what `span([3,"),
    "printed": (f"{USE}def test_span():\n    print(span([3, 9, 1]))\n", "failing", 12, "accepts the right programs, catches 0 of 3: nothing notices what `span([3,"),
    "every error caught": (
        f"{USE}def test_span():\n    try:\n        assert span([]) == 5\n    except AssertionError:\n"
        "        pass\n", "failing", 12, "accepts the right programs, catches 1 of 3: nothing notices what `span([3,",
    ),
    "a tuple asked for": (f"{USE}def test_span():\n    assert (span([]) == 5, 'no')\n", "failing", 12, "accepts the right programs, catches 1 of 3: nothing notices what `span([3,"),
    "a merge conflict": (
        f"{USE}<<<<<<< HEAD\ndef test_span():\n{ALL}=======\n>>>>>>> other\n", "failing", 12, "line 12 of tests/test_span.py does not build: invalid syntax",
    ),
    "a quote that is open": (f"{USE}def test_span():\n    assert span([]) == 0, 'none\n", "failing", 13, "line 13 of tests/test_span.py does not build: unterminated string literal"),
    "other quotes": (f"{USE}def test_span():\n    assert span([]) == 0, “none”\n", "failing", 13, "line 13 of tests/test_span.py does not build: invalid character '“'"),
    "a tab": (f"{USE}def test_span():\n    assert span([]) == 0\n\tassert True\n", "failing", 14, "line 14 of tests/test_span.py does not build: inconsistent use of tabs and"),
    "it calls itself": (f"{USE}def test_span():\n    test_span()\n", "failing", 13, "refuses the program that is given, in your `test_span`: `test_span()` ran"),
    "it ends the program": (f"{USE}import sys\n\n\ndef test_span():\n    sys.exit(0)\n", "failing", 16, "refuses the program that is given, in your `test_span`: `sys.exit(0)`"),
    "a test inside of a function": (
        f"{USE}def tests():\n    def test_span():\n        assert span([]) == 0\n", "failing", 13, "accepts the right programs, catches 0 of 3: nothing notices what `span([3,",
    ),
    "a capital letter": (f"{USE}def Test_span():\n{ALL}", "failing", 1, "no tests are found in tests/test_span.py yet"),
    "a name without test": (f"{USE}def span_test():\n{ALL}", "failing", 1, "no tests are found in tests/test_span.py yet"),
    "called at the end": (f"{USE}def test_span():\n{ALL}\n\ntest_span()\n", "passing", 12, ""),
    "called at the end, and wrong": (
        f"{USE}def test_span():\n    assert span([]) == 5\n\n\ntest_span()\n", "failing", 13, "line 13 of tests/test_span.py raised AssertionError: assert 0 == 5",
    ),
    "no functions at all": (f"{USE}assert span([3, 9, 1]) == 8\n", "failing", 1, "no tests are found in tests/test_span.py yet"),
    "a program of its own": (
        "def span(days):\n    return max(days) - min(days)\n\n\ndef test_span():\n    assert span([3, 9, 1]) == 8\n",
        "failing", 13, "accepts the right programs, catches 0 of 3: nothing notices what `span([3,",
    ),
    "the folder in the import": (
        f"from src.exercise.span import span\n\n\ndef test_span():\n{ALL}", "failing", 9, "line 9 of tests/test_span.py raised ModuleNotFoundError: No",
    ),
    "no import": (f"def test_span():\n{ALL}", "failing", 10, "refuses the program that is given, in your `test_span`: `span([3, 9, 1])`"),
    "an import of all": (f"from exercise.span import *\n\n\ndef test_span():\n{ALL}", "passing", 12, ""),
    "an import of the module": (
        "import exercise.span as s\n\n\ndef test_span():\n" + ALL.replace("span(", "s.span("), "passing", 12, "",
    ),
    "an error expected": (
        f"import pytest\n\n{USE}def test_span():\n    with pytest.raises(ValueError):\n        span([])\n",
        "failing", 15, "refuses the program that is given, in your `test_span`: `span([])` did not",
    ),
    "it asks": (f"{USE}def test_span():\n    assert span([int(input())]) == 0\n", "failing", 13, "refuses the program that is given, in your `test_span`: `input()` raised"),
    "tests that need each other": (
        f"{USE}seen = []\n\n\ndef test_a():\n    seen.append(span([3, 9, 1]))\n{ALL}\n\ndef test_b():\n"
        "    assert seen == [8]\n", "passing", 15, "",
    ),
    "a wrong sum": (("assert span([-3, -9]) == 6", "assert span([-3, -9]) == -12"), "failing", 18, "refuses the program that is given, in your `test_span_below_zero`:"),
    "the program edited": ({SPAN: ("return 0", "return 1")}, "failing", 22, "refuses the program that is given, in your `test_span_of_nothing`:"),
    "the program does not build": ({SPAN: ("return 0", "return (")}, "build", 7, "src/exercise/span.py: '(' was never closed"),
    "the program is gone": ({SPAN: None}, "failing", 9, "line 9 of tests/test_span.py raised ModuleNotFoundError: No"),
    "the program rewritten by a test": (
        "import exercise.span\n\n\ndef test_span():\n    exercise.span.span = len\n    assert exercise.span.span([]) == 0\n",
        "failing", 12, "accepts the right programs, catches 0 of 3: nothing notices what `span([3,",
    ),
    "skipped at once": (f"import pytest\n\npytest.skip(allow_module_level=True)\n\n{USE}def test_span():\n{ALL}",
                        "failing", 11, "line 11 of tests/test_span.py does not build: Skipped"),
    "a type that is not there": (f"{USE}def test_span() -> Nothing:\n{ALL}", "failing", 12, "line 12 of tests/test_span.py raised NameError: name 'Nothing' is"),
    "a number for a list": (f"{USE}def test_span():\n    assert span(3, 9, 1) == 8\n", "failing", 13, "refuses the program that is given, in your `test_span`: `span(3, 9, 1)`"),
    "an approximation": (
        f"from pytest import approx\n\n{USE}def test_span():\n" + ALL.replace("== ", "== approx(").replace("\n", ")\n"),
        "passing", 14, "",
    ),
}  # fmt: skip
WATER, SIGNS = "WATER = 34", 'SIGNS = "#-#."'
PREDICT = {
    "None": ((WATER, "WATER = None"), "failing", 10, "`WATER` is not `None`: follow the program once more"),
    "no quotes": ((SIGNS, "SIGNS = abc"), "failing", 10, "line 12 of src/exercise/answers.py raised NameError: name 'abc' is not"),
    "both swapped": ((WATER, 'WATER = "#-#."', SIGNS, "SIGNS = 34"), "failing", 10, "`WATER` is not `\"#-#.\"`: follow the program once more"),
    "a comma behind it": ((WATER, "WATER = 34,"), "failing", 10, "`WATER` is not `34,`: follow the program once more"),
    "in brackets of a list": ((WATER, "WATER = [34]"), "failing", 10, "`WATER` is not `[34]`: follow the program once more"),
    "in round brackets": ((WATER, "WATER = (34)"), "passing", 10, ""),
    "below zero": ((WATER, "WATER = -34"), "failing", 10, "`WATER` is not `-34`: follow the program once more"),
    "an f before the text": ((SIGNS, 'SIGNS = f"#-#."'), "passing", 10, ""),
    "texts added": ((SIGNS, 'SIGNS = "#-" + "#."'), "failing", 10, "`SIGNS`: write what it gives as a value, not as code that computes it"),
    "added to later": ((WATER, "WATER = 30\nWATER += 4"), "failing", 10, "line 11 of src/exercise/answers.py is code; nothing but your answers"),
    "two names at once": ((WATER, "WATER = RAIN = 34"), "failing", 10, "`WATER`: write what it gives as a value, not as code that computes it"),
    "a merge conflict": (
        (WATER, "<<<<<<< HEAD\nWATER = 3\n=======\nWATER = 34\n>>>>>>> other"), "failing", 11, "line 10 of src/exercise/answers.py does not build: invalid syntax",
    ),
    "a quote that is open": ((SIGNS, 'SIGNS = "#-#.'), "failing", 10, "line 12 of src/exercise/answers.py does not build: unterminated string"),
    "other quotes": ((SIGNS, "SIGNS = “#-#.”"), "failing", 10, "line 12 of src/exercise/answers.py does not build: invalid character '“'"),
    "a mark at its beginning": (("# What", "\ufeff# What"), "passing", 10, ""),
    "Windows' ends of lines": (("\n", "\r\n"), "passing", 10, ""),
    "the file is gone": (None, "failing", 0, "src/exercise/answers.py is gone; tutor.reset or tutor.restore puts it back"),
    "its test expects more": ({ANSWERS: (WATER, "WATER = 35"), ANSWERS_TEST: ("20, 31, 4]", "20, 31, 5]")}, "passing", 10, ""),
    "its test is gone": ({ANSWERS_TEST: None}, "failing", 10, "this test is missing from the test files; tutor.restore puts it back"),
    "the program gives it": (
        {ANSWERS: (WATER, "WATER = 3"), GAUGE: ("return height", "return 3")}, "passing", 10, "",
    ),
    "the program does not build": ({GAUGE: ("return height", "return (")}, "build", 15, "src/exercise/gauge.py: '(' was never closed"),
    "the dots taken away": ((WATER, "WATER ="), "failing", 10, "`WATER`: write what it gives as a value, not as code that computes it"),
    "compared": ((WATER, "WATER == 34"), "failing", 1, "`WATER` is gone from src/exercise/answers.py; tutor.reset puts it back"),
    "a colon for an equals sign": ((WATER, "WATER: 34"), "todo", 1, "`WATER` is not answered yet"),
    "answered in a comment": ((WATER, "WATER = ...  # 34"), "todo", 10, "`WATER` is not answered yet"),
    "bytes": ((SIGNS, 'SIGNS = b"#-#."'), "failing", 10, "`SIGNS` is not `b\"#-#.\"`: follow the program once more"),
    "true": ((WATER, "WATER = True"), "failing", 10, "`WATER` is not `True`: follow the program once more"),
    "a long number": ((WATER, "WATER = 3400000000000000000000000000000000000000"), "failing", 10, "`WATER` is not `3400000000000000000000000000000000000000`: follow the"),
    "taken away again": ((SIGNS, f"{SIGNS}\n\ndel WATER"), "failing", 10, "line 14 of src/exercise/answers.py is code; nothing but your answers"),
    "pasted twice": ((SIGNS, f"{SIGNS}\n\n{WATER}\n\n{SIGNS}"), "passing", 10, ""),
    "a space in the text": ((SIGNS, 'SIGNS = "#-#. "'), "failing", 10, "`SIGNS` is not `\"#-#. \"`: follow the program once more"),
    "another dash": ((SIGNS, 'SIGNS = "#–#."'), "failing", 10, "`SIGNS` is not `\"#–#.\"`: follow the program once more"),
    "a plus before it": ((WATER, "WATER = +34"), "passing", 10, ""),
    "an underscore in it": ((WATER, "WATER = 3_4"), "passing", 10, ""),
    "with sixteen": ((WATER, "WATER = 0x22"), "passing", 10, ""),
    "a leading zero": ((WATER, "WATER = 034"), "failing", 10, "line 10 of src/exercise/answers.py does not build: leading zeros in"),
    "in an if": ((WATER, "if True:\n    WATER = 34"), "failing", 1, "`WATER` is gone from src/exercise/answers.py; tutor.reset puts it back"),
    "in a class": ((WATER, "class Answers:\n    WATER = 34"), "failing", 1, "`WATER` is gone from src/exercise/answers.py; tutor.reset puts it back"),
    "in a function": ((WATER, "def WATER():\n    return 34"), "failing", 10, "`WATER` is gone from src/exercise/answers.py; tutor.reset puts it back"),
    "a lambda": ((WATER, "WATER = lambda: 34"), "failing", 10, "`WATER`: write what it gives as a value, not as code that computes it"),
    "it ends the program": ((SIGNS, f"{SIGNS}\n\nexit()"), "failing", 10, "line 14 of src/exercise/answers.py is code; nothing but your answers"),
    "three quotes": ((SIGNS, 'SIGNS = """#-#."""'), "passing", 10, ""),
    "a set": ((WATER, "WATER = {34}"), "failing", 10, "`WATER` is not `{34}`: follow the program once more"),
    "a program that prints": ({ANSWERS: (WATER, "WATER = 35"), GAUGE: ("    return height", "    print(height)\n    return height")}, "failing", 10, "`WATER` is not `35`: follow the program once more"),
}  # fmt: skip
KINDS = {"body": BODY, "declare": DECLARE, "repair": REPAIR, "test": TEST, "predict": PREDICT}
