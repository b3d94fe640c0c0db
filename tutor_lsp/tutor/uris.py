"""What a client's URIs stand for on this machine."""

import os
from pathlib import Path
from urllib.parse import unquote, urlparse


def uri_to_path(uri: str) -> Path | None:
    """The path of a file URI or of a plain absolute path, None for other schemes."""
    if uri.startswith("/"):
        return Path(os.path.normpath(uri))
    parsed = urlparse(uri)
    if parsed.scheme != "file" or not parsed.path:
        return None
    return Path(os.path.normpath(unquote(parsed.path)))
