def accepts(euros: float) -> bool:
    """No price is negative, and none is half-way between two cents."""
    return 0 <= euros < 1e9 and abs(euros * 100 % 1 - 0.5) > 1e-6
