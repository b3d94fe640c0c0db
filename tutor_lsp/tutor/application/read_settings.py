"""The settings in force: from the client, the environment and the file in the home."""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutor_lsp.core.mend import Mend, Problem
from tutor_lsp.core.settings import Settings, resolve
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.services.installed import installed

CONFIG = "config.toml"
CLIENT_ONLY = ("ui", "ask", "reports", "texts", "diagnosticsInHover", "commandForm")
"""Keys of initializationOptions that are no settings."""


def read_settings(client: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """The settings in force with those of a client, and what was wrong with any. Blocks."""
    environment = dict(os.environ)
    given = {key: value for key, value in client.items() if key not in CLIENT_ONLY}
    if isinstance(given.get("model"), bool):
        # initializationOptions.model says that the client offers its own model.
        del given["model"]
    known = installed()
    settings, _ = resolve(Settings(), {}, environment, given, known)
    config: object = {}
    problems: list[str] = []
    path = Path(settings.home) / CONFIG
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        pass
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        said = t(f"{path} {_why_unread(error)}: correct it; its settings are ignored.")
        problems.append(Problem(said, Mend("file", file=str(path))))
    # Only a client with a palette has a page of its settings; what stands in a plugin's call is
    # not mended in config.toml.
    form = client.get("commandForm")
    paged = isinstance(form, Mapping) and bool(form.get("titles"))
    settings, more = resolve(
        Settings(), config, environment, given, known, str(path), opens_settings=paged
    )
    return settings, problems + more


def _why_unread(error: Exception) -> str:
    """Why a file of settings is left out, as the middle of a sentence."""
    if isinstance(error, OSError):
        return t(f"cannot be read ({error.strerror})")
    if isinstance(error, UnicodeDecodeError):
        return t("is not saved as UTF-8")
    place = re.search(r"line \d+, column \d+", str(error))
    return t(f"is not valid TOML ({place[0]})") if place else t("is not valid TOML")
