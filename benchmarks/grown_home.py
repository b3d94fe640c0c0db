"""A tutor home as after years of use, and libraries with as many exercises: real formats, written
by the store itself from sessions that were played once.
"""

import itertools
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from benchmarks.wire import TUTOR, Wire
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.session import ATTEMPTS_KEPT, Attempt, Event, Session, Vault
from tutor_lsp.library.loader import BUNDLED
from tutor_lsp.store.database import open_store
from tutor_lsp.store.transaction import Transaction

SESSIONS, EVENTS, EXERCISES = 1_000, 1_000_000, 1_000
OPEN = 3
"""Sessions that are neither passed nor ended."""
PLAYED = ("python-functions", "python-lists", "python-strings")
"""Topics whose bundled exercise is started and attempted once, as models of all others."""
RARELY = 20
"""Every how many events one is an attempt."""
BATCH = 20_000
"""Events in one transaction."""
BEGAN = datetime(2021, 1, 4, 8, tzinfo=UTC)


@dataclass(frozen=True)
class Model:
    """A session that was played, with its exercise and what the log has of it."""

    session: Session
    exercise: Exercise
    vault: Vault
    events: tuple[Event, ...]

    @cached_property
    def split(self) -> tuple[list[Event], list[Event]]:
        """Attempts, whose events hold all texts, and the rest."""
        attempts = [event for event in self.events if event.kind == "attempt"]
        return attempts, [event for event in self.events if event.kind != "attempt"]


def play(home: Path) -> list[Model]:
    """A home with the exercises of `PLAYED`, each attempted once by the server itself."""
    wire = Wire(TUTOR, home)
    wire.initialize()
    for node in PLAYED:
        wire.command("tutor.start", {"node": node})
        ready = wire.wait(
            lambda m: m.get("method") in {"tutor/sessionReady", "tutor/sessionFailed"}
        )
        if ready["method"] != "tutor/sessionReady":
            raise SystemExit(f"{node} did not open: {ready['params']}")
        wire.inbox.clear()
        stub = Path(ready["params"]["workspace"]) / ready["params"]["units"][0]["file"]
        stub.write_text(stub.read_text("utf-8") + "\n# a word of the learner's\n", "utf-8")
        wire.command("tutor.attempt", {"trust": True})
        wire.command("tutor.hint")
    wire.close()
    with closing(open_store(home / "tutor.db")) as store, store.transaction() as tx:
        return [_model(tx, session) for session in tx.sessions()]


def _model(tx: Transaction, session: Session) -> Model:
    kept = tx.exercise(session.id)
    if kept is None:
        raise SystemExit(f"the record has no exercise of {session.id}")
    events = tuple(
        Event(event["kind"], event["data"], session.id) for event in tx.events(session=session.id)
    )
    return Model(session, *kept, events)


def grow(
    home: Path, *, sessions: int = SESSIONS, events: int = EVENTS, backups: bool = False
) -> None:
    """Play in `home`, then multiply what was played. Without `backups` those that the
    multiplying itself made are removed: they are not part of what a learner has.
    """
    models = play(home)
    numbers = itertools.count()
    with closing(open_store(home / "tutor.db")) as store:
        for first in range(0, sessions, 50):
            with store.transaction() as tx:
                for number in range(first, min(first + 50, sessions)):
                    _clone(tx, home, models[number % len(models)], number, last=sessions - 1)
        left = events
        while left:
            share = min(BATCH, left)
            with store.transaction() as tx:
                for number in itertools.islice(numbers, share):
                    _log(tx, models, number, sessions, events)
            left -= share
    if not backups:
        shutil.rmtree(home / "backups", ignore_errors=True)


def _clone(tx: Transaction, home: Path, model: Model, number: int, last: int) -> None:
    session = model.session
    name = Path(session.workspace).name
    folder = Path(session.workspace).with_name(f"{name}-{number + 2}")
    shutil.copytree(session.workspace, folder, ignore=shutil.ignore_patterns("__pycache__"))
    over = number <= last - OPEN
    at = _time(number / (last + 1))
    tx.put_session(
        replace(
            session,
            id=_id(number),
            workspace=str(folder),
            lesson=str(folder / "LESSON.md"),
            created_at=at,
            updated_at=at,
            attempts=tuple(_attempts(session.attempts, at)),
            attempt_count=ATTEMPTS_KEPT,
            passed=over,
            ended_at=at if over else None,
        )
    )
    tx.put_exercise(_id(number), model.exercise, model.vault)


def _attempts(played: Sequence[Attempt], at: str) -> Iterator[Attempt]:
    for number in range(1, ATTEMPTS_KEPT + 1):
        yield replace(played[-1], number=number, at=at)


def _log(tx: Transaction, models: list[Model], number: int, sessions: int, events: int) -> None:
    owner = number * sessions // events
    model = models[owner % len(models)]
    attempts, others = model.split
    kind = attempts if number % RARELY == 0 else others
    event = kind[number // RARELY % len(kind)]
    tx.log_past(_time(number / events), replace(event, session=_id(owner)))


def _id(number: int) -> str:
    return f"grown-{number:06}"


def _time(share: float) -> str:
    at = BEGAN + share * timedelta(days=5 * 365)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fill_library(folder: Path, count: int = EXERCISES) -> None:
    """A library with this many exercises: the bundled ones again and again, each under names of
    its own."""
    found = sorted(path.parent for path in BUNDLED.glob("*/*/exercise.toml"))
    for number, bundled in zip(range(count), itertools.cycle(found)):
        target = folder / bundled.parent.name / f"{bundled.name}-{number}"
        shutil.copytree(bundled, target, ignore=shutil.ignore_patterns("__pycache__", "target"))
        text = (target / "exercise.toml").read_text("utf-8")
        for key in ("id", "slug"):
            head, found_key, rest = text.partition(f'\n{key} = "')
            if not found_key:
                raise SystemExit(f"{bundled} has no {key}")
            value, _, rest = rest.partition('"')
            text = f'{head}\n{key} = "{value}-{number}"{rest}'
        (target / "exercise.toml").write_text(text, "utf-8")


def use_library(home: Path, folder: Path) -> None:
    """Name a library in a home's settings."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(f'libraries = ["{folder}"]\n', "utf-8")
