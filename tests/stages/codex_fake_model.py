"""A model server on 127.0.0.1 that speaks just enough of the responses interface for Codex."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FakeModel:
    """Answers `POST /v1/responses`. `mode` is `answer`, `hang` or an HTTP status such as `401`.

    `requests` holds the bodies that came in.
    """

    def __init__(self, text: str = "{}", mode: str = "answer") -> None:
        self.text, self.mode = text, mode
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
                if model.mode == "hang":
                    model._ending.wait(60)
                elif model.mode == "answer":
                    self._answer()
                else:
                    self._refuse(int(model.mode))

            def _answer(self):
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for event in _events(model.text):
                    line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                    self.wfile.write(line.encode())

            def _refuse(self, status):
                body = json.dumps({"error": {"message": "refused", "type": "x"}}).encode()
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
        provider = (
            f'{{name="fake",base_url="http://127.0.0.1:{self.port}/v1",wire_api="responses",'
            'env_key="FAKE_KEY",request_max_retries=0,stream_max_retries=0,'
            "stream_idle_timeout_ms=30000}"
        )
        return (("model_provider", "fake"), ("model_providers.fake", provider))


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
