"""Several libraries as one: which exercises count, and what is left out. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tutor_lsp.core.learner.curriculum import Curriculum
from tutor_lsp.core.mend import Problem
from tutor_lsp.languages.registry import languages, name_of
from tutor_lsp.library.shelf import LIBRARIES, Listed, Shelf, unused
from tutor_lsp.library.shelf_topics import ShelfTopics


@dataclass(frozen=True, slots=True)
class OwnLibrary:
    """A folder of the setting `libraries`: how many exercises of it are used, and one sentence for
    each that is left out, and for whatever else in it cannot be used."""

    path: str
    exercises: int
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Gathered:
    """What several libraries have together; `curriculum` is the tutor's with their own topics, None
    where it was not given."""

    listed: tuple[Listed, ...]
    own: tuple[OwnLibrary, ...]
    curriculum: Curriculum | None

    @cached_property
    def by_node(self) -> Mapping[str, Sequence[Listed]]:
        """The exercises of each node, in order."""
        found: dict[str, list[Listed]] = {}
        for each in self.listed:
            found.setdefault(each.node, []).append(each)
        return found

    @cached_property
    def by_id(self) -> Mapping[str, Listed]:
        """Every exercise by its id."""
        return {each.id: each for each in self.listed}


def gather(shelves: Sequence[Shelf], bundled: Path, known: Curriculum | None) -> Gathered:
    """The exercises of all libraries; of equal ids the first one counts. Own topics come before
    those `known`, which they do not change.
    """
    topics = ShelfTopics(known or Curriculum())
    left_out = {shelf.root: list(shelf.problems) for shelf in shelves}
    used: dict[str, tuple[int, Listed]] = {}
    own = [shelf for shelf in shelves if shelf.root != bundled]
    for shelf in own:
        topics.describe(shelf, left_out[shelf.root])
    for rank, shelf in enumerate(shelves):
        for each in shelf.exercises:
            first = used.get(each.id)
            if first is not None and first[1].folder == each.folder:
                continue  # one library is in another
            why = _refusal(each, topics) if shelf in own else None
            if why is None and first is not None and shelf in own:
                why = f'its id "{each.id}" is that of {first[1].folder} too'
            if why is not None:
                left_out[shelf.root].append(unused(each.folder, why))
            elif first is None:
                used[each.id] = (rank, each)
                if shelf in own:
                    topics.add(each, shelf.root)
        if not shelf.exercises and not left_out[shelf.root]:
            said = (
                f"The library {shelf.root} has no exercises: name a folder with exercises, "
                "each in its own folder with an exercise.toml."
            )
            left_out[shelf.root].append(Problem(said, LIBRARIES))
    ranks = [rank for rank, _ in used.values()]
    curriculum = topics.curriculum(left_out) if known is not None else None
    return Gathered(
        tuple(each for _, each in sorted(used.values(), key=_order)),
        tuple(
            OwnLibrary(str(shelf.root), ranks.count(rank), tuple(left_out[shelf.root]))
            for rank, shelf in enumerate(shelves)
            if shelf in own
        ),
        curriculum,
    )


def _order(row: tuple[int, Listed]) -> tuple[str, int, str, str, str]:
    rank, each = row
    return (each.language, rank, each.depth, each.node, each.slug)


def _refusal(each: Listed, topics: ShelfTopics) -> str | None:
    """Why an exercise cannot be used beside what is known, as a clause, or None."""
    if each.language not in languages():
        return f'"{each.language}" is not a language of the tutor'
    language = topics.language(each.node)
    if language not in (None, each.language):
        return (
            f"its topic {each.node} is one of {name_of(str(language))}, not of "
            f"{name_of(each.language)}: name its folder and its node after another"
        )
    return None
