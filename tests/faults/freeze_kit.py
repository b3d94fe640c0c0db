"""Answers of a model that take work to read, in scripts: for tests and for `make bench`."""

import json
import re
from functools import cache

import stage_samples as samples
from answer_shapes import shapes

from tutor_lsp.core.stage import Role

MEGABYTE = {
    "one word": "a" * 1_000_000,
    "many words": "word " * 200_000,
    "nested Markdown": "".join(" " * (at % 400) + "- > **a [b `c\n" for at in range(4700)),
}
SHAPES = ("'a'", "'<code>'", "'fn f(){'", "'/* your '", "nested lists")


def sized(size):
    return {name: text for name, text in shapes(size) if name in SHAPES}


def hint(**changes):
    payload = {
        "schema_version": "hint_pack_v1", "role": "coach", "unit_id": "ex-1", "level": 1,
        "fix": None, "text": "Look at it.", "code": None, "tags": [],
    } | changes  # fmt: skip
    return {"stage": "coach", "payload": payload}


def review(**changes):
    payload = {
        "schema_version": "review_report_v1", "role": "reviewer", "verdict": "FAIL", "score": 20,
        "summary": "A beginning.", "findings": [], "tags": [],
    } | changes  # fmt: skip
    return {"stage": "reviewer", "payload": payload}


COMMANDS = ("tutor.hint", "tutor.attempt")


def cases(command):
    """What is unusual about each answer to a command. Takes seconds: the texts are large."""
    if command == "tutor.hint":
        return [
            *({"text": text} for text in MEGABYTE.values()),
            {"code": MEGABYTE["one word"]},
            {"fix": [{"file_path": "FILE", "content": MEGABYTE["many words"]}]},
            *({"text": text} for text in sized(2000).values()),
            *({"code": text} for text in sized(1500).values()),
            *({"fix": [{"file_path": "FILE", "content": text}]} for text in sized(60_000).values()),
        ]
    return [
        *({"summary": text} for text in MEGABYTE.values()),
        *({"summary": text} for text in sized(4000).values()),
        *({"improvement": text, "question": text} for text in sized(2000).values()),
    ]


def script(command, answers, file):
    """What the model says when one command after the other is given; None is an ordinary answer."""
    line = hint if command == "tutor.hint" else review
    shown = "".join(json.dumps(line(**(case or {}))) + "\n" for case in answers)
    return shown.replace('"FILE"', json.dumps(file))


def wrapped(texts):
    """The texts without lines that are refused for their length."""
    return {name: "\n".join(re.findall(".{1,2500}", text)) for name, text in texts.items()}


SETUP = {
    f"{role.value}, {name}": (role, name)
    for role in (Role.SCAFFOLD, Role.STARTER, Role.TEST, Role.LESSON)
    for name in (*MEGABYTE, *SHAPES)
}


@cache
def text_of(name):
    """A text that fills a stage of a set-up. Takes a second."""
    return MEGABYTE.get(name) or wrapped(sized(30_000))[name]


def lines(hostile, text):
    """A script in which one stage of a set-up is full of a text."""
    for role in (Role.SCAFFOLD, Role.STARTER, Role.TEST, Role.LESSON, Role.SOLUTION):
        payload = samples.payload(role)
        if "is_complete" in payload:
            payload["is_complete"] = True
        if role is hostile:
            payload["exercise_description" if role is Role.SCAFFOLD else "content"] = text
        line = {"stage": role.value, "payload": payload, "adopt": role is Role.SCAFFOLD}
        yield 3 * (json.dumps(line) + "\n")
