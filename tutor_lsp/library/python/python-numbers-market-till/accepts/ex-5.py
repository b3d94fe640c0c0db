def accepts(prices: list[float], discount: int, coins: list[float]) -> bool:
    """Prices, discount and coins as before, and coins that are enough."""
    if not all(is_price(price) for price in prices) or not 0 <= discount <= 100:
        return False
    if not all(is_coin(coin) for coin in coins):
        return False
    cents = sum(round(price * 100) for price in prices)
    return sum(round(coin * 100) for coin in coins) >= cents - cents * discount // 100


def is_price(euros: float) -> bool:
    return 0 <= euros < 1e6 and abs(euros * 100 % 1 - 0.5) > 1e-6


def is_coin(euros: float) -> bool:
    return 0 <= euros < 1e6 and abs(euros * 100 - round(euros * 100)) < 1e-6
