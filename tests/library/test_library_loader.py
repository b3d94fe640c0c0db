"""Finding and reading exercises: bundled, own, broken."""

import json
import shutil
import subprocess
import sys
import time

import pytest
from curriculum_check import validate

from tutor_lsp.core.errors import TutorError
from tutor_lsp.languages.python import Python
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum, shipped_proof

MOVIE = BUNDLED / "python" / "python-functions-movie-night"


@pytest.fixture
def own(tmp_path):
    """A library of one's own with one exercise; gives its folder."""
    folder = tmp_path / "own" / "python" / MOVIE.name
    shutil.copytree(MOVIE, folder)
    return folder


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_the_bundled_library_is_whole():
    library = Library([BUNDLED])
    assert library.problems == ()
    for language in ("python", "rust"):
        entries = library.entries(language)
        assert len(entries) >= 3
        assert len({entry.depth for entry in entries}) >= 2
    for entry in library.entries():
        assert 3 <= len(entry.units) <= 7
        assert library.find(entry.node)
        assert library.by_id(entry.id) is entry
        assert entry.path.name == entry.folder


def test_the_curriculum_holds_together_and_fits_the_library():
    curriculum = load_curriculum()
    assert validate(curriculum) == []
    for language in ("python", "rust", "c"):
        assert len(curriculum.of(language)) >= 20
    for entry in Library([BUNDLED]).entries():
        node = curriculum.node(entry.node)
        assert (node.language, node.depth) == (entry.language, entry.depth)


def test_the_first_track_of_each_language_is_unbroken_by_bundled_exercises():
    curriculum = load_curriculum()
    for language, least in (("python", 9), ("rust", 9), ("c", 6)):
        bundled = {entry.node for entry in Library([BUNDLED]).entries(language)}
        first = next(track for track in curriculum.tracks if track.language == language)
        assert [node for node in first.nodes if node not in bundled] == []
        assert len(first.nodes) >= least


COMMON_CODES = {
    "rust": "E0382 E0499 E0502 E0505 E0106 E0308 E0277 E0596 E0384 E0515 E0597 E0599 E0507 E0004",
    "python": "NameError TypeError IndexError KeyError ValueError AttributeError RecursionError "
    "UnboundLocalError reportArgumentType reportReturnType reportAttributeAccessIssue "
    "reportOptionalMemberAccess F821 F841 B006 B007 E722 B904 PERF401 SIM118",
    "c": "-Wreturn-type -Wunused-variable -Wimplicit-function-declaration -Wsign-compare -Wformat "
    "-Wparentheses -Wmaybe-uninitialized -Wuninitialized -Wint-conversion -Warray-bounds "
    "-Wincompatible-pointer-types -Wstringop-overflow stack-buffer-overflow",
}


@pytest.mark.parametrize("language", COMMON_CODES)
def test_common_error_codes_have_a_bundled_exercise(language):
    bundled = {entry.node for entry in Library([BUNDLED]).entries(language)}
    curriculum = load_curriculum()
    without = [
        code
        for code in COMMON_CODES[language].split()
        if not {node.id for node in curriculum.for_error_code(code, language)} & bundled
    ]
    assert without == []


def test_metadata_of_all_exercises_is_read_in_under_30_ms():
    def once():
        began = time.process_time()
        assert Library([BUNDLED]).entries()
        return time.process_time() - began

    assert min(once() for _ in range(5)) < 0.030


def test_the_loader_loads_nothing_heavy():
    code = (
        "import sys, tutor_lsp.library.loader; "
        "print([n for n in sys.modules if n.split('.')[0] in "
        "('pydantic', 'tree_sitter', 'pygls', 'lsprotocol')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_all_texts_of_an_exercise():
    library = Library([BUNDLED])
    exercise = library.load(library.by_id("python-movie-night"))
    assert set(exercise.src) == {"src/exercise/__init__.py", "src/exercise/movie.py"}
    assert set(exercise.tests) == {"tests/test_movie.py"}
    assert set(exercise.solution) == {"src/exercise/movie.py"}
    assert set(exercise.hints) == {unit.id for unit in exercise.entry.units}
    first, second, third = exercise.hints["ex-1"]
    assert "```" not in first + third
    assert "```python" in second
    assert "## L" not in first + second + third
    assert set(exercise.files) == {"LESSON.md", *exercise.src, *exercise.tests}


def test_the_first_library_wins(own):
    change(own / "exercise.toml", 'title = "Movie night"', 'title = "My night"')
    root = own.parents[1]
    assert Library([root, BUNDLED]).by_id("python-movie-night").title == "My night"
    assert Library([BUNDLED, root]).by_id("python-movie-night").title == "Movie night"


def test_the_folder_of_an_exercise_can_be_named_itself(own):
    assert [entry.id for entry in Library([own]).entries()] == ["python-movie-night"]


def test_a_library_that_is_not_there_is_told(tmp_path):
    library = Library([tmp_path / "gone", BUNDLED])
    assert library.entries()
    assert [str(tmp_path / "gone") in problem for problem in library.problems] == [True]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('format = "exercise_v1"', 'format = "exercise_v9"', "exercise_v9"),
        ('format = "exercise_v1"', "", "format"),
        ('title = "Movie night"', 'title = ""', "title"),
        ('id = "python-movie-night"', 'id = "Python Movie"', "Python Movie"),
        ('slug = "movie-night"', 'slug = "movie"', "python-functions-movie"),
        ('language = "python"', 'language = "rust"', "rust"),
        ('depth = "D1"', 'depth = "D4"', "D1, D2 or D3"),
        ("minutes = 10", "minutes = true", "minutes"),
        ("minutes = 10", "hours = 10", "hours"),
        ('id = "ex-2"', 'id = "ex-7"', "ex-2"),
        ('stub = "ends_at"', 'stub = "to_minutes"', "to_minutes"),
        ('"test_plan_tells_the_end_and_the_bus"', "7", "tests"),
        ("[[units]]", "[[unit]]", "unit"),
        ("[[units]]", "[[units", "TOML"),
    ],
)
def test_a_broken_entry_is_left_out_and_told(own, old, new, said):
    change(own / "exercise.toml", old, new)
    library = Library([own.parents[1]])
    assert library.entries() == ()
    (problem,) = library.problems
    assert str(own) in problem
    assert said in problem
    assert problem.endswith(".")


