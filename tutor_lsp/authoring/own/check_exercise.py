"""The proof on anybody's exercise: a folder of the exercise format, or a record of payloads."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.assembly import assemble, overlay
from tutor_lsp.authoring.importer import Imported, import_payloads, read_lines
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.library_check import check_entry
from tutor_lsp.authoring.model import LESSON, Candidate, Stages
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.prove import prove
from tutor_lsp.authoring.proof.reference import Solver
from tutor_lsp.authoring.proof.trial import ordered
from tutor_lsp.authoring.solving import domains
from tutor_lsp.authoring.workspace import write_tree
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.exercise.files import LONGEST_NAME, FileLimits, wrong_path
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.learner.curriculum import NAME
from tutor_lsp.core.ports import RunLimits, Toolchain
from tutor_lsp.core.stage import Role
from tutor_lsp.files.parsing import parse_toml
from tutor_lsp.files.reading import Unreadable
from tutor_lsp.files.tree import Tree, read_tree
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import Library
from tutor_lsp.library.markdown import headings
from tutor_lsp.library.texts import AUTHORED
from tutor_lsp.process.scratch import scratch_folder

Toolchains = Mapping[str, Toolchain]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`ok` if nothing was found; `proof` are the figures as far as it came. `left_out` names what
    of a folder is no part of an exercise, and was neither read nor run.
    """

    ok: bool
    proof: Proof
    findings: tuple[ProofFinding, ...]
    left_out: tuple[str, ...] = ()


async def check_exercise(
    path: Path,
    language: str | None = None,
    *,
    toolchains: Toolchains,
    solver: Solver | None = None,
    limits: RunLimits = LIMITS,
    files: FileLimits = FileLimits(),  # noqa: B008 - frozen
) -> CheckResult:
    """Prove the exercise in a folder, or the one whose stage payloads a JSONL file holds.

    `language` is needed only for a record whose file names do not tell. `solver` writes the
    reference that a record lacks; without one, that there is none is a finding. What could be
    completed without a model (crate root, module lines, headers) is a finding, and the rest is
    checked with it completed. Of a folder a copy is checked; no more than `files` allow is read,
    and a link, a pipe or a device among its files is a finding. Raises TutorError `BAD_ARGUMENT`,
    `BAD_SCRIPT`, `TOOLCHAIN_MISSING`.
    """
    if await asyncio.to_thread(path.is_dir):
        return await _folder(path, language, toolchains, limits, files)
    if not await asyncio.to_thread(path.is_file):
        raise TutorError(
            "BAD_ARGUMENT", f"{path} is neither a folder nor a file. Name an exercise folder."
        )
    return await _record(path, language, toolchains, solver, limits, files)


def _refused(*findings: ProofFinding, left_out: Sequence[str] = ()) -> CheckResult:
    return CheckResult(
        ok=False,
        proof=Proof(ok=False),
        findings=ordered(findings),
        left_out=tuple(left_out),
    )


def _toolchain(toolchains: Toolchains, language: str) -> Toolchain:
    if language not in toolchains:
        known = ", ".join(toolchains)
        raise TutorError(
            "BAD_ARGUMENT", f'"{language}" is no language of the tutor. Choose one of: {known}.'
        )
    return toolchains[language]


async def _folder(
    path: Path,
    language: str | None,
    toolchains: Toolchains,
    limits: RunLimits,
    files: FileLimits,
) -> CheckResult:
    try:
        tree = await asyncio.to_thread(read_tree, path, files, AUTHORED)
    except Unreadable as error:
        inside = error.name if error.name != str(path) else None
        return _refused(ProofFinding("shape", f"{_sentence(error)}.", inside))
    links = [ProofFinding("shape", f"{name} is a link.", name) for name in tree.links]
    lacking = links or _lacking(tree)
    if lacking:
        return _refused(*lacking, left_out=tree.left_out)
    async with scratch_folder("check") as holder:
        named = holder / _name(path, tree)
        await asyncio.to_thread(write_tree, named, tree.files)
        checked = await _copy(named, language, toolchains, limits)
    return replace(checked, left_out=tuple(tree.left_out))


async def _copy(
    named: Path, language: str | None, toolchains: Toolchains, limits: RunLimits
) -> CheckResult:
    """The proof of a folder that nobody else writes to."""
    library = Library([named])
    entries = await asyncio.to_thread(library.entries)
    if not entries:
        told = [_plain(text, named) for text in library.problems]
        return _refused(*(ProofFinding("shape", text) for text in told))
    entry = entries[0]
    if language is not None and entry.language != language:
        said = f"Its language is {entry.language}, not {language}."
        return _refused(ProofFinding("shape", said, "exercise.toml"))
    toolchain = _toolchain(toolchains, entry.language)
    await toolchain.probe()
    try:
        checked = await check_entry(library, entry, toolchain, None, limits)
    except TutorError as error:
        if error.kind != "BROKEN_EXERCISE":
            raise
        return _refused(ProofFinding("shape", _plain(error.message, named)))
    return CheckResult(not checked.findings, checked.proof, checked.findings)


