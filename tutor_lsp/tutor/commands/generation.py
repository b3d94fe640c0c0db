"""What sent generated exercises back: every rule with how often it fired and what came of that."""

from collections import Counter
from typing import Any

from tutor_lsp.core.generation import GENERATION_EVENTS, rule_counts
from tutor_lsp.core.stage import EXPAND_ROLES, Role
from tutor_lsp.stages.economy import STAGE_EVENTS
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import to_wire

_OF_A_SET_UP = frozenset(role.value for role in (Role.SCAFFOLD, *EXPAND_ROLES))


async def generation_report(services: Services) -> dict[str, Any]:
    """Counts over all set-ups by a model that this home knows of; `rules` are the most frequent
    first, `mended` is what code changed that was more than form. What is `open` was interrupted, or
    is under way."""

    def work(tx: Transaction) -> dict[str, Any]:
        kinds = (*GENERATION_EVENTS, *STAGE_EVENTS)
        events = {kind: tx.events(kind=kind) for kind in kinds}
        calls = [
            row["data"]
            for kind in STAGE_EVENTS
            for row in events[kind]
            if row["data"].get("role") in _OF_A_SET_UP and row["data"].get("promptBytes")
        ]
        rules = rule_counts(row for kind in GENERATION_EVENTS for row in events[kind])
        mended = Counter(said for row in events["mend"] for said in row["data"].get("said", ()))
        sections = (row["data"].get("sections") for row in events["sections-dropped"])
        return {
            "setUps": len({data.get("setupId") for data in calls}),
            "repairs": len(events["repair"]),
            "mends": len(events["mend"]),
            "mended": [{"said": said, "times": times} for said, times in mended.most_common()],
            "askedAgain": sum(bool(data.get("again")) for data in calls),
            "sectionsDropped": sum(each for each in sections if isinstance(each, int)),
            "rules": [{**to_wire(row), "open": row.open} for row in rules],
        }

    return await services.db(work)
