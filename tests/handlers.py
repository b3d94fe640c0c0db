"""Runs the server's handlers that are generators as pygls does."""


async def answered(handler):
    """What a handler returns; the coroutine functions that it yields are awaited for it."""
    value = None
    while True:
        try:
            work, given, _ = handler.send(value)
        except StopIteration as done:
            return done.value
        value = await work(*given)
