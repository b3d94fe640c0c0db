"""A JSON object is read while it is written."""

import json

import pytest

from tutor_lsp.stages.growing import Growing

VALUE = {
    "fix": [{"file_path": "a", "content": 'x = "}", [1]\n'}], "claims": None, "n": 1.5,
    "text": 'Say "yes" \\ or\nno: ü, \U0001f600 and ☃.', "code": None, "tags": [],
}  # fmt: skip


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_text_only_grows_and_ends_as_it_is(size, ascii_only):
    written = f"```json\n{json.dumps(VALUE, ensure_ascii=ascii_only, indent=1)}\n```"
    growing, before = Growing(), ""
    for start in range(0, len(written), size):
        growing.feed(written[start : start + size])
        text = growing.text("text")
        assert text.startswith(before)
        assert VALUE["text"].startswith(text)
        if text:
            assert growing.known["fix"] == VALUE["fix"]
            assert "claims" in growing.known
        before = text
    assert growing.known == VALUE
    assert growing.text("text") == VALUE["text"]


@pytest.mark.parametrize(
    "written", ["", "no JSON", '{"text": [1', '{"text": {"text": "a', "{]}", '{"a" "b"}']
)
def test_what_is_no_text_is_none(written):
    growing = Growing()
    growing.feed(written)
    assert growing.text("text") == ""


def test_what_follows_the_object_is_not_read():
    growing = Growing()
    growing.feed('{"text": "a"} {"text": "b", "code": 1}')
    assert growing.known == {"text": "a"}


def test_broken_json_ends_it():
    growing = Growing()
    growing.feed('{"a": nonsense, "text": "a')
    assert growing.known == {}
