"""A backend of others that raises, hangs or returns nonsense is told in one sentence."""

import asyncio
import contextlib
import sys
import time
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import BackendStatus, ToolStatus
from tutor_lsp.languages import added, others
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


class ProbeThatIsCancelled(Kind):
    async def probe(self):
        raise asyncio.CancelledError


class ProbeThatExits(Kind):
    async def probe(self):
        sys.exit("bye")


class Odd(BaseException):
    """Of no kind that anybody expects."""


class OddProbe(Kind):
    async def probe(self):
        raise Odd("no")


class ProbeInterrupted(Kind):
    async def probe(self):
        raise KeyboardInterrupt


class NothingProbe(Kind):
    async def probe(self):
        return None


class NotBuilt(Kind):
    @classmethod
    def create(cls, context):
        raise KeyError("word")


class NotBuiltButExited(Kind):
    @classmethod
    def create(cls, context):
        sys.exit(3)


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
        (ProbeThatIsCancelled, "CancelledError: "),
        (ProbeThatExits, "SystemExit: bye"),
        (ProbeInterrupted, "KeyboardInterrupt: "),
        (OddProbe, "Odd: no"),
        (NotBuiltButExited, "SystemExit: 3"),
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


async def test_a_call_that_is_cut_off_is_left_behind_only_while_it_goes_on():
    async def deaf(ended):
        while not ended.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await ended.wait()

    ended = asyncio.Event()
    asked = asyncio.create_task(others.contained_call("group", Kind, None, lambda: deaf(ended)))
    try:
        await asyncio.sleep(0.01)
        assert not await others.left_behind()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert await others.left_behind()
    finally:
        ended.set()
    assert not await others.left_behind()


async def test_a_kind_may_be_a_module(monkeypatch):
    module = ModuleType("their_package.backend")
    for name in ("name", "meaning", "place", "is_model", "asks_first", "settings"):
        setattr(module, name, getattr(Kind, name))
    module.create = HangingProbe.create
    point = EntryPoint("b", "their_package.backend", "tutor_lsp.backends")
    point.__dict__["dist"] = Dist
    monkeypatch.setitem(sys.modules, "their_package", ModuleType("their_package"))
    monkeypatch.setitem(sys.modules, "their_package.backend", module)
    monkeypatch.setattr(added, "entry_points", lambda group: [point])
    monkeypatch.setattr(others, "entry_points", lambda group: [point])
    monkeypatch.setattr(registry, "PROBE_S", 0.1)
    for cached in (registry.kinds, registry._loaded):
        monkeypatch.setattr(registry, cached.__name__, cached.__wrapped__)
    found = await Backends(BackendContext()).statuses(["broken"])
    why = SAID.format("no answer within 0.1 s")
    assert found == {"broken": BackendStatus("broken", available=False, why=why)}


def test_a_kind_that_lacks_something_is_not_taken():
    class Half:
        name = "half"

    with pytest.raises(AttributeError, match=r"has no attribute '(meaning|place)'"):
        registry._complete(Half)
    assert registry._complete(Kind) is Kind
