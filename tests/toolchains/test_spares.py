"""What a waiting process was made from is told from what has taken its place since."""

from pathlib import Path

import pytest

from tutor_lsp.languages.common.spares import Seen


@pytest.fixture
def places(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("a")
    return [str(tmp_path / name) for name in ("folder", "file", "none")]


@pytest.fixture
def seen(places):
    found = Seen(places)
    yield found
    found.close()


def test_what_is_still_there_is_still_there(seen, places, tmp_path):
    (tmp_path / "folder/new").touch()
    (tmp_path / "file").write_text("b")
    assert seen.still_at(places)


def anew(tmp_path):
    """The same name, deleted and made again, often gets the same inode at once."""
    for _ in range(3):
        (tmp_path / "folder").rmdir()
        (tmp_path / "folder").mkdir()


CHANGES = {
    "a folder made anew": anew,
    "one more": lambda at: (at / "none").touch(),
    "one less": lambda at: (at / "file").unlink(),
    "a link in its place": lambda at: (
        (at / "file").rename(at / "moved"),
        (at / "file").symlink_to("moved"),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_taken_a_place_is_another(seen, places, tmp_path, change):
    CHANGES[change](tmp_path)
    assert not seen.still_at(places)


def test_other_places_are_not_the_same(seen, places):
    assert not seen.still_at(places[:2])


def test_nothing_is_held_after_it(places):
    before = sorted(Path("/proc/self/fd").iterdir())
    Seen(places).close()
    assert sorted(Path("/proc/self/fd").iterdir()) == before
