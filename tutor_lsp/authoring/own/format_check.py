"""Rules of the exercise format that apply only to bundled and users' own exercises. Pure.

The proof checks that an exercise works, and the rules for generated ones too.
"""

import difflib
from collections.abc import Iterator

from tutor_lsp.authoring.proof.lesson import words
from tutor_lsp.contracts.setup import UNITS
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.stub_comment import parse_stub_comment
from tutor_lsp.core.learner.curriculum import Curriculum
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.text.ascii_form import ascii_signs
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.practises import constructs, left_out
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import BundledExercise, load_curriculum
from tutor_lsp.library.markdown import code_blocks
from tutor_lsp.library.remedial import remedial_texts

CURRICULUM_UNITS = (3, 7)
TESTS_PER_UNIT = (2, 4)
OWN_UNITS = (1, UNITS)
"""Of a user's own exercise, as a start takes it; its units may have any number of tests."""
HINT_WORDS = (40, 90, 90)
HINT_CODE_LINES = 8

NO_STUB_FORM = "does not have the fixed form of a stub."


def check_format(
    exercise: BundledExercise, curriculum: Curriculum | None, toolchain: Toolchain
) -> list[ProofFinding]:
    """Every rule that the exercise breaks. `curriculum` is the one it belongs to, None for a
    user's own exercise, which may have any node."""
    return [
        *_entry(exercise, curriculum),
        *_practises(exercise, toolchain),
        *_stubs(exercise, toolchain),
        *_comments(exercise, toolchain),
        *_hints(exercise),
        *_tags(exercise),
        *_contracts(exercise, toolchain),
    ]


def _entry(exercise: BundledExercise, curriculum: Curriculum | None) -> Iterator[ProofFinding]:
    entry, toml = exercise.entry, "exercise.toml"
    if curriculum is not None:
        node = curriculum.node(entry.node)
        if node is None or node.language != entry.language:
            said = f"The curriculum has no {entry.language} node {entry.node}."
            yield ProofFinding("shape", said, toml)
        elif node.depth != entry.depth:
            said = f"Its depth is {entry.depth}, but its node's is {node.depth}."
            yield ProofFinding("shape", said, toml)
    least, most = CURRICULUM_UNITS if curriculum is not None else OWN_UNITS
    if not least <= len(entry.units) <= most:
        said = f"It has {len(entry.units)} units, not {least} to {most}."
        yield ProofFinding("shape", said, toml)
    for unit in entry.units if curriculum is not None else ():
        if not TESTS_PER_UNIT[0] <= len(unit.tests) <= TESTS_PER_UNIT[1]:
            said = f"{unit.id} has {len(unit.tests)} tests, not 2 to 4."
            yield ProofFinding("shape", said, toml, None, unit.id)


def _practises(exercise: BundledExercise, toolchain: Toolchain) -> Iterator[ProofFinding]:
    """Constructs that the language does not know, and those that the reference does without."""
    language = exercise.entry.language
    known = constructs(language)
    for unit in exercise.entry.units:
        missing = [name for name in unit.practises if name not in known]
        if missing:
            names = ", ".join(known) or "none"
            said = f"{unit.id} practises {', '.join(missing)}; {language} knows: {names}."
            yield ProofFinding("shape", said, "exercise.toml", None, unit.id)
        for name in left_out(language, unit, exercise.solution, toolchain.functions):
            said = f"The reference of {unit.id} does without {known[name].name}."
            yield ProofFinding("reference", said, f"solution/{unit.file}", None, unit.id)


def _stubs(exercise: BundledExercise, toolchain: Toolchain) -> Iterator[ProofFinding]:
    form = dialect(exercise.entry.language).stub_body
    grammar = dialect(exercise.entry.language).grammar
    stubs = {
        unit.stub: unit.id for unit in exercise.entry.units if not UnitKind(unit.kind).given_broken
    }
    for path, text in exercise.src.items():
        for site in toolchain.functions(text):
            if site.name not in stubs or parse_stub_comment(site.comment or "") is None:
                continue
            body = text[site.body_start : site.body_end]
            for comment in parse(body, grammar).comments:
                body = body.replace(comment.text, "")
            body = "\n".join(line.strip() for line in body.split("\n") if line.strip())
            body = body.strip("{}").strip()
            found = form.match(body)
            if found is None or found[1] != site.name:
                said = f"The body of `{site.name}` {NO_STUB_FORM}"
                yield ProofFinding("shape", said, path, site.line, stubs[site.name], body)


def _comments(exercise: BundledExercise, toolchain: Toolchain) -> Iterator[ProofFinding]:
    """Typographic signs, which have an ASCII form; letters and names are the author's."""
    for path, text in exercise.src.items():
        for site in toolchain.functions(text):
            comment = parse_stub_comment(site.comment or "")
            if comment is None:
                continue
            values = {
                "first": comment.first_principle,
                "read": comment.heading,
                "start": comment.start_here,
            }
            for name, value in values.items():
                if (plain := ascii_signs(value)) == value:
                    continue
                line = site.comment_line + comment.places[name][0] - 1
                said = f"The comment of `{site.name}` has signs that are not ASCII. Write: {plain}"
                yield ProofFinding("references", said, path, line, comment.unit_id)


def _tags(exercise: BundledExercise) -> Iterator[ProofFinding]:
    """Misconceptions that no topic of the language names, and neither does the exercise's own."""
    entry = exercise.entry
    known = {tag for node in load_curriculum().of(entry.language) for tag in node.tags}
    known |= remedial_texts(entry.language).keys()
    known |= set(entry.topic.tags) if entry.topic is not None else set()
    for unit, mistakes in exercise.mistakes.items():
        for each in mistakes:
            if each.tag and each.tag not in known:
                near = difflib.get_close_matches(each.tag, sorted(known), 1)
                more = f" Is {near[0]} meant?" if near else ""
                said = f"No topic has the tag {each.tag}, which “{each.name}” names.{more}"
                yield ProofFinding("mistakes", said, f"mistakes/{unit}.md", each.line, unit)


def _contracts(exercise: BundledExercise, toolchain: Toolchain) -> Iterator[ProofFinding]:
    """Comments that promise something else in the reference than in the starter."""
    for unit in exercise.entry.units:
        said = [
            parse_stub_comment(site.comment or "")
            for texts in (exercise.src, exercise.solution)
            for site in toolchain.functions(texts.get(unit.file, ""))
            if site.name == unit.stub
        ]
        here, there = said if len(said) == 2 else (None, None)
        if here is None or there is None:
            continue
        if "".join(here.contract.split()) != "".join(there.contract.split()):
            text = f"The comment of `{unit.stub}` promises something else in the reference."
            yield ProofFinding("references", text, f"solution/{unit.file}", None, unit.id)


def _hints(exercise: BundledExercise) -> Iterator[ProofFinding]:
    for unit, texts in exercise.hints.items():
        file = f"hints/{unit}.md"
        for level, (text, limit) in enumerate(zip(texts, HINT_WORDS, strict=True), start=1):
            fences = [code.text for code in code_blocks(text)]
            if (count := words(text)) > limit or not count:
                said = f"L{level} has {count} words, at most {limit}."
                yield ProofFinding("giveaway", said, file, None, unit)
            if level != 2 and fences:
                yield ProofFinding("giveaway", f"L{level} has a code block.", file, None, unit)
            if len(fences) > 1 or any(len(f.splitlines()) > HINT_CODE_LINES for f in fences):
                said = f"L{level} has more code than {HINT_CODE_LINES} lines in one block."
                yield ProofFinding("giveaway", said, file, None, unit)
