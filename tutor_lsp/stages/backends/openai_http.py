"""Calls to a service with OpenAI's interface; everything that is not an answer is `Refused`."""

import asyncio
import importlib
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.stage import BackendFailed
from tutor_lsp.stages.backends import answers
from tutor_lsp.stages.backends.cli import ENVELOPE_BYTES, PROBE_S, STREAM_BYTES

CONNECT_S = 10.0
"""Longest wait for a connection, in seconds."""
INSTALL = "pip install 'tutor-lsp[openai]'"
NO_KEY = "none"
"""What stands for a key where none is needed: the package insists on one."""
_IN_PIECES = {"stream": True, "stream_options": {"include_usage": True}}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A service's base address, key and whether it is on this machine (then no proxy is used)."""

    url: str
    key: str | None = None
    local: bool = False


class ServiceRefused(Exception):  # noqa: N818 - what a service said, not a defect
    """No answer: an HTTP `status`, or None where there was no connection; `message` says why."""

    def __init__(self, status: int | None, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


async def post(
    endpoint: Endpoint,
    body: Mapping[str, Any],
    limit_s: float,
    heard: Callable[[str], None] | None = None,
) -> Any:
    """The JSON that a chat completion gave; with `heard` it is asked for in pieces, which some
    services send all at once all the same.

    Raises ServiceRefused, TimeoutError at the limit, and BackendFailed for a body that is too large
    or no JSON and without the package. Cancelling closes the connection.
    """
    async with asyncio.timeout(limit_s):
        sdk = await asyncio.to_thread(_package)
        client = await asyncio.to_thread(_client, sdk, endpoint, limit_s)
        asked = {**body, **_IN_PIECES} if heard is not None else body
        try:
            async with (
                client,
                client.chat.completions.with_streaming_response.create(**asked) as response,
            ):
                kind = str(response.headers.get("content-type", ""))
                if heard is not None and kind.startswith("text/event-stream"):
                    return await _read_events(response, heard)
                raw = await _read(response)
        except sdk.APIStatusError as error:
            raise ServiceRefused(error.status_code, _said(error)) from error
        except sdk.APITimeoutError as error:
            raise TimeoutError("the connection timed out") from error
        except sdk.APIConnectionError as error:
            raise ServiceRefused(None, _cause(error)) from error
        except sdk.OpenAIError as error:
            raise BackendFailed(f"the package openai gave up: {error}") from error
    return await asyncio.to_thread(_parsed, raw, endpoint.url)


def _package() -> Any:
    try:
        return importlib.import_module("openai")
    except ModuleNotFoundError as error:
        raise BackendFailed("the package openai is missing", {"remedy": INSTALL}) from error


def _client(sdk: Any, endpoint: Endpoint, limit_s: float) -> Any:
    timeout = sdk.Timeout(limit_s, connect=min(CONNECT_S, limit_s))
    http = sdk.DefaultAsyncHttpxClient(trust_env=not endpoint.local, timeout=timeout)
    return sdk.AsyncOpenAI(
        api_key=endpoint.key or NO_KEY,
        base_url=endpoint.url,
        max_retries=0,
        timeout=timeout,
        http_client=http,
    )


async def _read(response: Any) -> bytes:
    raw = bytearray()
    async for chunk in _chunks(response, ENVELOPE_BYTES):
        raw += chunk
    return bytes(raw)


async def _read_events(response: Any, heard: Callable[[str], None]) -> Any:
    completion = answers.Completion(heard)
    async for chunk in _chunks(response, STREAM_BYTES):
        completion.feed(chunk)
    return completion.whole()


async def _chunks(response: Any, most: int) -> AsyncIterator[bytes]:
    seen = 0
    async for chunk in response.iter_bytes():
        seen += len(chunk)
        if seen > most:
            raise BackendFailed(f"the service gave more than {most} bytes", {"limitBytes": most})
        yield chunk


def _parsed(raw: bytes, url: str) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        said = raw[:200].decode("utf-8", "replace")
        raise BackendFailed(
            f"{url} answered with something else than JSON",
            {"answer": said, "remedy": "check openai.baseUrl: it mostly ends with /v1"},
        ) from error


def _said(error: Any) -> str:
    """What the service said of a failure, on one line of at most 500 characters."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    message = inner.get("message") if isinstance(inner, Mapping) else inner
    text = message if isinstance(message, str) else str(error)
    return " ".join(text.split())[:500]


def _cause(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split())[:200] or type(error).__name__


async def listed_models(endpoint: Endpoint) -> tuple[str, ...]:
    """Ids of the models that a service lists; answers within 2 s. Raises ServiceRefused.

    Uses no package, so that asking costs nothing where the service is not there.
    """
    return await asyncio.to_thread(_listed, endpoint)


def _listed(endpoint: Endpoint) -> tuple[str, ...]:
    headers = {"Authorization": f"Bearer {endpoint.key or NO_KEY}"}
    request = urllib.request.Request(f"{endpoint.url}/models", headers=headers)  # noqa: S310
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=PROBE_S) as response:
            data = json.loads(response.read(ENVELOPE_BYTES))
    except urllib.error.HTTPError as error:
        raise ServiceRefused(error.code, str(error.reason)) from error
    except (OSError, ValueError, RecursionError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise ServiceRefused(None, str(reason)) from error
    found = data.get("data") if isinstance(data, dict) else None
    items = found if isinstance(found, list) else []
    ids = (item.get("id") for item in items if isinstance(item, dict))
    return tuple(each for each in ids if isinstance(each, str) and each)
