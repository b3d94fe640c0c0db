"""Arguments are taken as they are meant, or refused with path and reason."""

from dataclasses import fields

import pytest

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.commands.dispatch import USE_CASES
from tutor_lsp.tutor.commands.names import BY_NAME
from tutor_lsp.tutor.commands.parse_arguments import parse_arguments
from tutor_lsp.tutor.interface.arguments import (
    ClaimArguments,
    HintArguments,
    NoArguments,
    OpenArguments,
    RestoreArguments,
    StartArguments,
)
from tutor_lsp.tutor.interface.place import Position, Range, Selection

AT = {"line": 3, "character": 4}
LINES = Range(Position(3, 4), Position(3, 4))


@pytest.mark.parametrize(
    ("kind", "raw", "expected"),
    [
        (NoArguments, [], NoArguments()),
        (NoArguments, [None], NoArguments()),
        (NoArguments, [None, {"uri": "file:///a "}], NoArguments(uri="file:///a ")),
        (StartArguments, [{"topic": " locks\n"}], StartArguments(topic="locks")),
        (StartArguments, [{"errorCode": "E0502"}], StartArguments(error_code="E0502")),
        (
            StartArguments,
            [{"from": {"uri": "u", "range": {"start": AT, "end": AT}}}],
            StartArguments(from_=Selection("u", LINES)),
        ),
        (OpenArguments, [{"position": AT}], OpenArguments(position=Position(3, 4))),
        (RestoreArguments, [{"record": True}], RestoreArguments(record=True)),
        (RestoreArguments, [{"record": "2026-11-01"}], RestoreArguments(record="2026-11-01")),
        (HintArguments, [{"question": " why? "}], HintArguments(question=" why? ")),
    ],
)
def test_what_fits_is_taken(kind, raw, expected):
    assert parse_arguments("tutor.x", kind, raw) == expected


@pytest.mark.parametrize(
    ("kind", "given", "path", "reason"),
    [
        (NoArguments, {"a": 1}, "a", "is not known"),
        (NoArguments, {"uri": 17}, "uri", "is not a string"),
        (NoArguments, {"session": "\ud800"}, "session", "has an incomplete character in it"),
        (StartArguments, {"error_code": "E1"}, "error_code", "is not known"),
        (StartArguments, {"fresh": 1}, "fresh", "is neither true nor false"),
        (StartArguments, {"node": "  "}, "node", "is empty"),
        (StartArguments, {"depth": "D4"}, "depth", "is none of D1, D2, D3"),
        (StartArguments, {"depth": ["D1"]}, "depth", "is none of D1, D2, D3"),
        (StartArguments, {"from": []}, "from", "is not an object"),
        (OpenArguments, {"position": {"line": 1}}, "position.character", "is missing"),
        (
            OpenArguments,
            {"position": {"line": True, "character": 0}},
            "position.line",
            "is not a whole number of at least 0",
        ),
        (
            OpenArguments,
            {"position": {"line": -1, "character": 0}},
            "position.line",
            "is not a whole number of at least 0",
        ),
        (ClaimArguments, {}, "node", "is missing"),
        (RestoreArguments, {"record": 5}, "record", "is not a string"),
    ],
)
def test_what_does_not_fit_is_refused_with_path_and_keys(kind, given, path, reason):
    with pytest.raises(TutorError) as caught:
        parse_arguments("tutor.x", kind, [given])
    assert caught.value.kind == "BAD_ARGUMENT"
    assert caught.value.details["errors"] == [{"path": path, "reason": reason}]
    assert f"{path} {reason}" in caught.value.message
    assert {"session", "uri"} <= {*caught.value.details["known"]}
    assert "It knows these keys: " in caught.value.message


def test_every_problem_is_named_at_once():
    given = {"from": {"uri": 1, "range": 2}, "nod": 3, "topic": "x" * 201}
    with pytest.raises(TutorError) as caught:
        parse_arguments("tutor.start", StartArguments, [given])
    paths = [item["path"] for item in caught.value.details["errors"]]
    assert sorted(paths) == ["from.range", "from.uri", "nod", "topic"]


def test_a_text_that_is_too_long_is_told_without_the_keys():
    with pytest.raises(TutorError) as caught:
        parse_arguments("tutor.start", StartArguments, [{"topic": "x" * 201}])
    assert caught.value.message == "tutor.start: topic may have at most 200 characters."


@pytest.mark.parametrize("raw", [[[]], [{}, {}], ["{}"]])
def test_anything_but_one_object_is_refused(raw):
    with pytest.raises(TutorError, match="takes no argument or one object"):
        parse_arguments("tutor.status", NoArguments, raw)


def test_every_command_has_its_use_case():
    assert USE_CASES.keys() == BY_NAME.keys()


def test_every_command_takes_session_and_uri():
    for use_case in USE_CASES.values():
        assert {"session", "uri"} <= {field.name for field in fields(use_case.arguments)}
