"""Proving anybody's exercise: a folder in the exercise format, or a record of payloads."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tutor_lsp.authoring.arrival.plan import too_many
from tutor_lsp.authoring.assembly import assemble, overlay, replaced_imports
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.library_check import check_entry
from tutor_lsp.authoring.model import Candidate, Stages
from tutor_lsp.authoring.payload_records import import_payloads, read_lines
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.prove import prove
from tutor_lsp.authoring.proof.trial import ordered
from tutor_lsp.authoring.solving import domains
from tutor_lsp.authoring.workspace import write_tree
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON, Proof
from tutor_lsp.core.exercise.files import LONGEST_NAME, FileLimits, below, wrong_path
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.learner.curriculum import NAME
from tutor_lsp.core.ports import RunLimits, Toolchain
from tutor_lsp.core.stage import Role
from tutor_lsp.files.parsing import parse_toml
from tutor_lsp.files.reading import Unreadable
from tutor_lsp.files.tree import Tree, read_tree
from tutor_lsp.languages.foreign import foreign_file, refusal
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import Library
from tutor_lsp.library.markdown import headings
from tutor_lsp.library.texts import AUTHORED
from tutor_lsp.process.scratch import scratch_folder

Toolchains = Mapping[str, Toolchain]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`ok` if there are no findings; `proof` has the figures as far as it got. `left_out` names
    what in a folder is not part of an exercise, and was neither read nor run. `advice` is what
    could be better without being wrong.
    """

    ok: bool
    proof: Proof
    findings: tuple[ProofFinding, ...]
    left_out: tuple[str, ...] = ()
    advice: tuple[ProofFinding, ...] = ()


async def check_exercise(
    path: Path,
    language: str | None = None,
    *,
    toolchains: Toolchains,
    limits: RunLimits = LIMITS,
    files: FileLimits = FileLimits(),  # noqa: B008 - frozen
) -> CheckResult:
    """Prove the exercise in a folder, or the one whose stage payloads are in a JSONL file.

    `language` is needed only for a record whose file names do not determine it. A record without
    a reference has that as a finding. Anything that could be completed without a model (crate root,
    module lines, headers) is a finding, and the rest is checked with it completed. A folder is
    checked on a copy; no more than `files` allow is read, and a link, a pipe or a device among
    its files is a finding. Raises TutorError `BAD_ARGUMENT`, `BAD_SCRIPT`, `TOOLCHAIN_MISSING`.
    """
    check = _Check(language, toolchains, limits, files)
    if await asyncio.to_thread(path.is_dir):
        return await check.folder(path)
    if not await asyncio.to_thread(path.is_file):
        raise TutorError(
            "BAD_ARGUMENT", f"{path} is neither a folder nor a file. Name an exercise folder."
        )
    return await check.record(path)


def _refused(*findings: ProofFinding, left_out: Sequence[str] = ()) -> CheckResult:
    proof = Proof(ok=False)
    return CheckResult(ok=False, proof=proof, findings=ordered(findings), left_out=tuple(left_out))


