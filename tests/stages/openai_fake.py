"""A service on 127.0.0.1 with OpenAI's chat completions, in each of its moods."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USAGE = {
    "prompt_tokens": 1234,
    "prompt_tokens_details": {"cached_tokens": 1200},
    "completion_tokens": 56,
    "total_tokens": 1290,
}


def completion(content, **choice) -> dict:
    message = {"role": "assistant", "content": content}
    return {
        "id": "c",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}],
        "usage": USAGE,
    }


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass

    def do_GET(self):
        service = self.server.service
        service.headers.append(dict(self.headers))
        self._send(200, {"data": [{"id": name} for name in service.models]})

    def do_POST(self):
        service = self.server.service
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        service.requests.append(body)
        service.headers.append(dict(self.headers))
        service.asked.set()
        form = body.get("response_format", {}).get("type", "text")
        if service.hang:
            self._wait()
        elif service.forms is not None and form not in service.forms:
            said = f"response_format {form} is not supported"
            self._send(service.refuse_form_with, {"error": {"message": said}})
        elif service.status != 200:
            self._send(service.status, {"error": {"message": service.message}})
        elif body.get("stream") and service.pieces is None:
            self._send(400, {"error": {"message": "stream is not supported"}})
        elif body.get("stream") and service.pieces:
            try:
                self._send_pieces(service)
            except ConnectionError:
                service.hung_up.set()
        else:
            self._send(200, service.answer)

    def _wait(self):
        """Until the client hangs up."""
        self.connection.settimeout(0.05)
        end = time.monotonic() + 60
        while time.monotonic() < end and not self.server.service.ending.is_set():
            try:
                if self.connection.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        self.server.service.hung_up.set()

    def _send_pieces(self, service):
        """The answer in events, each once the one before has been heard."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.end_headers()
        choice = service.answer["choices"][0]
        text = choice["message"]["content"]
        events = [{"choices": [{"delta": {"role": "assistant", "content": ""}}]}]
        events += [
            {"choices": [{"delta": {"content": text[at : at + service.pieces]}}]}
            for at in range(0, len(text), service.pieces)
        ]
        end = {"delta": {}, "finish_reason": choice["finish_reason"]}
        events += [{"choices": [end]}, {"choices": [], "usage": service.answer["usage"]}]
        self.wfile.write(b": a comment\n\n")
        for event in events:
            if service.wait_at and event["choices"] and service.events >= service.wait_at:
                self._wait()
                return
            service.events += 1
            if event["choices"] == [end]:
                service.may_end.wait(20)
            self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
            self.wfile.flush()
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, status, data):
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            self.server.service.hung_up.set()


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, service):
        self.service = service
        super().__init__(("127.0.0.1", 0), Handler)


class FakeService:
    """Answers `POST /v1/chat/completions` and `GET /v1/models`.

    `answer` is the body (JSON data, or bytes sent as they are). `status` other than 200 refuses
    with `message`. `forms` are the response formats that it takes, all if None. `hang` never
    answers; `hung_up` is set when such a client closes its connection. `pieces` is how many
    characters an event has for who asks for these: 0 sends the answer whole all the same, None
    refuses; after `wait_at` events nothing more comes, and the last waits until it `may_end`.
    """

    def __init__(self, answer=None, *, status=200, message="refused", forms=None, hang=False):
        self.answer = completion("{}") if answer is None else answer
        self.status, self.message, self.forms, self.hang = status, message, forms, hang
        self.refuse_form_with = 400
        self.pieces: int | None = 0
        self.wait_at = self.events = 0
        self.may_end = threading.Event()
        self.may_end.set()
        self.models = ["tiny"]
        self.requests: list[dict] = []
        self.headers: list[dict] = []
        self.asked, self.hung_up = threading.Event(), threading.Event()
        self.ending = threading.Event()

        self._server = Server(self)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_error) -> None:
        self.ending.set()
        self._server.shutdown()
        self._server.server_close()
