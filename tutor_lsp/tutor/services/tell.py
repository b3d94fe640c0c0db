"""Notifications to the client."""

from tutor_lsp.tutor.interface.notifications import Notification
from tutor_lsp.tutor.services.frontend import Frontend
from tutor_lsp.tutor.voice.say import notified


def tell(frontend: Frontend, notification: Notification) -> None:
    """Send a notification with its words."""
    frontend.notify(notification.METHOD, notified(frontend.abilities.voice, notification))
