"""An editor for the tutor, of the standard library alone, on stdin and stdout.

`:start`, `:hint ex-1`, `:reset undo` run commands of the tutor, `:edit FILE` opens a file, `:write`
says that what is open was saved. Any other program may change the files.
"""

import asyncio
import contextlib
import json
import os
import sys
from pathlib import Path

OPTIONS = {"ui": "client", "ask": True, "reports": True, "commandForm": ":%s"}
CAPABILITIES = {"window": {"workDoneProgress": True, "showMessage": {}}}
PLAIN = {"start": "node", "resume": "session", "claim": "node", "open": "target", "ask": "question"}
FLAGS = ("undo", "record", "dismiss", "fresh", "challenge")
LISTS = {"start": "start", "curriculum": "topics", "sessions": "sessions"}


class RefusedError(Exception):
    """A command was refused: the message, and `data` of the error."""


class Editor:
    """One server, and whoever types."""

    def __init__(self, server):
        self.server = server
        self.answers = {}
        self.question = None
        self.asked = asyncio.Event()
        self.open = {}
        self.tasks = set()

    # The protocol.

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def request(self, method, params):
        number = len(self.answers)
        self.answers[number] = asyncio.get_running_loop().create_future()
        self.send(id=number, method=method, params=params)
        return await self.answers[number]

    async def listen(self):
        with contextlib.suppress(asyncio.IncompleteReadError):
            while header := await self.server.stdout.readuntil(b"\r\n\r\n"):
                size = int(header.lower().split(b"content-length:")[1].split()[0])
                self.take(json.loads(await self.server.stdout.readexactly(size)))

    def take(self, message):
        if "method" not in message:
            error = message.get("error")
            if error is None:
                self.answers[message["id"]].set_result(message["result"])
            else:
                refused = RefusedError(error["message"], error.get("data") or {})
                self.answers[message["id"]].set_exception(refused)
        elif "id" in message:
            self.spawn(self.answer(message["id"], message["method"], message["params"]))
        else:
            self.told(message["method"], message["params"])

    def spawn(self, work):
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # What the server asks and tells.

    async def answer(self, number, method, params):
        result = None
        if method == "tutor/ask":
            result = {"text": await self.typed(params["prompt"]) or None}
        elif method == "window/showMessageRequest":
            rows = [{"label": action["title"], "detail": ""} for action in params["actions"]]
            row = await self.chosen(params["message"], rows)
            result = row and {"title": row["label"]}
        self.send(id=number, result=result)

    def told(self, method, params):
        if method == "tutor/sessionReady":
            print(params["say"]["markdown"])
            self.edit(Path(params["workspace"], params["units"][0]["file"]))
        elif method == "tutor/unitsChanged":
            print(f"[{params['say']['title']}]")
        elif method in ("tutor/sessionFailed", "tutor/testsRan"):
            print(params["say"]["oneLine"])
        elif method in ("tutor/hintReady", "tutor/reviewReady"):
            print(params["say"]["markdown"])
        elif method == "textDocument/publishDiagnostics":
            for each in params["diagnostics"]:
                name = params["uri"].rpartition("/")[2]
                print(f"{name}:{each['range']['start']['line'] + 1}: {each['message']}")
        elif method == "window/showMessage":
            print(params["message"])

    # What is typed.

    async def typed(self, prompt):
        print(prompt)
        self.question = asyncio.get_running_loop().create_future()
        self.asked.set()
        return await self.question

    async def take_line(self, line):
        """Answer the question or run the command, until there is an answer or a new question."""
        question, self.question = self.question, None
        self.asked.clear()
        if question is not None:
            question.set_result(line)
        elif line:
            self.spawn(self.run(line))
        while self.tasks and not self.asked.is_set():
            asked = asyncio.create_task(self.asked.wait())
            await asyncio.wait([*self.tasks, asked], return_when=asyncio.FIRST_COMPLETED)
            asked.cancel()

    async def chosen(self, prompt, rows):
        group = None
        for number, row in enumerate(rows, start=1):
            if row.get("group") != group:
                group = row["group"]
                print(f"{group}:")
            print(f"{number:3} {row['label']}" + (f" · {row['detail']}" if row["detail"] else ""))
        answer = await self.typed(prompt)
        return rows[int(answer) - 1] if answer.isdigit() and 0 < int(answer) <= len(rows) else None

    async def run(self, line):
        verb, *words = line.removeprefix(":").split()
        if verb == "edit":
            self.edit(Path(words[0]))
        elif verb == "write":
            self.write()
        elif verb in LISTS and not words:
            await self.execute("tutor.choices", {"list": LISTS[verb]})
        else:
            await self.execute(f"tutor.{verb}", argument(verb, words))

    async def execute(self, command, given):
        if self.open and command != "tutor.start" and "session" not in given:
            given = {"uri": next(iter(self.open)), **given}
        try:
            params = {"command": command, "arguments": [given]}
            result = await self.request("workspace/executeCommand", params)
        except RefusedError as refused:
            message, data = refused.args
            print(message)
            if data.get("details", {}).get("confirm") and await self.typed("y or n?") == "y":
                await self.execute(command, {**given, "confirm": True})
            return
        if command == "tutor.choices":
            await self.pick(result)
        elif result is None:
            print("There is none.")
        else:
            print(result["say"]["markdown"])
            if command in ("tutor.reset", "tutor.restore"):
                self.write()  # as the server has written the files

    async def pick(self, rows):
        row = await self.chosen("Which?", rows)
        if row is None:
            return
        given = row["argument"]
        if row["kind"] == "ask":
            answer = await self.typed(row["detail"])
            given = {key: value or answer for key, value in given.items()}
        await self.execute(row["command"], given)

    # Files.

    def edit(self, path):
        suffixes = {".py": "python", ".rs": "rust", ".md": "markdown"}
        document = {"uri": path.as_uri(), "version": 0, "text": path.read_text("utf-8")}
        document["languageId"] = suffixes.get(path.suffix, "c")
        self.open = {path.as_uri(): path, **self.open}
        self.send(method="textDocument/didOpen", params={"textDocument": document})

    def write(self):
        for version, (uri, path) in enumerate(self.open.items(), start=1):
            changes = [{"text": path.read_text("utf-8")}]
            document = {"uri": uri, "version": version}
            params = {"textDocument": document, "contentChanges": changes}
            self.send(method="textDocument/didChange", params=params)
            self.send(method="textDocument/didSave", params={"textDocument": {"uri": uri}})


def argument(verb, words):
    """What typed words stand for."""
    if verb == "ask":
        return {"question": " ".join(words)}
    given = {}
    for word in words:
        key, is_given, value = word.partition("=")
        if is_given:
            given[key] = value
        elif word in FLAGS:
            given[word] = True
        else:
            given[PLAIN.get(verb, "unit")] = word
    return given


async def main():
    """Start the server, and do what is typed until the end of stdin."""
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(*sys.argv[1:], stdin=pipe, stdout=pipe)
    editor = Editor(server)
    listening = asyncio.create_task(editor.listen())
    setup = {"processId": os.getpid(), "rootUri": None, "capabilities": CAPABILITIES}
    await editor.request("initialize", {**setup, "initializationOptions": OPTIONS})
    editor.send(method="initialized", params={})
    while line := await asyncio.to_thread(sys.stdin.readline):
        await editor.take_line(line.strip())
    await editor.request("shutdown", None)
    editor.send(method="exit", params=None)
    await listening
    return await server.wait()


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    sys.exit(asyncio.run(main()))