@pytest.mark.parametrize(
    "part", ["exercise.toml", "LESSON.md", "src", "tests", "solution", "hints"]
)
def test_a_missing_part_is_told(own, part):
    path = own / part
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    library = Library([own.parents[1]])
    assert library.entries() == ()
    assert part in library.problems[0]


def test_two_exercises_of_one_id_are_told(own):
    other = own.with_name("python-functions-matinee")
    shutil.copytree(own, other)
    change(other / "exercise.toml", 'slug = "movie-night"', 'slug = "matinee"')
    library = Library([own.parents[1]])
    assert len(library.entries()) == 1
    assert "python-movie-night" in library.problems[0]


def _not_utf8(folder):
    (folder / "LESSON.md").write_bytes(b"# \xff\n")


def _crlf(folder):
    (folder / "tests" / "test_movie.py").write_bytes(b"x = 1\r\n")


def _no_newline(folder):
    (folder / "src" / "exercise" / "movie.py").write_text("x = 1", "utf-8")


def _link(folder):
    (folder / "src" / "exercise" / "secret.py").symlink_to("/etc/hostname")


def _large(folder):
    (folder / "LESSON.md").write_text("x" * 300_000 + "\n", "utf-8")


def _no_hint(folder):
    (folder / "hints" / "ex-3.md").unlink()


def _two_levels(folder):
    change(folder / "hints" / "ex-1.md", "## L3", "## L4")


def _no_solution(folder):
    (folder / "solution" / "src" / "exercise" / "movie.py").rename(
        folder / "solution" / "src" / "exercise" / "film.py"
    )


def _no_tests(folder):
    (folder / "tests" / "test_movie.py").unlink()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_not_utf8, "LESSON.md is not UTF-8"),
        (_crlf, "tests/test_movie.py must have LF line ends"),
        (_no_newline, "exactly one newline"),
        (_link, "secret.py is a link"),
        (_large, "larger than 256 KiB"),
        (_no_hint, "hints/ex-3.md is missing"),
        (_two_levels, "L1, L2 and L3"),
        (_no_solution, "solution/src/exercise/film.py does not replace"),
        (_no_tests, "tests is empty"),
    ],
)
def test_broken_texts_are_told_when_they_are_read(own, spoil, said):
    spoil(own)
    library = Library([own.parents[1]])
    with pytest.raises(TutorError) as caught:
        library.load(library.entries()[0])
    assert caught.value.kind == "BROKEN_EXERCISE"
    assert said in caught.value.message


def test_what_tools_left_behind_is_no_part_of_an_exercise(own):
    (own / "tests" / "__pycache__").mkdir(exist_ok=True)
    (own / "tests" / "__pycache__" / "test_movie.pyc").write_bytes(b"\x00\xff")
    (own / "src" / ".DS_Store").write_bytes(b"\x00\xff")
    library = Library([own.parents[1]])
    assert set(library.load(library.entries()[0]).tests) == {"tests/test_movie.py"}


def test_a_broken_curriculum_is_told(monkeypatch):
    monkeypatch.setattr(Python, "text", lambda _self, _name: "nodes = 3\n")
    with pytest.raises(TutorError) as caught:
        load_curriculum.__wrapped__()
    assert caught.value.kind == "BROKEN_CURRICULUM"
    assert "Python" in caught.value.message


@pytest.mark.parametrize(
    "text", [None, "", "[]", '{"proofs": 3}', '{"proofs": {"a": {"proof": {"ok": "x"}}}}', "\x00"]
)
def test_a_damaged_record_proves_nothing(tmp_path, text):
    if text is not None:
        (tmp_path / "proofs.json").write_text(text, "utf-8")
    assert shipped_proof("a", tmp_path) is None


def test_a_record_is_found_by_its_hash(tmp_path):
    proofs = {"a": {"exercise": "x", "proof": {"ok": True, "tests": 4}}}
    (tmp_path / "proofs.json").write_text(json.dumps({"proofs": proofs}), "utf-8")
    assert shipped_proof("a", tmp_path).tests == 4
    assert shipped_proof("b", tmp_path) is None
