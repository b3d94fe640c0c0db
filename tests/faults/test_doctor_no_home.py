"""A tutor home that cannot be there: the doctor answers all the same, and says what to do."""

import json

import pytest
from editor import editor

from tutor_lsp.store.database import open_store


@pytest.fixture
def nowhere(tmp_path):
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "home"


def record_of(found):
    (row,) = [tool for tool in found["tools"] if tool["name"] == "record"]
    return row


async def test_in_an_editor_it_names_the_setting(nowhere):
    async with editor(nowhere) as ed:
        row = record_of(found := await ed.command("tutor.doctor"))
        assert not row["works"]
        assert str(nowhere) in row["remedy"]
        assert "tutor.home" in row["remedy"]
        assert {"python", "pytest"} <= {tool["name"] for tool in found["tools"]}
        assert str(nowhere) in found["say"]["oneLine"] + found["say"]["markdown"]
        # Everything else is refused in the same words, and the server goes on.
        assert (await ed.refused("tutor.start"))["kind"] == "STORE"
        assert record_of(await ed.command("tutor.doctor"))["remedy"] == row["remedy"]


def test_in_a_terminal_it_names_the_option(cli, nowhere):
    result = cli("doctor", "--json", "--home", str(nowhere))
    row = record_of(json.loads(result.out))
    assert (result.code, row["works"]) == (0, False)
    assert "`--home`" in row["remedy"]
    assert "tutor.home" not in result.out
    assert not nowhere.parent.is_dir()
    assert cli("sessions", "--home", str(nowhere)).code == 1


def test_a_record_that_may_not_be_reached_is_empty_only_for_who_can_do_without(tmp_path):
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "home" / "tutor.db"
    store = open_store(path, reachable=False)
    assert store.refusal is not None
    assert store.work(lambda tx: tx.sessions()) == []
    store.close()
