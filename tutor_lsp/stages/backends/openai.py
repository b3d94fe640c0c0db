"""Any service with OpenAI's chat completions API as a backend: OpenAI, Ollama, vLLM, LM Studio, …

The package `openai` (extra `openai`) is loaded by the first call, in a thread. Services differ in
what form of answer they can be held to; the strictest that one accepts is used and remembered.
"""

import importlib.util
import json
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.mend import Mend
from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, StageRequest
from tutor_lsp.stages.backends import answers
from tutor_lsp.stages.backends.cli import INSTRUCTIONS, NO_ROOM, ModelBackend, no_answer, prompt_of
from tutor_lsp.stages.backends.openai_http import (
    INSTALL,
    Endpoint,
    ServiceRefused,
    listed_models,
    post,
)

OPENAI_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
FORMS = ("json_schema", "json_object", "text")
"""Forms of answer, strictest first."""
REFUSALS = frozenset({400, 422, 501})
"""Statuses with which services refuse a form that they do not know."""

_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1")
_ABOUT_FORM = re.compile(r"response_format|schema|grammar|json", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenAISettings:
    """`base_url` None is OpenAI itself. `key_variable` names the environment variable that holds
    the key; services on this machine need none."""

    base_url: str | None = None
    model: str | None = None
    key_variable: str = KEY_VARIABLE

    @property
    def url(self) -> str:
        """The address in use, without a slash at its end."""
        return (self.base_url or OPENAI_URL).rstrip("/")

    @property
    def local(self) -> bool:
        """Whether the service is on this machine."""
        return _LOOPBACK.fullmatch(self._parts()[1]) is not None

    @property
    def usable(self) -> bool:
        """Whether the address is one of HTTP."""
        scheme, host = self._parts()
        return scheme in ("http", "https") and bool(host)

    def _parts(self) -> tuple[str, str]:
        try:
            parts = urlsplit(self.url)
        except ValueError:  # such as an open bracket
            return "", ""
        return parts.scheme, parts.hostname or ""

    def endpoint(self) -> Endpoint:
        """Where to call, with the key as it is now."""
        return Endpoint(self.url, os.environ.get(self.key_variable) or None, self.local)


URL, MODEL = Mend("setting", setting="openai.baseUrl"), Mend("setting", setting="model")


class OpenAIBackend(ModelBackend):
    """Answers over HTTP.

    Probing contacts services on this machine only: nothing is sent elsewhere before the learner
    has agreed. Without the setting `model`, a service on this machine that has exactly one serves
    with that.
    """

    name = "openai"

    def __init__(
        self, settings: OpenAISettings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(clock)
        self._settings = settings
        self._model = settings.model
        self._form = 0
        self._in_pieces = True

    @property
    def _refused_login(self) -> str:
        return f"{self._settings.url} refused the key: {self._key_remedy()}"

    async def answer(self, request: StageRequest) -> BackendAnswer:
        prompt = prompt_of(request, "the service")
        if self._model is None:
            status = await self.probe()
            if self._model is None:
                raise BackendFailed(status.why, {"remedy": "set the setting model"})
        began = self._clock()
        heard = request.heard if self._in_pieces else None
        while True:
            left = request.limit_s - (self._clock() - began)
            try:
                body = self._body(prompt, request.contract)
                data = await post(self._settings.endpoint(), body, max(left, 0.01), heard)
            except ServiceRefused as refused:
                if heard is not None and refused.status in REFUSALS:
                    heard = None  # was it the pieces, or the form?
                    continue
                if _refuses_form(refused) and self._form + 1 < len(FORMS):
                    self._form += 1
                    heard = request.heard if self._in_pieces else None
                    continue
                self._form = 0
                raise self._failed(refused) from refused
            except TimeoutError as error:
                raise no_answer(self._settings.url, request.limit_s) from error
            self._in_pieces &= request.heard is None or heard is not None
            self._login.worked()
            return answers.read_answer(data)

    def _body(self, text: str, contract: str) -> dict[str, Any]:
        form = FORMS[self._form]
        schema = load_schema(contract)
        body: dict[str, Any] = {"model": self._model}
        if form == "json_schema":
            named = {"name": contract, "strict": True, "schema": schema}
            body["response_format"] = {"type": form, "json_schema": named}
        else:
            # At the end, so that the beginning stays the same for the service's cache.
            compact = json.dumps(schema, separators=(",", ":"))
            text += f"\nThe answer is one JSON document of this JSON Schema:\n{compact}\n"
        if form == "json_object":
            body["response_format"] = {"type": form}
        body["messages"] = [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": text},
        ]
        return body

    def _failed(self, refused: ServiceRefused) -> BackendFailed:
        details: dict[str, Any] = {"status": refused.status, "message": refused.message}
        where = self._settings.url
        said = refused.message or "no message"
        if refused.status in (401, 403):
            self._login.refused()
            remedy = self._key_remedy()
            return BackendFailed(f"{where} refused the key: {remedy}", details | {"remedy": remedy})
        if refused.status == 429:
            details["remedy"] = NO_ROOM
            return BackendFailed(f"{where} has no more room for you: {said}", details)
        if refused.status == 404:
            details["remedy"] = f"check the settings openai.baseUrl and model ({self._model})"
            return BackendFailed(f"{where} does not know this: {said}", details)
        if refused.status is None:
            details["remedy"] = "start the service, or check the setting openai.baseUrl"
            return BackendFailed(f"{where} cannot be reached: {said}", details)
        return BackendFailed(f"{where} failed (HTTP {refused.status}): {said}", details)

    def _key_remedy(self) -> str:
        return f"put a valid key into the environment variable {self._settings.key_variable}"

    async def _look(self) -> BackendStatus:
        settings = self._settings
        if settings.base_url is None and (self._model is None or settings.endpoint().key is None):
            return self._unusable(
                "it is not set up: set openai.baseUrl, or model and the environment variable "
                f"{settings.key_variable}",
                *(URL, MODEL),
            )
        if not settings.usable:
            return self._unusable("openai.baseUrl must be an address with http:// or https://", URL)
        if importlib.util.find_spec("openai") is None:
            return self._unusable(
                f"the package openai is missing: {INSTALL}", Mend("line", line=INSTALL)
            )
        if not settings.local:
            if self._model is None:
                return self._unusable("the setting model is missing", MODEL)
            return self._usable(f"{self._model} at {settings.url} is set up")
        try:
            models = await listed_models(settings.endpoint())
        except ServiceRefused as refused:
            if refused.status is None:
                return self._unusable(f"nothing answers at {settings.url}: {refused.message}", URL)
            models = ()
        if self._model is None and len(models) == 1:
            self._model = models[0]
        if self._model is None:
            known = f": it has {', '.join(models[:5])}" if models else ""
            return self._unusable(f"the setting model is missing{known}", MODEL)
        return self._usable(f"{self._model} at {settings.url} answers")


def _refuses_form(refused: ServiceRefused) -> bool:
    """Whether a less strict form of answer may do."""
    if refused.status in REFUSALS:
        return True
    return refused.status == 500 and _ABOUT_FORM.search(refused.message) is not None


def create(context: BackendContext) -> OpenAIBackend:
    """The backend of the settings `openai.baseUrl`, `openai.keyVariable` and `model`."""
    settings: Mapping[str, Any] = context.settings
    return OpenAIBackend(
        OpenAISettings(
            base_url=settings.get("openai.baseUrl") or None,
            model=settings.get("model") or None,
            key_variable=str(settings.get("openai.keyVariable") or KEY_VARIABLE),
        )
    )
