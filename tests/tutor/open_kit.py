"""A bundled exercise, open as a learner has it, without a server and without its proof."""

from tutor_lsp.authoring.content import bundled_hash
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.workspace import write_tree
from tutor_lsp.core.exercise.exercise import Exercise, Proof
from tutor_lsp.core.session import Session, Vault
from tutor_lsp.languages.common.proof import splice
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library, shipped_proof
from tutor_lsp.stages.backends.library import planned_units
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

TOOLCHAINS = toolchains()
LIBRARY = Library([BUNDLED])


def open_exercise(root, language, folder, *, toolchain=None, trusted=True, backend="library"):
    """The exercise of that library folder, placed at `root`; buffers are in `opened.buffers`."""
    entry = next(e for e in LIBRARY.entries(language) if e.folder == folder)
    bundled = LIBRARY.load(entry)
    toolchain = toolchain or TOOLCHAINS[language]
    files = toolchain.complete(bundled.files)
    units = build_index(files, planned_units(entry), toolchain).units
    proof = shipped_proof(bundled_hash(bundled)) or Proof(ok=False)
    exercise = Exercise(
        id=entry.id,
        node=entry.node,
        title=entry.title,
        language=language,
        depth=entry.depth,
        description=entry.description,
        units=units,
        files=tuple(sorted(files)),
        starter={unit.file: files[unit.file] for unit in units},
        proof=proof,
    )
    vault = Vault(dict(bundled.solution), dict(bundled.hints), files, dict(bundled.accepts))
    session = Session(
        id=f"{folder}-1",
        exercise_id=entry.id,
        node=entry.node,
        title=entry.title,
        language=language,
        depth=entry.depth,
        workspace=str(root),
        lesson=str(root / "LESSON.md"),
        created_at="2026-01-01T00:00:00.000+00:00",
        updated_at="2026-01-01T00:00:00.000+00:00",
        trusted=trusted,
        backend=backend,
    )
    root.parent.mkdir(parents=True, exist_ok=True)
    write_tree(root, files)
    buffers = {}
    opened = OpenExercise(root, exercise, vault, session, toolchain, buffers.get)
    opened.buffers = buffers
    return opened


def reference(opened, unit_id):
    """The learner's file of a unit with the reference of its stub in it."""
    unit = opened.exercise.unit(unit_id)
    solution = opened.vault.solution[unit.file]
    theirs = next(s for s in opened.functions(solution) if s.name == unit.stub)
    text = opened.text(unit.file)
    mine = next(s for s in opened.functions(text) if s.name == unit.stub)
    definition = solution[theirs.start : theirs.end]
    return text[: mine.start] + definition + text[mine.end :]


def with_body(opened, unit_id, body):
    """The learner's file of a unit with that body, which may be many lines, in its stub."""
    unit = opened.exercise.unit(unit_id)
    text = opened.text(unit.file)
    if unit.aside is not None:
        return f"{text}\n{body}\n"
    return splice.with_body(text, splice.site_of(opened.toolchain, text, unit.stub), body)
