"""Remedial texts: one per tag of a bundled topic, each example runs, none gives a stub away."""

import shutil
import subprocess

import pytest

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof.giveaway import suspects
from tutor_lsp.authoring.proof.reading.blocks import blocks_of
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.languages.registry import dialect, languages
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum
from tutor_lsp.library.remedial import about, remedial_texts
from tutor_lsp.stages.backends.library import planned_units

LANGUAGES = ("rust", "python", "c")
LIBRARY = Library([BUNDLED])


def tags(language):
    nodes = {entry.node for entry in LIBRARY.entries(language)}
    return {tag for node in load_curriculum().of(language) if node.id in nodes for tag in node.tags}


def examples(language):
    """The code of every text, by tag."""
    found = {}
    for tag, remedial in remedial_texts(language).items():
        blocks = blocks_of(remedial.text, languages()[language].lines)
        assert [block.language for block in blocks] == [language], tag
        found[tag] = blocks[0].code
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tag_of_a_topic_with_an_exercise_has_a_short_text(language):
    texts = remedial_texts(language)
    assert tags(language) - texts.keys() == set()
    assert texts.keys() <= {tag for node in load_curriculum().of(language) for tag in node.tags}
    for remedial in texts.values():
        words = remedial.text.partition("```")[0].split()
        assert 8 <= len(words) <= 60, remedial.tag
        assert remedial.title


def test_python_examples_run():
    for tag, code in examples("python").items():
        exec(compile(code, tag, "exec"), {"__name__": tag})  # noqa: S102 - our own texts


@pytest.mark.cargo
def test_rust_examples_run(tmp_path):
    tests = [
        f"#[test]\nfn {tag.replace('-', '_')}() {{\n{code}\n}}"
        for tag, code in examples("rust").items()
    ]
    source = tmp_path / "examples.rs"
    source.write_text("#![allow(warnings)]\n" + "\n".join(tests))
    built = ["rustc", "--edition", "2024", "--test", "-o", str(tmp_path / "run"), str(source)]
    subprocess.run(built, check=True, capture_output=True, text=True)
    told = subprocess.run([tmp_path / "run"], check=True, capture_output=True, text=True).stdout
    assert f"{len(tests)} passed" in told


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_c_examples_run(tmp_path):
    functions = [
        f"static void example_{n}(void) {{\n{code}\n}}"
        for n, code in enumerate(examples("c").values())
    ]
    calls = " ".join(f"example_{n}();" for n in range(len(functions)))
    heads = "".join(f"#include <{name}.h>\n" for name in ("assert", "limits", "stdio", "string"))
    source = tmp_path / "examples.c"
    source.write_text(heads + "\n".join(functions) + f"\nint main(void) {{ {calls} return 0; }}\n")
    built = ["cc", "-std=c11", "-Wall", "-Werror", "-o", str(tmp_path / "run"), str(source)]
    subprocess.run(built, check=True, capture_output=True, text=True)
    subprocess.run([tmp_path / "run"], check=True)


@pytest.mark.sample("c-high-scores", "python-movie-night", "rust-split-the-bill")
@pytest.mark.parametrize("entry", LIBRARY.entries(), ids=lambda entry: entry.id)
def test_no_example_is_the_solution_of_a_stub(entry):
    bundled, toolchain = LIBRARY.load(entry), toolchains()[entry.language]
    texts = remedial_texts(entry.language)
    lesson = "".join(f"## {each.tag}\n\n{each.text}\n\n" for each in texts.values())
    index = build_index(bundled.files, planned_units(entry), toolchain)
    files = {**bundled.files, "LESSON.md": lesson}
    candidate = Candidate(entry.language, files, files, bundled.solution, index.units)
    trial = trial_of(candidate, toolchain, dialect(entry.language))
    found = suspects(trial, trial.solved(bundled.solution), blocks_of(lesson, trial.lines))
    assert [each.what for each in found if each.file == "LESSON.md"] == []


def test_that_test_finds_a_solution():
    entry = LIBRARY.find("python-functions")[0]
    bundled, toolchain = LIBRARY.load(entry), toolchains()["python"]
    unit = entry.units[0]
    lesson = f"## x\n\n```python\n{bundled.solution[unit.file]}```\n"
    index = build_index(bundled.files, planned_units(entry), toolchain)
    files = {**bundled.files, "LESSON.md": lesson}
    candidate = Candidate("python", files, files, bundled.solution, index.units)
    trial = trial_of(candidate, toolchain, dialect("python"))
    assert suspects(trial, trial.solved(bundled.solution), blocks_of(lesson, trial.lines))


def test_a_tag_without_a_text_gets_a_reminder_that_claims_nothing():
    found = about("odd-new-habit", {})
    assert found.title == "Odd new habit"
    assert "odd new habit" in found.text
    assert remedial_texts("cobol") == {}
