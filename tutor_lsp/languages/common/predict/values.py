"""Values that are other ones than a given value. Pure."""

import re


def another(value: str) -> str | None:
    """A value of the same type that is another one; None where that is not sure."""
    found = re.search(r"\"|'|0[xX]?|\d|\b(?:true|false|True|False)\b", value)
    if found is None:
        return None
    at, said = found.end(), found[0]
    if said in "\"'":
        char = value[at : at + 1]
        if said == '"' or char == "'":
            return f"{value[:at]}~{value[at:]}"
        size = 2 if char == "\\" else 1
        return f"{value[:at]}{'!' if char == '~' else '~'}{value[at + size :]}"
    if said[0].isdigit():
        # Never 0, with which a number is one of another base, or none.
        digit = str(int(said[0]) % 9 + 1) if len(said) == 1 else said
        return f"{value[: found.start()]}{digit}{'1' if len(said) > 1 else ''}{value[at:]}"
    swap = {"true": "false", "false": "true", "True": "False", "False": "True"}
    return value[: found.start()] + swap[said] + value[at:]