@dataclass(frozen=True, slots=True)
class _Check:
    """What is asked for; the fields are those of `check_exercise`."""

    language: str | None
    toolchains: Toolchains
    limits: RunLimits
    files: FileLimits

    async def _toolchain(self, language: str) -> Toolchain:
        if language not in self.toolchains:
            known = ", ".join(self.toolchains)
            raise TutorError(
                "BAD_ARGUMENT",
                f'"{language}" is not a language of the tutor. Choose one of: {known}.',
            )
        await self.toolchains[language].probe()
        return self.toolchains[language]

    async def folder(self, path: Path) -> CheckResult:
        try:
            tree = await asyncio.to_thread(read_tree, path, self.files, AUTHORED)
        except Unreadable as error:
            inside = error.name if error.name != str(path) else None
            return _refused(ProofFinding("shape", f"{_sentence(error)}.", inside))
        links = [ProofFinding("shape", f"{name} is a link.", name) for name in tree.links]
        if foreign := foreign_file(each for each in tree.files if each.startswith("src/")):
            return _refused(ProofFinding("shape", refusal(*foreign), foreign[0]))
        lacking = links or _lacking(tree)
        if lacking:
            return _refused(*lacking, left_out=tree.left_out)
        async with scratch_folder("check") as holder:
            named = holder / _name(path, tree)
            await asyncio.to_thread(write_tree, named, tree.files)
            checked = await self._copy(named)
        return replace(checked, left_out=tuple(tree.left_out))

    async def _copy(self, named: Path) -> CheckResult:
        """Prove a folder to which nobody else writes."""
        library = Library([named], self.files)
        entries = await asyncio.to_thread(library.entries)
        if not entries:
            told = [_plain(text, named) for text in library.problems]
            return _refused(*(ProofFinding("shape", text) for text in told))
        entry = entries[0]
        if self.language not in (None, entry.language):
            said = f"Its language is {entry.language}, not {self.language}."
            return _refused(ProofFinding("shape", said, "exercise.toml"))
        toolchain = await self._toolchain(entry.language)
        try:
            checked = await check_entry(library, entry, toolchain, None, self.limits)
        except TutorError as error:
            if error.kind != "BROKEN_EXERCISE":
                raise
            return _refused(ProofFinding("shape", _plain(error.message, named)))
        found = checked.findings
        return CheckResult(not found, checked.proof, found, advice=checked.advice)

    async def record(self, path: Path) -> CheckResult:
        lines = await asyncio.to_thread(read_lines, path, self.files.total_bytes)
        imported = await asyncio.to_thread(import_payloads, lines)
        if imported.foreign is not None:
            return _refused(ProofFinding("shape", refusal(*imported.foreign), imported.foreign[0]))
        chosen = self.language or imported.language
        if chosen is None:
            raise TutorError(
                "BAD_ARGUMENT", f"The file names in {path} do not reveal the language: name it."
            )
        toolchain = await self._toolchain(chosen)
        known = [
            ProofFinding("shape", f"{each.role} {each.iteration}, {each.path}: {each.message}.")
            for each in imported.faults
        ]
        stages = imported.stages
        if stages is None:
            return _refused(*known)
        scaffold = stages.scaffold
        try:
            title = str(scaffold["scaffold_id"])
            assembly = await asyncio.to_thread(assemble, stages, toolchain, title)
            last = imported.payloads.get(Role.SOLUTION, ({"files": ()},))[-1]
            solution = overlay(below(assembly.files, "src"), last, toolchain)
        except TutorError as error:
            said = error.reason or error.message
            return _refused(*known, ProofFinding("shape", said, error.details.get("path")))
        authored, files = assembly.authored, assembly.files
        index = await asyncio.to_thread(build_index, files, scaffold.get("units"), toolchain)
        candidate = Candidate(chosen, authored, files, solution, index.units, domains(last))
        completed = dialect(chosen).completed(authored, files)
        result = await prove(
            candidate,
            toolchain,
            known=[
                *known,
                *index.findings,
                *completed,
                *replaced_imports(assembly),
                *_bare_sections(stages, candidate),
                *too_many(len(candidate.units)),
            ],
            depth=str(scaffold["depth_target"]),
            limits=self.limits,
        )
        found = result.findings
        return CheckResult(result.proof.ok, result.proof, found, advice=result.advice)


def _name(path: Path, tree: Tree) -> str:
    """The name that a library would require, so any folder can be checked."""
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
    """Problems that the loader would report less clearly."""
    if "exercise.toml" not in tree.files:
        return [ProofFinding("shape", "There is no exercise.toml to list the units.")]
    if not any(name.startswith("solution/src/") for name in tree.files):
        said = "There is no reference: solution/src has no files."
        return [ProofFinding("shape", said, "solution/src")]
    return []


def _sentence(error: Unreadable) -> str:
    said = str(error)
    return said[:1].upper() + said[1:] if error.name == "the folder" else said


def _plain(text: str, folder: Path) -> str:
    """A loader's message, which names our copy, in the teacher's terms."""
    text = text.replace(f" Fix or remove {folder}.", "")
    return text.replace(f"Exercise {folder} is left out: ", "").replace(str(folder), "the folder")


def _bare_sections(stages: Stages, candidate: Candidate) -> list[ProofFinding]:
    """Lesson sections of a record that have no heading and got none."""
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
            said = f"{name} does not name any stub of the exercise."
            found.append(ProofFinding("references", said, LESSON, line))
    return found
