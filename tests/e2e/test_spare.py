"""An interpreter waits for the next run of an exercise that somebody works on, and only then."""

from pathlib import Path

import pytest
from faults_kit import begin
from placeholders import with_body
from processes import waits

from tutor_lsp.process.contain import Contain


def waiting(ed) -> set[str]:
    """Ids of the processes below the server that wait for a run."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            seen = command + (entry / "environ").read_bytes()
            if waits(entry, command) and str(ed.home).encode() in seen:
                found.add(entry.name)
        except OSError:
            continue
    return found


@pytest.fixture(autouse=True)
async def _namespaces(tmp_path):
    if (await Contain(home=tmp_path / "none").get()).level != "namespaces":
        pytest.skip("not here: namespaces")


@pytest.mark.long("test_readiness.py tells when one is made, test_toolchain_spare.py how it runs")
async def test_typing_makes_one_that_a_save_uses_and_an_attempt_does_not(ed):
    ready, _, uri = await begin(ed)
    assert waiting(ed) == set()
    stub = ready["units"][0]["stub"]
    ed.change(uri, with_body(ed.texts[uri], stub, "return -1"))
    first = await ed.until(lambda: waiting(ed), "typing made none")
    ed.save(uri)
    await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no failure after the save")
    second = await ed.until(lambda: waiting(ed) - first, "the next one was not made")
    await ed.until(lambda: not waiting(ed) & first, "it served a second time")
    await ed.command("tutor.attempt")
    assert waiting(ed) == second
    await ed.command("tutor.end")
    await ed.until(lambda: not waiting(ed), "it outlived its session")
