"""What is sent to a client, given what it was sent before."""

from types import SimpleNamespace

import pytest
from fixture import FILE, ROOT, STARTER, opened, report

from tutor_lsp.lsp.capabilities import ClientFlags
from tutor_lsp.lsp.convert import Converter
from tutor_lsp.lsp.documents import Documents
from tutor_lsp.lsp.publish import Publisher

URI = (ROOT / FILE).as_uri()
SOLVED = STARTER.replace('raise NotImplementedError("', 'return ("')


class Client:
    """A client that shows what the publisher sends."""

    def __init__(self) -> None:
        self.shown = {}
        flags = ClientFlags()
        self.publisher = Publisher(
            SimpleNamespace(
                app=SimpleNamespace(shows_build_errors=lambda: True),
                documents=Documents(),
                converter=Converter("utf-16", flags),
                flags=flags,
                frontend=SimpleNamespace(notify=lambda *_: None),
                text_document_publish_diagnostics=lambda sent: self.shown.update(
                    {sent.uri: sent.diagnostics}
                ),
            )
        )

    def publish(self, text: str, **session):
        self.publisher.publish(opened({FILE: text}, **session))


@pytest.fixture
def client():
    return Client()


def test_what_is_shown_when_a_file_is_opened_or_closed_can_still_be_cleared(client):
    client.publish(STARTER)
    assert client.shown[URI]
    client.publisher.forget(URI)
    client.publish(
        SOLVED, last_report=report(outcome="passed"), last_results=report(outcome="passed")
    )
    assert client.shown[URI] == []


def test_what_a_client_dropped_is_sent_again(client):
    client.publish(STARTER)
    client.shown.clear()
    client.publisher.forget(URI)
    client.publish(STARTER)
    assert client.shown[URI]


def test_a_file_that_never_had_a_mark_gets_no_list(client):
    client.publish(
        SOLVED, last_report=report(outcome="passed"), last_results=report(outcome="passed")
    )
    assert URI not in client.shown
