"""A backend that is none of ours: installed as a package, it is found, chosen and asked."""

from pathlib import Path

import pytest
from added_packages import TOGETHER, added
from placeholders import with_body

SOURCE = "src/exercise/movie.py"
pytestmark = TOGETHER


@pytest.fixture
def tutor(tmp_path_factory, tmp_path):
    """The terminal, in a tutor home of its own."""
    return added(tmp_path_factory).at_home(tmp_path)


@pytest.fixture
def speaking(tutor, tmp_path):
    """Its word is set."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text('backend = "parrot"\nparrot.word = "Krah"\n')
    return tutor


@pytest.mark.long("starts the program; a session with the doctor stands for it here")
def test_doctor_tells_the_setting_that_is_missing(tutor):
    rows = {tool["name"]: tool for tool in tutor("doctor")["tools"]}
    assert rows["backend parrot"]["remedy"] == "set parrot.word"


def test_it_hints_in_an_exercise_of_the_library(speaking):
    with speaking.server() as ed:
        assert ed.do("doctor")["problems"] == []
        serves = ed.do("status")["backend"]
        assert (serves["name"], serves["why"]) == ("parrot", "set in the settings; it says Krah")

        ready = ed.do("start", node="python-functions", backend="library")
        file = Path(ready["workspace"]) / SOURCE
        given = file.read_text()
        file.write_text(with_body(given, "to_minutes", "return 1"))
        assert ed.do("check")["outcome"] == "failed"
        assert ed.do("hint")["text"].startswith("Krah!")
        # It is asked for a review and cannot give one, so the library's serves.
        assert ed.do("attempt")["review"]["summary"].startswith("Not yet")


@pytest.mark.long("starts the program; doctor and a session stand for it here")
def test_it_is_told_where_it_cannot_make_an_exercise(speaking):
    refused = speaking(
        "start", "--language", "python", "--topic", "parrots", "--backend", "parrot", code=1
    )
    assert "a parrot is no scaffold" in refused["message"]


@pytest.mark.long("starts the program; test_stage_select.py tells of other unknown backends")
def test_it_is_among_the_known_ones(speaking):
    refused = speaking("start", "--topic", "parrots", "--backend", "cockatoo", code=2)
    assert refused["kind"] == "UNKNOWN_BACKEND"
    assert "parrot" in refused["details"]["known"]
