"""The Python that each package of the extension carries: what pythons.toml names for its target is
fetched, checked, and kept in .cache/pythons."""

import hashlib
import http.client
import re
import shutil
import tomllib
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path

LIST = Path("editors") / "vscode" / "scripts" / "pythons.toml"
CACHE = Path(".cache") / "pythons"
TIMEOUT_S = 60
"""How long nothing may come."""


class PythonsError(Exception):
    """What is wrong with the list, or with what came for it, in a sentence."""


def fetch(root: Path, targets: Sequence[str]) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """Archive and checksum for each target whose Python can be had, and a sentence for each other.
    Raises PythonsError where another file came than the one that was meant."""
    address, listed = _read(root)
    found, without = {}, []
    for target in targets:
        file, checksum = listed.get(target, ("", ""))
        if not checksum:
            lacks = "checksum" if file else "Python"
            without.append(
                f"The package for {target} carries no Python: {LIST} has no {lacks} for it."
            )
            continue
        kept = root / CACHE / file
        try:
            _have(f"{address}/{urllib.parse.quote(file)}", kept, checksum)
        except (OSError, http.client.HTTPException) as error:
            without.append(
                f"The package for {target} carries no Python: {file} cannot be fetched ({error})."
            )
        else:
            found[target] = (str(kept), checksum)
    return found, without


def _read(root: Path) -> tuple[str, dict[str, tuple[str, str]]]:
    try:
        told = tomllib.loads((root / LIST).read_text(encoding="utf-8"))
        address = told.pop("address")
        listed = {target: (each["file"], each["sha256"]) for target, each in told.items()}
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise PythonsError(f"{LIST} cannot be read: {error!r}") from error
    for target, (_, checksum) in listed.items():
        if not re.fullmatch(r"([0-9a-f]{64})?", checksum):
            raise PythonsError(
                f"{LIST}: sha256 of {target} must have 64 hexadecimal digits, or none."
            )
    return address, listed


def _have(url: str, kept: Path, checksum: str) -> None:
    """Fetch it unless it is there as it should be."""
    if kept.is_file() and _sum(kept) == checksum:
        return
    kept.parent.mkdir(parents=True, exist_ok=True)
    part = kept.with_name(f"{kept.name}.part")
    try:
        with (
            urllib.request.urlopen(url, timeout=TIMEOUT_S) as source,  # noqa: S310 - of our own list
            part.open("wb") as copy,
        ):
            shutil.copyfileobj(source, copy)
            length = source.headers.get("Content-Length")
        if length is not None and int(length) != part.stat().st_size:
            raise OSError("it broke off")
        came = _sum(part)
        if came != checksum:
            raise PythonsError(f"{url} has the checksum {came}, but {LIST} says {checksum}.")
        part.replace(kept)
    finally:
        part.unlink(missing_ok=True)


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
