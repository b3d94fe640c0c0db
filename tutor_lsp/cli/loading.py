"""Loads the server that takes over from the door."""

from collections.abc import Callable

from tutor_lsp.cli import lazy_methods
from tutor_lsp.cli.handover import Handover
from tutor_lsp.lsp import lazy_types


def load() -> Callable[[Handover], int]:
    """What holds the conversation with the client; whatever fails is raised."""
    lazy_methods.install()
    lazy_types.install()
    # What is defined before both are there would not be made later.
    from tutor_lsp.cli.conversation import Conversation

    return Conversation().hold
