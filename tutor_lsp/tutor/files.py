"""Writing a file so that it is there in full or as it was."""

import contextlib
import os
import tempfile
from pathlib import Path


def replace_text(path: Path, text: str) -> None:
    """Replace a file at once, keeping its mode; its folder must exist. Raises OSError. Blocks."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", errors="surrogatepass"))
        mode = 0o644
        with contextlib.suppress(FileNotFoundError):
            mode = path.stat().st_mode & 0o777
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
