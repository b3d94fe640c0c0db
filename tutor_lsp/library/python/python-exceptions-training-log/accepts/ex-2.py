import re


def accepts(text: str) -> bool:
    """Digits, maybe with a minus, or what is no number however one writes numbers."""
    if re.fullmatch(r"-?[0-9]{1,20}", text):
        return True
    try:
        int(text)
    except ValueError:
        return len(text) < 1000
    return False
