"""The topic of a set-up, and its learner."""

import hashlib
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tutor_lsp.core.learner.curriculum import Curriculum, Node
from tutor_lsp.core.text.plain_text import clip_bytes

TOPIC_ID = "topic-"
_SLUG_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class NodeBrief:
    """A topic as prompts describe it. `prerequisites` are titles, `tags` known misconceptions."""

    id: str
    title: str
    summary: str = ""
    prerequisites: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    @classmethod
    def of_node(
        cls, node: Node, curriculum: Curriculum, without: Collection[str] = ()
    ) -> "NodeBrief":
        """A node of the curriculum, its prerequisites by title; those in `without` are left out."""
        wanted = (other for other in node.prerequisites if other not in without)
        known = [curriculum.node(other) for other in wanted]
        return cls(
            id=node.id,
            title=node.title,
            summary=node.summary,
            prerequisites=tuple(other.title for other in known if other is not None),
            tags=node.tags,
            keywords=node.keywords,
        )

    @classmethod
    def of_topic(cls, topic: str, near: "NodeBrief | None" = None) -> "NodeBrief":
        """A free topic: an id of `[a-z0-9-]` made from its text, the same for the same text, with
        what is known of the node that it is `near`."""
        line = " ".join(topic.split())
        plain = unicodedata.normalize("NFKD", line).encode("ascii", "ignore").decode().lower()
        slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
        if not slug or len(slug) > _SLUG_CHARACTERS or not line.isascii():
            mark = hashlib.sha256(line.encode("utf-8", "replace")).hexdigest()[:8]
            slug = f"{slug[:_SLUG_CHARACTERS].strip('-')}-{mark}".lstrip("-")
        brief = cls(id=TOPIC_ID + slug, title=clip_bytes(line, 80) or "Own topic")
        if near is None:
            return brief
        return replace(
            brief, prerequisites=near.prerequisites, tags=near.tags, keywords=near.keywords
        )


@dataclass(frozen=True, slots=True)
class LearnerState:
    """The learner's state on the node: mastery 0–3, how often each misconception was seen, and
    whether they asked for a challenge (stubs without the lesson). `unknown` are the titles of what
    the node builds on and they have not done, `error_code` is the compiler's that brought them."""

    mastery: int = 0
    tags: Mapping[str, int] = field(default_factory=dict)
    challenge: bool = False
    unknown: tuple[str, ...] = ()
    error_code: str | None = None

    def packet(self) -> dict[str, Any]:
        """The `learner` part of a `context_packet_v1`, most frequent misconception first."""
        return {
            "mastery": self.mastery,
            "tags": [{"tag": tag, "count": count} for tag, count in self.ordered() if count > 0],
            "challenge": self.challenge,
        }

    def ordered(self) -> list[tuple[str, int]]:
        """Misconceptions with their counts, most frequent first."""
        return sorted(self.tags.items(), key=lambda item: (-item[1], item[0]))
