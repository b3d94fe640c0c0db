"""The names of all settings, which those of each language and backend are among."""

from tutor_lsp.core.settings import describe
from tutor_lsp.tutor.services.installed import installed


def setting_keys() -> frozenset[str]:
    """Every key that there is here."""
    return frozenset(info.key for info in describe(installed()))
