"""A disk without room: what is said is true, says so once, and says to free some space."""

import errno
import os
import re
import shutil
from pathlib import Path

import pytest
import record_kit
from record_kit import mounted, namespaces_work, no_file_may_grow, program

from tutor_lsp.core.text.writing import remedy
from tutor_lsp.store import troubles

home = record_kit.home


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_nothing_but_space_helps_where_there_is_none(number):
    error = OSError(number, os.strerror(number))
    assert remedy(error, "Make it writable.") == "Free some space and try again."
    said = troubles.damaged_here(Path("/x/tutor.db"), error).message
    assert "Free some space" in said
    assert "Allow" not in said


def test_what_is_no_question_of_space_keeps_its_own_advice():
    assert remedy(PermissionError(errno.EACCES, "no"), "Make it writable.") == "Make it writable."


WAYS = {
    "a full disk": lambda home: {"wrapper": mounted("full", home)},
    "a file that may not grow": lambda _home: {"before": no_file_may_grow},
}
VERBS = {
    verb: verb.split()
    for verb in (
        "attempt",
        "check",
        "hint",
        "next",
        "start --node python-strings",
        "claim python-x",
    )
}


@pytest.mark.first(1)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("way", WAYS)
def test_no_sentence_is_said_twice_and_none_speaks_of_permission(home, way, verb):
    if way == "a full disk" and not namespaces_work():
        pytest.skip("user namespaces are not allowed here")
    _, out, err = program(home, *VERBS[verb], **WAYS[way](home))
    sentences = [each for each in re.split(r"(?<=[.:])\s+|\n", err + out) if len(each) > 25]
    assert len(sentences) == len(set(sentences)), err
    assert not re.search(r"writable|[Aa]llow", err + out), err


@pytest.mark.long("starts programs for a case beside those that stand for it here")
def test_a_record_that_is_a_folder_is_not_a_question_of_permission(tmp_path):
    home = tmp_path / "home"
    (home / "tutor.db").mkdir(parents=True)
    code, out, err = program(home, "claim", "python-lists")
    assert code == 1
    assert "it isn't a file" in err
    assert "Rename what is there" in err
    assert "Allow" not in err + out
    shutil.rmtree(home / "tutor.db")
    assert program(home, "claim", "python-lists")[0] == 0
