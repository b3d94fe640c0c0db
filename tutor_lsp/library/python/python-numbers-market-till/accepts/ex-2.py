def accepts(prices: list[float], discount: int) -> bool:
    """Prices as for `to_cents`, and a discount of 0 to 100 percent."""
    return all(is_price(price) for price in prices) and 0 <= discount <= 100


def is_price(euros: float) -> bool:
    return 0 <= euros < 1e9 and abs(euros * 100 % 1 - 0.5) > 1e-6
