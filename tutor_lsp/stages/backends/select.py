"""Which backend serves a request, and why. Pure: states come in, a decision goes out."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tutor_lsp.core.ports import BackendStatus

AUTO = "auto"
LIBRARY = "library"
MODELS = ("codex", "claude", "openai", "editor")
"""Backends with a model, in the order in which `auto` takes them."""


@dataclass(frozen=True, slots=True)
class Need:
    """What is to be served.

    `named` is the backend named in the request, `setting` the configured one. `bundled`: the
    library has an exercise for the node (never so for a free topic); `passed`: the learner has
    passed it; `fresh`: a new one is asked for. `consented` are models the learner has agreed to.
    """

    named: str | None = None
    setting: str = AUTO
    bundled: bool = False
    passed: bool = False
    fresh: bool = False
    consented: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The backend, or None with a `refusal` (`NO_EXERCISE`, `BACKEND_UNAVAILABLE`).

    `why` is one sentence for `tutor.status` or for the refusal. `ask` holds if the learner has to
    agree first. `offline` holds if the library could serve instead.
    """

    name: str | None
    why: str
    refusal: str | None = None
    ask: bool = False
    offline: bool = False


def candidates(need: Need) -> tuple[str, ...]:
    """The backends whose state `choose` needs to know, so that nothing else is probed."""
    named = _named(need.named, need.setting)
    if named is not None:
        return () if named == LIBRARY else (named,)
    return () if _library_first(need) else MODELS


def choose(need: Need, statuses: Mapping[str, BackendStatus]) -> Choice:
    """Who makes the exercise. Backends without a status count as not there."""
    named = _named(need.named, need.setting)
    if named == LIBRARY:
        return _from_library(need, "You chose the library.")
    if named is not None:
        status = statuses.get(named)
        if status is not None and status.available:
            return Choice(named, f"You chose {named}: {status.why}.", offline=need.bundled)
        why = "it is not known here" if status is None else status.why
        return Choice(
            None,
            f"You chose {named}, but it cannot be used: {why}.",
            "BACKEND_UNAVAILABLE",
            offline=need.bundled,
        )
    if _library_first(need):
        return Choice(LIBRARY, "The library has an exercise for this topic.", offline=True)
    model = _first(statuses)
    if model is not None:
        reason = "A new exercise needs a model" if need.bundled else "The library has none for this"
        return Choice(
            model.name,
            f"{reason}: {model.why}.",
            ask=model.name not in need.consented,
            offline=need.bundled,
        )
    return _from_library(need, f"No model can be used: {_reasons(statuses)}.")


def choose_tutor(
    statuses: Mapping[str, BackendStatus],
    *,
    setting: str = AUTO,
    named: str | None = None,
    consented: Collection[str] = (),
) -> Choice:
    """Who gives hints and reviews: never a refusal, never a question.

    A model only if it was named or agreed to; else the hints that came with the exercise.
    """
    wanted = _named(named, setting)
    if wanted == LIBRARY:
        return Choice(LIBRARY, "You chose the library.", offline=True)
    if wanted is not None:
        status = statuses.get(wanted)
        if status is not None and status.available:
            return Choice(wanted, f"You chose {wanted}: {status.why}.", offline=True)
        why = "it is not known here" if status is None else status.why
        return Choice(
            LIBRARY, f"{wanted} cannot be used ({why}), so the author's hints serve.", offline=True
        )
    agreed = {name: status for name, status in statuses.items() if name in consented}
    model = _first(agreed)
    if model is not None:
        return Choice(model.name, f"You agreed to it: {model.why}.", offline=True)
    return Choice(LIBRARY, "Hints and reviews come from the exercise's author.", offline=True)


def consent_question(name: str, typical_calls: int, most_calls: int) -> str:
    """What is asked before a model is used for the first time."""
    return (
        f"Use {name} for this? It will be asked about {typical_calls} times, at most "
        f"{most_calls}. It is sent the topic and your level in it; for hints and reviews also your "
        "code of this exercise and its test results. Nothing else leaves this machine."
    )


def _named(named: str | None, setting: str) -> str | None:
    for name in (named, setting):
        if name and name != AUTO:
            return name
        if name == AUTO:
            return None
    return None


def _library_first(need: Need) -> bool:
    return need.bundled and not need.passed and not need.fresh


def _first(statuses: Mapping[str, BackendStatus]) -> BackendStatus | None:
    found = (statuses[name] for name in MODELS if name in statuses)
    return next((status for status in found if status.available), None)


def _from_library(need: Need, reason: str) -> Choice:
    if need.bundled:
        again = " It is the one that you have passed." if need.passed else ""
        return Choice(LIBRARY, f"{reason} The library's exercise serves.{again}", offline=True)
    return Choice(None, f"{reason} The library has no exercise for this.", "NO_EXERCISE")


def _reasons(statuses: Mapping[str, BackendStatus]) -> str:
    said = [f"{name}: {statuses[name].why}" for name in MODELS if name in statuses]
    return "; ".join(said) or "none is set up"