def _name(path: Path, tree: Tree) -> str:
    """The name that a library would want, so that any folder can be checked."""
    try:
        data = parse_toml(tree.files["exercise.toml"])
        name = f"{data['node']}-{data['slug']}"
    except (ValueError, KeyError):
        name = ""
    if NAME.fullmatch(name) and len(name) < LONGEST_NAME:
        return name
    own = path.resolve().name
    return own if own and wrong_path(own) is None else "exercise"


def _lacking(tree: Tree) -> list[ProofFinding]:
    """What the loader would not tell so plainly."""
    if "exercise.toml" not in tree.files:
        return [ProofFinding("shape", "There is no exercise.toml, which says what the units are.")]
    if not any(name.startswith("solution/src/") for name in tree.files):
        said = "There is no reference: solution/src holds no file."
        return [ProofFinding("shape", said, "solution/src")]
    return []


def _sentence(error: Unreadable) -> str:
    said = str(error)
    return said[:1].upper() + said[1:] if error.name == "the folder" else said


def _plain(text: str, folder: Path) -> str:
    """A sentence of the loader, which names our copy, in the teacher's terms."""
    text = text.replace(f" Mend or remove {folder}.", "")
    return text.replace(f"Exercise {folder} is left out: ", "").replace(str(folder), "the folder")


async def _record(
    path: Path,
    language: str | None,
    toolchains: Toolchains,
    solver: Solver | None,
    limits: RunLimits,
    files: FileLimits,
) -> CheckResult:
    imported = await asyncio.to_thread(lambda: import_payloads(read_lines(path, files.total_bytes)))
    chosen = language or imported.language
    if chosen is None:
        raise TutorError(
            "BAD_ARGUMENT", f"The file names in {path} do not tell the language: name it."
        )
    toolchain = _toolchain(toolchains, chosen)
    await toolchain.probe()
    known = [
        ProofFinding("shape", f"{note.role} {note.iteration}, {note.path}: {note.message}.")
        for note in imported.notes
        if not note.filled
    ]
    stages = imported.stages
    if stages is None:
        return _refused(*known)
    try:
        assembly = await asyncio.to_thread(assemble, stages, toolchain, _title(stages))
        solution, accepts = _solution(imported, assembly.files, toolchain)
    except TutorError as error:
        said = error.reason or error.message
        return _refused(*known, ProofFinding("shape", said, error.details.get("path")))
    index = await asyncio.to_thread(
        build_index, assembly.files, stages.scaffold.get("units"), toolchain
    )
    candidate = Candidate(chosen, assembly.authored, assembly.files, solution, index.units, accepts)
    completed = dialect(chosen).completed(assembly.authored, assembly.files)
    known += [*index.findings, *completed, *_bare_sections(stages, candidate)]
    result = await prove(
        candidate,
        toolchain,
        known=known,
        depth=str(stages.scaffold["depth_target"]),
        solver=None if solution else solver,
        limits=limits,
    )
    return CheckResult(result.proof.ok, result.proof, result.findings)


def _title(stages: Stages) -> str:
    return str(stages.scaffold["scaffold_id"])


def _solution(
    imported: Imported, files: Mapping[str, str], toolchain: Toolchain
) -> tuple[dict[str, str], dict[str, str]]:
    payloads: tuple[Mapping[str, Any], ...] = imported.payloads.get(Role.SOLUTION, ())
    if not payloads:
        return {}, {}
    src = {path: text for path, text in files.items() if path.startswith("src/")}
    return overlay(src, payloads[-1], toolchain), domains(payloads[-1])


def _bare_sections(stages: Stages, candidate: Candidate) -> list[ProofFinding]:
    """Lesson sections of a record that bring no heading and got none."""
    lesson = candidate.authored.get(LESSON, "")
    there = {mark.text for mark in headings(lesson) if mark.level == 2}
    planned = [str(unit["lesson_heading"]) for unit in stages.scaffold.get("units") or ()]
    found: list[ProofFinding] = []
    for number, section in enumerate(stages.lesson, start=1):
        content = str(section["content"])
        if any(mark.level == 2 for mark in headings(content)) or there & set(planned):
            continue
        first = next((line for line in content.split("\n") if line.strip()), "")
        at = lesson.find(first)
        line = lesson.count("\n", 0, at) + 1 if at >= 0 else None
        name = f"Lesson section {number} ({section['section_id']})"
        found.append(ProofFinding("references", f"{name} has no heading (## …).", LESSON, line))
        if not any(f"`{unit.stub}`" in content for unit in candidate.units):
            said = f"{name} names no stub of the exercise."
            found.append(ProofFinding("references", said, LESSON, line))
    return found
