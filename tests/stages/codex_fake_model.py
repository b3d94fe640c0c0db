"""A model server on 127.0.0.1 that speaks just enough of the responses interface for Codex."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FakeModel:
    """Answers `POST /v1/responses`. `mode` is `answer`, `hang` or an HTTP status such as `401`.

    `requests` holds the bodies that came in; `text`, or a function from such a body to a text, is
    the answer. `error` is what a refusal says. `retries` is how often Codex may ask again.
    """

    def __init__(self, text="{}", mode: str = "answer", retries: int = 0) -> None:
        self.text, self.mode, self.retries = text, mode, retries
        self.error = {"message": "refused", "type": "x"}
        self.requests: list[dict] = []
        self.asked = threading.Event()
        self._ending = threading.Event()
        model = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_arguments):
                pass

            def do_GET(self):
                self.send_error(404)

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                model.requests.append(json.loads(body))
                model.asked.set()
                text = model.text if isinstance(model.text, str) else model.text(json.loads(body))
                if model.mode == "hang":
                    model._ending.wait(60)
                elif model.mode == "answer":
                    self._answer(text)
                else:
                    self._refuse(int(model.mode))

            def _answer(self, text):
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for event in _events(text):
                    line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                    self.wfile.write(line.encode())

            def _refuse(self, status):
                body = json.dumps({"error": model.error}).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_error) -> None:
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()

    def config(self) -> tuple[tuple[str, str], ...]:
        """The `-c` pairs that send Codex here."""
        fields = ",".join(f"{key}={json.dumps(value)}" for key, value in self._provider().items())
        return (("model_provider", "fake"), ("model_providers.fake", f"{{{fields}}}"))

    def config_toml(self) -> str:
        """The same as a `config.toml`."""
        lines = [f"{key} = {json.dumps(value)}" for key, value in self._provider().items()]
        head = ['model = "gpt-5"', 'model_provider = "fake"', "[model_providers.fake]"]
        return "\n".join([*head, *lines]) + "\n"

    def _provider(self) -> dict:
        return {
            "name": "fake",
            "base_url": f"http://127.0.0.1:{self.port}/v1",
            "wire_api": "responses",
            "env_key": "FAKE_KEY",
            "request_max_retries": self.retries,
            "stream_max_retries": self.retries,
            "stream_idle_timeout_ms": 30000,
        }


def _events(text: str) -> list[dict]:
    content = [{"type": "output_text", "text": text}]
    message = {"type": "message", "id": "msg_1", "role": "assistant", "content": content}
    usage = {
        "input_tokens": 1200,
        "input_tokens_details": {"cached_tokens": 200},
        "output_tokens": 56,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 1256,
    }
    return [
        {"type": "response.output_item.done", "output_index": 0, "item": message},
        {"type": "response.completed", "response": {"id": "resp_1", "usage": usage}},
    ]
