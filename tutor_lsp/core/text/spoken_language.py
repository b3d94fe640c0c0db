"""The language that a model writes to the learner in: the one set, else the editor's, else that of
the environment. Other than the tutor's own sentences it needs no catalogue, only a name."""

import os
import re
from collections.abc import Mapping

from tutor_lsp.core.settings import LANGUAGE

_NAMES: Mapping[str, str] = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "ga": "Irish", "gl": "Galician", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese",
    "ka": "Georgian", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "ms": "Malay",
    "nb": "Norwegian", "nl": "Dutch", "nn": "Norwegian Nynorsk", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "pt-br": "Brazilian Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian",
    "ur": "Urdu", "vi": "Vietnamese", "zh": "Simplified Chinese", "zh-hant": "Traditional Chinese",
    "zh-hk": "Traditional Chinese", "zh-mo": "Traditional Chinese", "zh-tw": "Traditional Chinese",
}  # fmt: skip
_editors: str | None = None


def editor_speaks(locale: str | None) -> None:
    """Take note of the editor's locale; None for one that names none, as a terminal."""
    global _editors
    _editors = locale


def answer_language(setting: str | None) -> str:
    """The name of the language that is asked of a model. "" where nothing need be said: a model
    answers in English, or as it was asked, unless it is told otherwise."""
    if setting:
        return named(setting)
    environment = ("LC_ALL", "LC_MESSAGES", "LANG")  # as POSIX orders them
    tag = _editors or next((value for each in environment if (value := os.environ.get(each))), "")
    name = named(tag) if re.fullmatch(LANGUAGE, tag) else ""
    return "" if name == "English" else name


def named(tag: str) -> str:
    """The English name of a language by its tag (`de`, `pt-BR`, `zh_TW.UTF-8`); what is no known
    tag stands for itself, and "" is that of none."""
    code, *more = re.split("[-_]", re.split("[.@]", tag.strip())[0].casefold())
    if len(code) < 2 or code == "posix":  # the locale of POSIX has a name of one letter
        return ""
    known = (_NAMES.get(f"{code}-{each}") for each in more)
    return next(filter(None, known), None) or _NAMES.get(code) or tag.strip()
