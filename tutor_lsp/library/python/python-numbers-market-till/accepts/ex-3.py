def accepts(coins: list[float], due: int) -> bool:
    """Coins are whole cents."""
    return all(is_coin(coin) for coin in coins) and due >= 0


def is_coin(euros: float) -> bool:
    return 0 <= euros < 1e6 and abs(euros * 100 - round(euros * 100)) < 1e-6
