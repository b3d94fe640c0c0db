"""A topic that is started once more, and small things that are said about it."""

import re
from dataclasses import replace

import pytest
from tutor_kit import stub_file, tutor

from tutor_lsp.core.learner.curriculum import Curriculum, Node
from tutor_lsp.core.learner.recommendation import recommend
from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.session import NodeRecord
from tutor_lsp.stages.backends.select import Need, choose
from tutor_lsp.tutor.services.frontend import Abilities

NODE = "python-functions"


@pytest.fixture
async def t(tmp_path):
    async with tutor(tmp_path / "home") as found:
        yield found


async def test_after_hints_alone_a_second_start_makes_no_copy(t):
    first = await t.start(node=NODE)
    for _ in range(3):
        await t.do("hint")
    again = await t.start(node=NODE)
    assert again["sessionId"] == first["sessionId"]
    assert any("open again instead of another copy" in text for text in t.desk.said)


async def test_what_stays_is_named_so_that_resume_continues_just_that(t):
    first = await t.start(node=NODE)
    path = stub_file(first)
    path.write_text(path.read_text() + "\n# mine\n")
    other = await t.start(node=NODE)
    assert other["sessionId"] != first["sessionId"]
    (said,) = [text for text in t.desk.said if "stays as you left it" in text]
    (named,) = re.findall(r'tutor\.resume with \{"session": "(\w+)"\}', said)
    assert (await t.do("resume", session=named))["sessionId"] == first["sessionId"]


async def test_a_begun_topic_of_the_list_is_gone_on_with(t):
    first = await t.start(node=NODE)
    path = stub_file(first)
    path.write_text(path.read_text() + "\n# mine\n")
    rows = await t.do("choices", list="topics", language="python")
    begun, *others = sorted(rows, key=lambda row: row["argument"].get("node") != NODE)
    assert begun["command"] == "tutor.start"
    assert all("resume" not in row["argument"] for row in others)
    again = await t.start(**begun["argument"])
    assert again["sessionId"] == first["sessionId"]
    path.unlink()
    assert (await t.start(**begun["argument"], fresh=True))["sessionId"] != first["sessionId"]


async def test_a_new_exercise_that_nobody_can_make_is_said_to_be_the_same(t):
    first = await t.start(node=NODE)
    again = await t.start(node=NODE, fresh=True)
    assert again["exerciseId"] == first["exerciseId"]
    assert again["workspace"] != first["workspace"]
    (said,) = [text for text in t.desk.said if "in a folder of its own" in text]
    assert said.startswith("No model can be used: ")
    await t.start(node=NODE, fresh=True, backend="library")  # wanted just that
    assert sum("in a folder of its own" in text for text in t.desk.said) == 1


async def test_a_claim_shows_no_ids(t):
    known = await t.do("claim", node="python-strings", known=True)
    assert known["missingPrerequisites"] == [NODE]
    assert NODE not in known["say"]["markdown"]


@pytest.mark.parametrize("shows", [True, False])
async def test_a_refused_solution_says_how_to_confirm_where_nobody_asks(t, shows):
    t.desk.abilities = replace(Abilities(), shows_results=shows)
    await t.start(node=NODE)
    refused = await t.refused("reveal")
    confirm = 'tutor.reveal with {"unit": "ex-1", "confirm": true}'
    assert (confirm in refused.message) is not shows
    assert refused.details["confirm"] is True


def test_a_backend_that_is_missing_is_named_once():
    why = "codex was not found: install the Codex CLI"
    states = {
        "codex": BackendStatus("codex", available=False, why=why),
        "openai": BackendStatus("openai", available=False, why="it is not set up"),
    }
    told = choose(Need(), states).why
    assert "codex: codex" not in told
    assert why in told
    assert "openai: it is not set up" in told


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"mastery": 1, "passed_depths": ("D1",)}, "Builds on Loops, which you know."),
        ({"claimed": True}, "Builds on Loops, which you know."),
        ({"passed_depths": ("D1",)}, "Builds on Loops; you passed Loops with help."),
    ],
)
def test_what_was_only_shown_is_not_called_known(record, said):
    def node(id_, title, *needed):
        return Node(id_, title, "", "python", "D1", 10, needed)

    known = Curriculum((node("loops", "Loops"), node("lists", "Lists", "loops")), ())
    records = {"loops": NodeRecord("loops", "python", **record)}
    found = {each.node: each.reason for each in recommend(known, "python", records)}
    assert found["lists"] == said
