"""Market till: totals, a discount and change, without a cent getting lost.

People say prices in euros, as numbers with a dot: 4.35. The till calculates in whole cents: 435.
No price is negative.
"""

COINS = [200, 100, 50, 20, 10, 5, 2, 1]  # in cents, the largest first


def to_cents(euros: float) -> int:
    """Return an amount in euros as whole cents, rounded to the nearest one.
    ex-1 - First principle: floats are nearly right, so round
    Read: LESSON.md, "Nearly right"
    Test: test_to_cents_gives_whole_cents
    Start here: what is one euro in cents, and what is missing from 4.35 *
        100?
    """
    return round(euros * 100)


def total(prices: list[float], discount: int) -> int:
    """Return what all the prices cost together, in cents, less a discount of
    so many percent. The discount is taken off the sum; it is rounded down to
    whole cents, so 10 percent of 0.35 is 3 cents.
    ex-2 - First principle: round once, at the end
    Read: LESSON.md, "Add up first, cut last"
    Test: test_total_adds_up_the_prices
    Start here: get the sum in cents before you think of the discount
    """
    cents = 0
    for price in prices:
        cents += to_cents(price)
    return cents - cents * discount // 100


def paid_exactly(coins: list[float], due: int) -> bool:
    """Return True if the coins on the table, in euros, are together exactly
    the amount that is due, in cents. Return False if they are more or less.
    ex-3 - First principle: compare whole numbers, not floats
    Read: LESSON.md, "Equal or nearly equal"
    Test: test_paid_exactly_is_true_for_the_right_coins
    Start here: the two sides have different units; which one do you want to
        compare in?
    """
    return to_cents(sum(coins)) == due


def change(cents: int) -> list[int]:
    """Return the coins that make up this amount, in cents, with as few coins
    as possible: take the largest of the `COINS` as often as it fits, then the
    next one, and so on. 0 cents give an empty list.
    ex-4 - First principle: // is how often, % is what is left
    Read: LESSON.md, "How often, and what is left"
    Test: test_change_uses_the_largest_coins_first
    Start here: how often does 200 fit into 437, and what is left then?
    """
    coins: list[int] = []
    for coin in COINS:
        coins += [coin] * (cents // coin)
        cents %= coin
    return coins


def show(cents: int) -> str:
    """Return an amount as people read it: 305 becomes "3.05". (Given: use it in `receipt`.)"""
    return f"{cents // 100}.{cents % 100:02}"


def receipt(prices: list[float], discount: int, coins: list[float]) -> str:
    """Return what the till says: "3.15 to pay, thank you" if the coins are
    exactly the total. If they are more (never less), it lists the change,
    each coin as `show` writes it: "3.15 to pay, back: 1.00 + 0.50 + 0.05".
    ex-5 - First principle: cents inside, euros at the edge
    Read: LESSON.md, "Units at the edge"
    Test: test_receipt_says_thank_you
    Start here: give the total a name, because you need it three times
    """
    due = total(prices, discount)
    if paid_exactly(coins, due):
        return f"{show(due)} to pay, thank you"
    back: list[str] = []
    for coin in change(to_cents(sum(coins)) - due):
        back.append(show(coin))
    return f"{show(due)} to pay, back: {' + '.join(back)}"
