"""What is installed: languages and backends, as settings name them."""

from functools import cache

from tutor_lsp.core.settings import Installed
from tutor_lsp.languages.registry import languages
from tutor_lsp.languages.registry import problems as language_problems
from tutor_lsp.stages.backends.registry import kinds
from tutor_lsp.stages.backends.registry import problems as backend_problems


@cache
def installed() -> Installed:
    """The languages and backends of this Python, with their own settings. Blocks at the first
    call."""
    own = [info for language in languages().values() for info in language.settings]
    own += [info for kind in kinds().values() for info in kind.settings]
    return Installed(
        languages=tuple(languages()),
        backends={kind.name: kind.meaning for kind in kinds().values()},
        settings=tuple(own),
        problems=(*language_problems(), *backend_problems()),
    )
