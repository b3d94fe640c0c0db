"""What the event log tells of a set-up by a model: which rules fired, and what came of it. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

FINDING_EVENT, ENDED_EVENT = "finding", "finding-ended"
MEND_EVENT, REPAIR_EVENT, SURPLUS_EVENT = "mend", "repair", "sections-dropped"
TOPIC_EVENT = "topic"
"""What the units are about was asked to be done without, and what can be."""
GENERATION_EVENTS = (FINDING_EVENT, ENDED_EVENT, MEND_EVENT, REPAIR_EVENT, SURPLUS_EVENT)

RULE_CHARACTERS = 120
OFTEN = 3
"""Rules that a model is told of, since they were broken before."""
_QUOTED = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")
_LIST = re.compile(r"…(?:,? (?:and )?…)+")
_NUMBER = re.compile(r"\b(?:ex-)?\d+\b")


class Outcome(StrEnum):
    """What came of a finding: it was gone at the next check, the exercise was refused with it, or
    it was no more than advice, since the exercise holds in spite of it."""

    REPAIRED = "repaired"
    LEFT = "left"
    OVERRULED = "overruled"


def rule_of(message: str) -> str:
    """The rule behind a finding: its first clause without what it is about."""
    text = _NUMBER.sub("N", _QUOTED.sub("…", " ".join(message.split())))
    clause = re.split(r"(?<=\S)[.:;] |\.$", text, maxsplit=1)[0]
    return _LIST.sub("…", clause)[:RULE_CHARACTERS].strip()


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How often a rule of a step fired, and what came of that; `open` is the rest, of set-ups that
    were interrupted or are under way."""

    step: str
    rule: str
    fired: int
    repaired: int
    left: int
    overruled: int

    @property
    def open(self) -> int:
        return max(self.fired - self.repaired - self.left - self.overruled, 0)


def rule_counts(events: Iterable[Mapping[str, Any]]) -> list[RuleCount]:
    """The rules that fired, those that did most often first. `events` have `kind` and `data`."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for event in events:
        data = event["data"]
        fired, ended = event["kind"] == FINDING_EVENT, event["kind"] == ENDED_EVENT
        if fired or ended:
            key = (str(data.get("step")), str(data.get("rule")))
            counts.setdefault(key, Counter())["fired" if fired else str(data.get("outcome"))] += 1
    rows = [
        RuleCount(step, rule, found["fired"], *(found[outcome.value] for outcome in Outcome))
        for (step, rule), found in counts.items()
    ]
    return sorted(rows, key=lambda row: (-row.fired, row.step, row.rule))


def often(events: Iterable[Mapping[str, Any]], language: str) -> tuple[str, ...]:
    """The rules for which exercises in a language were mostly repaired or refused."""
    causes = (Outcome.REPAIRED.value, Outcome.LEFT.value)
    counts = Counter(
        str(event["data"].get("rule"))
        for event in events
        if event["kind"] == ENDED_EVENT
        and event["data"].get("language") == language
        and event["data"].get("outcome") in causes
    )
    ordered = sorted(counts, key=lambda rule: (-counts[rule], rule))
    return tuple(ordered[:OFTEN])
