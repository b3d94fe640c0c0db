"""Checking that a curriculum is consistent: reports every problem, not only the first."""

from collections import Counter, deque
from collections.abc import Iterable

from tutor_lsp.core.learner.curriculum import DEPTHS, NAME, Curriculum, Node, Track

FEWEST_TAGS, MOST_TAGS = 2, 12


def validate(curriculum: Curriculum) -> list[str]:
    """Every problem of the graph, each in one sentence; empty if there is none.

    Detects: ids that are malformed, unknown or duplicate, unknown depths, nodes in no
    track, tracks that put a node before its prerequisite, prerequisite cycles, nodes
    unreachable because of one of those, nodes without prerequisites that begin no
    track, and nodes without tags (2 to 6), keywords or error codes.
    """
    problems = _repeated("node", (node.id for node in curriculum.nodes))
    first = {track.nodes[0] for track in curriculum.tracks if track.nodes}
    problems += _repeated("track", (track.id for track in curriculum.tracks))
    in_tracks = {node for track in curriculum.tracks for node in track.nodes}
    for node in curriculum.nodes:
        problems += _node_problems(node, curriculum)
        if not node.prerequisites and node.id not in first:
            problems.append(f"node {node.id} builds on nothing and begins no track")
        if node.id not in in_tracks:
            problems.append(f"node {node.id} is in no track")
    for track in curriculum.tracks:
        problems += _track_problems(track, curriculum)
    return problems + _reach_problems(curriculum)


def _node_problems(node: Node, curriculum: Curriculum) -> list[str]:
    problems = []
    if not NAME.fullmatch(node.id):
        problems.append(f"node id {node.id!r} may hold only a-z, 0-9 and single hyphens")
    if node.depth not in DEPTHS:
        problems.append(f"node {node.id} has depth {node.depth!r}, known are {', '.join(DEPTHS)}")
    if node.minutes < 1:
        problems.append(f"node {node.id} has {node.minutes} minutes, at least 1 is needed")
    if not FEWEST_TAGS <= len(node.tags) <= MOST_TAGS:
        wanted = f"{FEWEST_TAGS} to {MOST_TAGS} are needed"
        problems.append(f"node {node.id} has {len(node.tags)} misconception tags, {wanted}")
    problems += _repeated(f"node {node.id}: tag", node.tags)
    problems += [
        f"node {node.id}: tag {tag!r} may hold only a-z, 0-9 and single hyphens"
        for tag in node.tags
        if not NAME.fullmatch(tag)
    ]
    if not node.keywords:
        problems.append(f"node {node.id} has no keywords")
    if not node.error_codes:
        problems.append(f"node {node.id} has no error codes")
    for other_id in node.prerequisites:
        other = curriculum.node(other_id)
        if other is None:
            problems.append(f"node {node.id} needs {other_id}, which does not exist")
        elif other.language != node.language:
            problems.append(f"node {node.id} needs {other_id}, which is {other.language}")
    return problems


def _track_problems(track: Track, curriculum: Curriculum) -> list[str]:
    problems = [] if track.nodes else [f"track {track.id} is empty"]
    problems += _repeated(f"track {track.id}: node", track.nodes)
    for place, node_id in enumerate(track.nodes):
        node = curriculum.node(node_id)
        if node is None:
            problems.append(f"track {track.id} names {node_id}, which does not exist")
            continue
        if node.language != track.language:
            problems.append(f"track {track.id} names {node_id}, which is {node.language}")
        problems += [
            f"track {track.id} has {node_id} before {other}, which it builds on"
            for other in node.prerequisites
            if other in track.nodes[place + 1 :]
        ]
    return problems


def _reach_problems(curriculum: Curriculum) -> list[str]:
    needs = {node.id: node.prerequisites for node in curriculum.nodes}
    reached: set[str] = set()
    while ready := {node for node in needs if reached.issuperset(needs[node])} - reached:
        reached |= ready
    problems: list[str] = []
    in_cycle: set[str] = set()
    blocked = [node for node in needs if node not in reached]
    for node in blocked:
        cycle = [] if node in in_cycle else _cycle_through(node, needs)
        if cycle:
            in_cycle.update(cycle)
            problems.append(f"prerequisites go in a circle: {' → '.join(cycle)}")
    for node in blocked:
        unknown = any(other not in needs for other in needs[node])
        if node not in in_cycle and not unknown:
            problems.append(f"node {node} can never be reached through its prerequisites")
    return problems


def _cycle_through(node: str, needs: dict[str, tuple[str, ...]]) -> list[str]:
    """The shortest path from a node along prerequisites back to itself, or an empty list."""
    came_from: dict[str, str] = {}
    waiting = deque([node])
    while waiting:
        current = waiting.popleft()
        for other in needs.get(current, ()):
            if other == node:
                path = [node, current]
                while path[-1] != node:
                    path.append(came_from[path[-1]])
                return list(reversed(path)) if current != node else [node, node]
            if other not in came_from:
                came_from[other] = current
                waiting.append(other)
    return []


def _repeated(what: str, ids: Iterable[str]) -> list[str]:
    return [f"{what} {one} is there {n} times" for one, n in Counter(ids).items() if n > 1]
