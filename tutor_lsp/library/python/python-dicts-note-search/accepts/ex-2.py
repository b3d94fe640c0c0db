def accepts(text: str) -> bool:
    """Any text; what its words are is for the given `words` to say."""
    return True
