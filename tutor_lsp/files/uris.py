"""What a client's URIs stand for on this machine."""

import os
from pathlib import Path
from urllib.parse import unquote, urlparse


def uri_to_path(uri: str) -> Path | None:
    """The path of a file URI or of a plain absolute path; None for other schemes, and for what no
    file can be called.
    """
    try:
        parsed = urlparse(uri)
    except ValueError:
        return None
    path = uri if uri.startswith("/") else unquote(parsed.path)
    if (not uri.startswith("/") and parsed.scheme != "file") or not _names_a_file(path):
        return None
    return Path(os.path.normpath(path))


def _names_a_file(path: str) -> bool:
    try:
        return bool(path) and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False
