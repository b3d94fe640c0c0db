"""A stub is put back into a text that does not parse, or that lacks it: nothing else changes."""

import pytest
from tutor_kit import stub_file

NODES = {"python": "python-strings", "c": "c-structs", "rust": "rust-generics"}


def unclosed(language, text, stub):
    """The text with a stub that never ends: a text, a comment or a bracket stays open."""
    at = text.index(f'("{stub}")')
    if language == "python":
        closing = text.rindex('    """', 0, at)
        return text[:closing] + "    return 1  # mine" + text[text.index("\n", closing) :]
    begin, end = text.rindex("\n", 0, at), text.index("\n", at)
    return text[:begin] + "\n    if (1) { /* mine" + text[end:]


def without_head(language, text, stub):
    """The text with the first line of a stub overwritten."""
    mark = {"python": f"def {stub}(", "c": f" {stub}(", "rust": f"fn {stub}"}[language]
    at = text.index(mark)
    begin, end = text.rindex("\n", 0, at) + 1, text.index("\n", at)
    return text[:begin] + "    return mine;" + text[end:]


def swallowing(language, text, stub):
    """The text with the first line of a body overwritten: a comment takes in what is below."""
    at = text.rindex("\n", 0, text.index(f'("{stub}")'))
    first = (text.rindex("\n{\n", 0, at) if language == "c" else at) + 1
    return text[:first] + "/*" + text[text.index("\n", first) :]


def without_cue(language, text, stub):
    """The text with the last line of a stub's comment overwritten."""
    at = text.rindex("Start here", 0, text.index(f'("{stub}")'))
    return text[: text.rindex("\n", 0, at) + 1] + "return mine" + text[text.index("\n", at) :]


def deleted(language, text, stub):
    """The text without a stub, its comment included."""
    mark = {"python": f"def {stub}(", "c": f" {stub}(", "rust": f"fn {stub}"}[language]
    at = text.index(mark)
    gap = "\n\n\n" if language == "python" else "\n\n"
    begin = max(text.rfind(gap, 0, at) + len(gap), text.rfind(" {\n    ///", 0, at) + 3)
    last = {"python": '")\n', "c": "\n}\n", "rust": "\n    }\n"}[language]
    return text[:begin] + text[text.index(last, at) + len(last) :].lstrip("\n")


@pytest.mark.first(1)
@pytest.mark.parametrize("language", ["python", "c", "rust"])
async def test_one_stub_is_put_back_and_every_other_line_stays(t, language):
    ready = await t.start(node=NODES[language])
    path = stub_file(ready)
    units = [unit for unit in ready["units"] if unit["kind"] == "body"]
    given = path.read_text()
    for item in units:
        written = given
        for each in (other for other in units if other is not item):
            written = written.replace(f'("{each["stub"]}")', '("mine")')
        for broken in (unclosed, swallowing, without_head, without_cue, deleted):
            text = broken(language, written, item["stub"])
            path.write_text(text)
            await t.do("reset", unit=item["id"])
            assert path.read_text() == written, (item["stub"], broken.__name__)
            await t.do("reset", unit=item["id"], undo=True)
            assert path.read_text() == text


async def test_a_stub_of_which_two_stand_there_is_refused(t):
    ready = await t.start(node=NODES["python"])
    path, unit = stub_file(ready), ready["units"][0]
    head = f"def {unit['stub']}(title: str) -> str:\n"
    text = path.read_text().replace("ex-1 - First principle", "ex-1") + f"\n\n{head}    return ('\n"
    path.write_text(text)
    refused = await t.refused("reset", unit="ex-1")
    assert refused.kind == "REFUSED"
    assert "not clear which lines" in refused.message
    assert path.read_text() == text


async def test_the_learners_own_function_and_line_ends_stay(t):
    ready = await t.start(node=NODES["python"])
    path = stub_file(ready)
    given = path.read_text().replace("\n", "\r\n")
    first, second = given.split("\r\n\r\n\r\ndef dashed")
    own = "\r\n\r\n\r\ndef mine():\r\n    return 1"
    broken = first.replace('    """\r\n    raise', "    return (\r\n    raise")
    path.write_bytes(f"{broken}{own}\r\n\r\n\r\ndef dashed{second}".encode())
    await t.do("reset", unit="ex-1")
    assert path.read_bytes().decode() == f"{first}{own}\r\n\r\n\r\ndef dashed{second}"
