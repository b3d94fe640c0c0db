"""A backend of others that raises, hangs or returns nonsense is told in one sentence."""

import asyncio
import time
from importlib.metadata import EntryPoint

import pytest

from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import BackendStatus, ToolStatus
from tutor_lsp.languages import others
from tutor_lsp.stages.backends import registry
from tutor_lsp.stages.backends.registry import Backends
from tutor_lsp.tutor.services.backends import BackendService


class Kind:
    """A kind that serves, and its backend; the cases below break it."""

    name = "broken"
    meaning = "Broken."
    place = 100
    is_model = True
    asks_first = False
    settings = ()
    needs_prompt = True

    @classmethod
    def create(cls, context):
        return cls()

    async def probe(self):
        return BackendStatus("broken", available=True, why="it is here")

    async def login(self):
        return ToolStatus("broken login", found=True, works=True)


class RaisingProbe(Kind):
    async def probe(self):
        raise TypeError("no")


class WrongProbe(Kind):
    def probe():
        """Called with the backend, which it does not take."""


class ProbeThatIsNotAsync(Kind):
    def probe(self):
        return BackendStatus("broken", available=True, why="it is here")


class HangingProbe(Kind):
    async def probe(self):
        while True:  # nor does it end when it is cancelled
            try:
                await asyncio.sleep(0.3)
            except asyncio.CancelledError:
                await asyncio.sleep(0.1)
                return


class NothingProbe(Kind):
    async def probe(self):
        return None


class NotBuilt(Kind):
    @classmethod
    def create(cls, context):
        raise KeyError("word")


class RaisingLogin(Kind):
    async def login(self):
        raise ValueError("no login")


class Dist:
    name = "their-package"


@pytest.fixture
def backends(monkeypatch):
    """The backends where a kind of their-package is the only one."""

    def of(kind):
        point = EntryPoint("broken", f"{__name__}:{kind.__name__}", "tutor_lsp.backends")
        point.__dict__["dist"] = Dist
        monkeypatch.setattr(others, "entry_points", lambda group: [point])
        monkeypatch.setattr(registry, "kinds", lambda: {"broken": kind})
        monkeypatch.setattr(registry, "PROBE_S", 0.1)
        return Backends(BackendContext())

    return of


SAID = "The package their-package cannot be used ({}): repair or remove it."


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (RaisingProbe, "TypeError: no"),
        (WrongProbe, "TypeError: WrongProbe.probe() takes 0 positional arguments but 1 was given"),
        (HangingProbe, "no answer within 0.1 s"),
        (NothingProbe, "its probe returned None"),
        (NotBuilt, "KeyError: 'word'"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_a_probe_that_fails_is_told_with_its_package(backends, kind, reason):
    began = time.monotonic()
    found = await backends(kind).statuses(["broken"])
    assert found == {"broken": BackendStatus("broken", available=False, why=SAID.format(reason))}
    assert time.monotonic() - began < 2


async def test_a_probe_must_be_async(backends):
    status = (await backends(ProbeThatIsNotAsync).statuses(["broken"]))["broken"]
    assert not status.available
    assert "their-package" in status.why
    assert "TypeError" in status.why


async def test_a_backend_that_cannot_be_made_is_refused_with_its_package(backends):
    with pytest.raises(TutorError) as caught:
        backends(NotBuilt).get("broken")
    assert (caught.value.kind, caught.value.message) == (
        "BROKEN_PACKAGE",
        SAID.format("KeyError: 'word'"),
    )


async def test_the_login_of_one_is_contained_too(backends):
    async def logins(kind):
        return await BackendService(backends(kind), None, "auto").logins()

    assert await logins(Kind) == [ToolStatus("broken login", found=True, works=True)]
    said = SAID.format("ValueError: no login")
    assert await logins(RaisingLogin) == [
        ToolStatus("broken login", found=True, works=False, remedy=said)
    ]


def test_a_kind_that_lacks_something_is_not_taken():
    class Half:
        name = "half"

    with pytest.raises(AttributeError, match=r"has no attribute '(meaning|place)'"):
        registry._complete(Half)
    assert registry._complete(Kind) is Kind
