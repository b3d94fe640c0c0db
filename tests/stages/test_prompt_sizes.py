"""What an exercise costs in calls and bytes, had a model written the bundled ones in few calls."""

from functools import cache
from statistics import median

from tutor_lsp.authoring.loop import CAPS
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.stage import CONTRACTS, EXPAND_ROLES, SEVERAL, Role
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.library.markdown import split_at
from tutor_lsp.stages.backends.library import planned_units
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.mistakes import Tried, mistakes_request, tags_request
from tutor_lsp.stages.runner import shared_prefix
from tutor_lsp.stages.subject import NodeBrief
from tutor_lsp.stages.tutoring import solution_request

LIBRARY = Library([BUNDLED])
MOST_CALLS, MOST_BYTES = 8, 100_000
TRIED = 4
"""Wrong versions of a unit that are tagged."""


def plan(exercise) -> dict:
    entry = exercise.entry
    return {
        "schema_version": CONTRACTS[Role.SCAFFOLD],
        "role": Role.SCAFFOLD.value,
        "scaffold_id": entry.id,
        "node_id": entry.node,
        "depth_target": entry.depth,
        "exercise_description": entry.description,
        "lesson_plan": {"section_intents": [unit.lesson_heading for unit in entry.units]},
        "starter_plan": {"file_intents": sorted(exercise.src)},
        "test_plan": {"case_intents": [test for unit in entry.units for test in unit.tests]},
        "units": planned_units(entry),
    }


def sections(exercise, role: Role) -> dict:
    """All sections of a loop as one answer."""
    if role is Role.LESSON:
        pieces = split_at(exercise.lesson, 2)
        own = [{"section_id": f"s{n}", "type": "concept", "content": text}
               for n, text in enumerate(pieces)]  # fmt: skip
    else:
        files = exercise.src if role is Role.STARTER else exercise.tests
        own = [{"section_id": path, "type": "file", "file_path": path, "content": text}
               for path, text in files.items() if text]  # fmt: skip
    head = {"schema_version": SEVERAL[role], "role": role.value, "sections": own}
    return head | {"is_complete": True, "next_focus": None}


def prompts(entry) -> list[tuple[Role, bytes]]:
    """Every prompt of a set-up that holds at first try, in order."""
    exercise = LIBRARY.load(entry)
    node = NodeBrief(entry.node, entry.title, "A summary of the topic in a sentence of some length",
                     ("One", "Two"), ("tag-of-one", "tag-of-two"), ("word", "other"))  # fmt: skip
    made = Conversation(
        entry.language, node, depth=entry.depth, setup_id="0" * 12, caps=CAPS[entry.depth]
    )
    found = []
    for role in (Role.SCAFFOLD, *EXPAND_ROLES):
        found.append(made.request(role))
        made.accept(role, 1, plan(exercise) if role is Role.SCAFFOLD else sections(exercise, role))
    files = toolchains()[entry.language].complete(dict(exercise.files))
    seen = {p: t for p, t in files.items() if p == "LESSON.md" or p.startswith("src/")}
    found.append(solution_request(made, seen))
    reference = below(exercise.solution, "src")
    known = [(unit, each) for unit, own in exercise.mistakes.items() for each in own[:TRIED]]
    tried = [
        Tried(number, unit, each.code, "test_it_is_so: failed: 1 against 2")
        for number, (unit, each) in enumerate(known, start=1)
    ]
    found += [mistakes_request(made, reference), tags_request(made, reference, tried)]
    return [(request.role, request.prompt.text.encode()) for request in found]


@cache
def all_prompts() -> list[list[tuple[Role, bytes]]]:
    return [prompts(entry) for entry in LIBRARY.entries()]


def test_an_exercise_takes_few_calls_and_a_hundred_kilobytes():
    assert median(len(calls) for calls in all_prompts()) <= MOST_CALLS
    assert median(sum(len(text) for _, text in calls) for calls in all_prompts()) <= MOST_BYTES


def test_of_the_loops_only_documents_and_tails_are_sent_anew():
    """Each document is sent unshared once, so that fewer calls share a smaller part of less."""
    for calls in all_prompts():
        before, unshared, sent = [], 0, 0
        for role, text in calls[:4]:
            shared = max((shared_prefix(other, text) for other in before), default=0)
            if role in EXPAND_ROLES:
                unshared += len(text) - shared
                sent += len(text)
            before.append(text)
        assert 1 - unshared / sent > 0.6
        longest = len(calls[3][1])
        assert unshared <= longest - len(calls[0][1]) + 3 * 600
