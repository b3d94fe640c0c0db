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

    def __init__(self, **flags: bool) -> None:
        self.shown = {}
        self.order = []
        flags = ClientFlags(**flags)
        self.publisher = Publisher(
            SimpleNamespace(
                documents=Documents(),
                converter=Converter("utf-16", flags),
                flags=flags,
                notify=lambda *_: None,
                spawn=lambda work, _name: work.close(),
                server=SimpleNamespace(
                    text_document_publish_diagnostics=self.diagnostics,
                    workspace_code_lens_refresh=lambda _: self.order.append("lenses"),
                ),
            ),
            build_errors=lambda: True,
        )

    def diagnostics(self, sent) -> None:
        self.shown[sent.uri] = sent.diagnostics
        self.order.append("diagnostics")

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


def test_body_of_the_stub_is_sent_to_a_client_that_keeps_data(client):
    client.publish(STARTER)
    assert {item.data for item in client.shown[URI]} == {None}
    keeping = Client(diagnostic_data=True)
    keeping.publish(STARTER)
    line = STARTER.split("\n").index('    raise NotImplementedError("count")') + 1
    assert keeping.shown[URI][0].data == {"body": {"line": line, "endLine": line}}


def test_lenses_are_asked_for_again_before_the_marks_that_they_agree_with():
    client = Client(lens_refresh=True)
    failed = report(outcome="failed")
    client.publish(STARTER)
    assert client.order == ["lenses", "diagnostics"]
    client.order.clear()
    client.publish(SOLVED, last_report=failed, last_results=failed)
    assert client.order == ["lenses", "diagnostics"]
    client.order.clear()
    client.publish(SOLVED, last_report=failed, last_results=failed)
    assert client.order == []


def test_lenses_that_change_while_no_unit_does_are_asked_for_again():
    """An attempt passes: what the focus leads to is another, and every unit is what it was."""
    client = Client(lens_refresh=True)
    passed = {"last_report": report(outcome="passed"), "last_results": report(outcome="passed")}
    client.publish(SOLVED, **passed)
    client.order.clear()
    client.publish(SOLVED, **passed, passed=True)
    assert client.order == ["lenses"]


def test_lenses_of_an_exercise_that_is_opened_again_are_asked_for_again():
    client = Client(lens_refresh=True)
    client.publish(STARTER)
    client.order.clear()
    client.publisher.forget_lenses(ROOT)
    client.publish(STARTER)
    assert client.order == ["lenses"]
