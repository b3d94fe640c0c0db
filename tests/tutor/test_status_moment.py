"""What `tutor.status` says is of the moment of its answer, not of its question."""

from tutor_kit import stub_file


async def test_units_that_pass_while_backends_are_looked_at_are_told(t, monkeypatch):
    ready = await t.start(language="python")
    before = (await t.do("status"))["units"][0]["state"]
    serving = t.app.services.backends.serving

    async def slow():
        path = stub_file(ready)
        path.write_text(path.read_text().replace("raise NotImplementedError", "raise ValueError"))
        await t.do("check")
        return await serving()

    monkeypatch.setattr(t.app.services.backends, "serving", slow)
    after = (await t.do("status"))["units"][0]["state"]
    assert (before, after) == ("todo", "failing")
