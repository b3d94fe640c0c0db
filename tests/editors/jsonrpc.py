"""JSON-RPC over stdin and stdout for the fake server, as little as the plugin needs."""

import asyncio
import json
import sys


class RefusedError(Exception):
    """A command that is refused: message, kind, details."""


class Connection:
    """One client; `methods` answers by method name."""

    def __init__(self, methods):
        self._methods = methods
        self._asked = {}

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        sys.stdout.buffer.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    async def ask(self, method, params):
        number = f"server-{len(self._asked)}"
        self._asked[number] = asyncio.get_running_loop().create_future()
        self.send({"id": number, "method": method, "params": params})
        return await self._asked[number]

    async def serve(self):
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        tasks = set()
        while headers := await reader.readuntil(b"\r\n\r\n"):
            size = int(headers.lower().split(b"content-length:")[1].split(b"\r")[0])
            message = json.loads(await reader.readexactly(size))
            if message.get("method") == "exit":
                return
            if "method" not in message:
                self._asked[message["id"]].set_result(message.get("result"))
            else:
                task = loop.create_task(self._answer(message))
                tasks.add(task)
                task.add_done_callback(tasks.discard)

    async def _answer(self, message):
        handle = self._methods.get(message["method"])
        answer = {"result": None}
        try:
            if handle is not None:
                result = handle(message.get("params") or {})
                answer["result"] = await result if asyncio.iscoroutine(result) else result
        except RefusedError as refused:
            text, kind, *details = refused.args
            data = {"kind": kind, "details": details[0] if details else {}}
            answer = {"error": {"code": -32007, "message": text, "data": data}}
        if "id" in message:
            self.send({"id": message["id"], **answer})
