"""Which backend serves a request, and why. Pure: states come in, a decision goes out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.text.translation import t

AUTO = "auto"
LIBRARY = "library"


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
class BackendChoice:
    """The backend, or None with a `refusal` (`NO_EXERCISE`, `BACKEND_UNAVAILABLE`).

    `why` is one sentence for `tutor.status` or for the refusal. `ask` holds if the learner has to
    agree first. `offline` holds if the library could serve instead.
    """

    name: str | None
    why: str
    refusal: str | None = None
    ask: bool = False
    offline: bool = False

    @property
    def is_model(self) -> bool:
        """Whether a model was chosen."""
        return self.name not in (None, LIBRARY)


def names_model(name: str | None) -> bool:
    """Whether a setting or an argument names a backend other than the library."""
    return name not in (None, AUTO, LIBRARY)


def candidates(need: Need, models: Sequence[str]) -> tuple[str, ...]:
    """The backends whose state `choose` needs to know, so that nothing else is probed; `models`
    are those with a model, in the order in which `auto` takes them."""
    named = _named(need)
    if named is not None:
        return () if named == LIBRARY else (named,)
    return () if _library_first(need) else tuple(models)


def choose(need: Need, statuses: Mapping[str, BackendStatus]) -> BackendChoice:
    """Who makes the exercise. Of `statuses` the first model that is there is taken; backends
    without a status count as not there."""
    named = _named(need)
    if named == LIBRARY:
        return _from_library(need, t("You chose the library."))
    if named is not None:
        status = statuses.get(named)
        if status is not None and status.available:
            return BackendChoice(
                named, t(f"You chose {named}: {status.why}."), offline=need.bundled
            )
        why = t(f"You chose {named}, but it cannot be used: {_why_not(status)}.")
        return BackendChoice(None, why, "BACKEND_UNAVAILABLE", offline=need.bundled)
    if _library_first(need):
        return BackendChoice(
            LIBRARY, t("The library has an exercise for this topic."), offline=True
        )
    model = next((status for status in statuses.values() if status.available), None)
    if model is not None:
        reason = (
            t("A new exercise needs a model")
            if need.bundled
            else t("The library has none for this")
        )
        ask = model.name not in need.consented
        return BackendChoice(model.name, f"{reason}: {model.why}.", ask=ask, offline=need.bundled)
    reasons = "; ".join(_about(name, status.why) for name, status in statuses.items())
    return _from_library(need, t(f"No model can be used: {reasons or 'none is set up'}."))


def choose_tutor(named: str, status: BackendStatus | None) -> BackendChoice:
    """Who gives hints and reviews: never a refusal, never a question.

    The backend that was named if its state allows, else the hints that came with the exercise.
    """
    if named == LIBRARY:
        return BackendChoice(LIBRARY, t("You chose the library."), offline=True)
    if status is not None and status.available:
        return BackendChoice(named, t(f"You chose {named}: {status.why}."), offline=True)
    why = t(f"{named} cannot be used ({_why_not(status)}), so the author's hints serve.")
    return BackendChoice(LIBRARY, why, offline=True)


def consent_question(name: str, typical_calls: int, most_calls: int) -> str:
    """What is asked before a model is used for the first time."""
    return t(
        f"Use {name} for this? It will be asked about {typical_calls} times, at most "
        f"{most_calls}. It is sent the topic and your level in it; for hints and reviews also your "
        "code of this exercise and its test results. Nothing else leaves this machine."
    )


def _named(need: Need) -> str | None:
    name = need.named or need.setting
    return None if name == AUTO else name


def _about(name: str, why: str) -> str:
    """Why a backend is not there, with its name once."""
    return why if why.startswith(f"{name} ") else f"{name}: {why}"


def _library_first(need: Need) -> bool:
    return need.bundled and not need.passed and not need.fresh


def _why_not(status: BackendStatus | None) -> str:
    return t("it is not known here") if status is None else status.why


def _from_library(need: Need, reason: str) -> BackendChoice:
    if need.bundled:
        again = t(" It is the one that you have passed.") if need.passed else ""
        return BackendChoice(
            LIBRARY, t(f"{reason} The library's exercise serves.{again}"), offline=True
        )
    return BackendChoice(None, t(f"{reason} The library has no exercise for this."), "NO_EXERCISE")
