"""Merges a backup of the record into the present record."""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tutor_lsp.core.learner.loss import BROUGHT_BACK, WITHOUT, Holdings
from tutor_lsp.core.learner.merging import merge_nodes, merge_sessions, missing_events
from tutor_lsp.core.session import Event, NodeRecord, Session
from tutor_lsp.store import backups
from tutor_lsp.store.held import Held
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.adopt import is_as_given
from tutor_lsp.tutor.interface.results import RecordRestored
from tutor_lsp.tutor.services.services import Services


def log_brought_back(tx: Transaction, result: RecordRestored, settled: Holdings) -> None:
    """Log what came back. Of what was `settled`, what is still absent counts as given up; the rest
    is reported again if it is lost again.
    """
    left = settled.without(tx.holdings())
    counts = {
        "backup": result.backup,
        "sessions": result.sessions,
        "topics": result.topics,
        "events": result.events,
    }
    tx.log(Event(BROUGHT_BACK, {**counts, WITHOUT: left.data}))


def bring_back(services: Services, path: Path, backup: backups.Backup) -> RecordRestored:
    """Merge a backup into the record, in one transaction; what came back. Blocks.

    A session that comes back is trusted only if it was, if what was given in its folder is
    still what it was, and if no session that is there for the folder is refused. Raises
    TutorError `STORE`.
    """
    with (
        backups.load_backup(backup, path, services.now()) as connection,
        _read(connection, path) as source,
    ):
        fitting = {session.id for session in source.sessions() if _fits(services, source, session)}
        return services.store.work(lambda tx: _merge(tx, source, backup.name, fitting))


def _fits(services: Services, kept: Transaction, session: Session) -> bool:
    exercise = kept.exercise(session.id)
    return exercise is not None and is_as_given(services, session, *exercise)


@contextmanager
def _read(connection: Any, path: Path) -> Iterator[Transaction]:
    held = Held(connection, lambda: None)
    yield Transaction(held, path, lambda: "")
    held.end(keep=False)


def _merge(
    tx: Transaction, kept: Transaction, name: str, fitting: Collection[str]
) -> RecordRestored:
    here = {session.id: session for session in tx.sessions()}
    given = kept.sessions()
    missing = [session for session in given if session.id not in here]
    active = tx.active()
    settled = tx.gone_without().and_those_of(kept.gone_without())
    refused = {_folder(session) for session in here.values() if not session.trusted}
    agreed = set()
    for stand_in, back in _stand_ins(tx, list(here.values()), missing):
        tx.drop_session(stand_in.id)
        settled = settled.and_those_of(Holdings(frozenset({stand_in.id})))
        if stand_in.trusted:
            agreed.add(back.id)
        if active == stand_in.id and back.ended_at is None:
            tx.set_active(back.id)
    for session in given:
        known = here.get(session.id)
        merged = session if known is None else merge_sessions(known, session)
        exercise = kept.exercise(session.id)
        if exercise is not None and tx.exercise(session.id) is None:
            tx.put_exercise(session.id, *exercise)
            merged = replace(merged, trusted=merged.trusted and session.id in fitting)
        if known is None:
            trusted = session.trusted or session.id in agreed
            allowed = session.id in fitting and _folder(session) not in refused
            merged = replace(merged, trusted=trusted and allowed)
        if merged != known:
            tx.put_session(merged)
    topics = merge_topics(tx, kept.all_nodes())
    events = missing_events(tx.events(), kept.events())
    for event in events:
        tx.log_past(event["at"], Event(event["kind"], event["data"], event["session"]))
    was_active = kept.active()
    if tx.active() is None and was_active is not None:
        tx.set_active(was_active)
    result = RecordRestored(name, len(missing), topics, len(events))
    log_brought_back(tx, result, settled)
    return result


def merge_topics(tx: Transaction, records: Iterable[NodeRecord]) -> int:
    """Merge topics into the record; returns how many of them changed."""
    changed = 0
    for record in records:
        known = tx.node(record.language, record.node)
        merged = merge_nodes(known, record) if known.updated_at else record
        if merged != known:
            tx.put_node(merged)
            changed += 1
    return changed


def _stand_ins(
    tx: Transaction, here: Sequence[Session], missing: Sequence[Session]
) -> list[tuple[Session, Session]]:
    """Sessions that were only made because the record of their folder was gone, and in which
    nothing was done since, each with the one that comes back for it.
    """
    adopted = {event["session"] for event in tx.events(kind="session-adopted")}
    newest = sorted(missing, key=lambda session: session.created_at)
    by_folder = {_folder(session): session for session in newest}
    return [
        (session, by_folder[folder])
        for session in here
        if session.id in adopted
        and replace(session, trusted=True) == _untouched(session)
        and (folder := _folder(session)) in by_folder
    ]


def _folder(session: Session) -> str:
    return os.path.realpath(session.workspace)


def _untouched(session: Session) -> Session:
    return replace(
        session, attempt_count=0, hints=(), hint_level_used=0, passed=False, trusted=True
    )
