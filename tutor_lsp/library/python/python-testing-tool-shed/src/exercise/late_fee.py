"""What a tool costs that comes back late."""


def late_fee(days: int, price: int) -> int:
    """Return what to pay for a tool that comes back some days too late."""
    if days <= 2:
        return 0
    return min(days - 2, price)
