"""The answer to `initialize` that is given before the server is loaded is the server's own."""

import json
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import InitializeParams, MarkupKind

from tutor_lsp.lsp import server as lsp_server
from tutor_lsp.lsp.capabilities import ClientFlags, client_flags
from tutor_lsp.lsp.initialize_answer import answer
from tutor_lsp.lsp.initialize_facts import FORMS
from tutor_lsp.tutor.application.client_settings import ClientSettings

ROOT = Path(__file__).parent.parent.parent
CLIENTS = sorted(
    (
        file
        for file in resources.files("pytest_lsp.clients").iterdir()
        if file.name.endswith("json")
    ),
    key=lambda file: file.name,
)
UNFIT = {"neovim_v0.9.1.json"}
"""It sends a list for the object `callHierarchy`."""
SIMPLE = {
    "any": st.none() | st.booleans() | st.text(max_size=3) | st.just({"a": [1, {}]}),
    "bool": st.booleans(),
    "str": st.text(max_size=5),
    "int": st.integers(-(2**31) + 1, 2**31 - 1),
    "uint": st.integers(0, 2**31 - 1),
}
ENCODINGS = st.lists(st.sampled_from(["utf-8", "utf-16", "utf-32", "utf-7", "é"]), max_size=4)
WRONG = st.sampled_from([None, True, 17, -1, 2.0, 2.5, "17", "", [], [17], {}, {"a": 1}, 2**31])


@cache
def one_converter():
    converter = lsp_server.strict_converter()
    return lambda: converter


class Nobody:
    """An application that is never put together."""

    settings = ClientSettings(lambda: None)


class Written(list):
    """What the server sends."""

    def write(self, data):
        self.append(json.loads(data.partition(b"\r\n\r\n")[2]))


def computed(params, monkeypatch):
    """What the server itself answers; the whole message but its id."""
    with monkeypatch.context() as patch:
        patch.setattr(lsp_server, "strict_converter", one_converter())
        server, written = lsp_server.create_server(lambda _: Nobody()), Written()
    server.protocol.set_writer(written)
    server.context.client.spawn = lambda work, _name: work.close()
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    server.protocol.handle_message(json.loads(json.dumps(message)))
    (found,) = written
    return found


def values(form, wrong):
    """Values of a form; with `wrong` some that are not."""
    if isinstance(form, str):
        found = SIMPLE[form] if form in SIMPLE else objects(form, wrong)
    elif isinstance(form, tuple):
        found = st.sampled_from(form)
    elif isinstance(form, list):
        found = st.lists(values(form[0], wrong), max_size=3)
    else:
        found = st.one_of([values(each, wrong) for each in form["any of"]])
    return found | WRONG if wrong else found


@cache
def objects(name, wrong):
    """Objects with some of the keys that there are."""
    fields = {
        key: st.none() | values(form, wrong) if optional else values(form, wrong)
        for key, (optional, form) in FORMS[name].items()
    }
    if name == "GeneralClientCapabilities":
        fields["positionEncodings"] |= ENCODINGS
    needed = {key: fields[key] for key, (optional, _) in FORMS[name].items() if not optional}
    more = {key: found for key, found in fields.items() if key not in needed}
    return st.fixed_dictionaries(needed, optional={**more, "unknown": SIMPLE["any"]})


@pytest.mark.parametrize("client", CLIENTS, ids=lambda file: file.name)
def test_every_known_client_is_answered_at_once_as_the_server_would(client, monkeypatch):
    params = {"processId": None, "rootUri": None, **json.loads(client.read_text())}
    found, own = answer(params), computed(params, monkeypatch)
    if client.name in UNFIT:
        assert found is None
        assert "error" in own
    else:
        assert found == own["result"]


@given(params=objects("InitializeParams", wrong=False))
def test_whatever_a_client_can_do_the_server_would_answer_the_same(params):
    found = answer(params)
    assert found is not None
    with pytest.MonkeyPatch.context() as patch:
        assert computed(params, patch).get("result") == found


@given(params=objects("InitializeParams", wrong=True))
def test_what_the_server_refuses_is_left_to_it(params):
    found = answer(params)
    with pytest.MonkeyPatch.context() as patch:
        own = computed(params, patch)
    assert found is None or own.get("result") == found


@pytest.mark.parametrize(
    "params", [None, [], 17, {}, {"capabilities": 1}, {"capabilities": {}, "processId": "1"}]
)
def test_parameters_that_do_not_fit_are_left_to_the_server(params, monkeypatch):
    assert answer(params) is None
    assert "error" in computed(params, monkeypatch)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda file: file.name)
def test_what_a_client_can_do_is_read_from_its_json_as_from_the_types(client):
    params = {"processId": None, "rootUri": None, **json.loads(client.read_text())}
    if client.name not in UNFIT:
        converter = one_converter()()
        typed = converter.structure(json.loads(json.dumps(params)), InitializeParams)
        caps, flags = typed.capabilities, client_flags(params)
        document, workspace = caps.text_document, caps.workspace
        assert flags == client_flags(converter.unstructure(typed))
        assert flags.hover_markdown == (MarkupKind.Markdown in document.hover.content_format)
        assert flags.action_literals == bool(document.code_action.code_action_literal_support)
        assert flags.apply_edit == bool(workspace.apply_edit)
        assert flags.configuration == bool(workspace.configuration)
        assert flags.chooses == bool(caps.window.show_message)
        assert flags.related_information == bool(document.publish_diagnostics.related_information)


def test_an_empty_list_is_an_object_of_a_client_in_lua():
    found = client_flags({"capabilities": {"window": {"showMessage": []}, "textDocument": []}})
    assert found == ClientFlags(chooses=True, voice=found.voice)
