def accepts(steps: list[int], days: int) -> bool:
    """At least one day, and no average half-way above an even number: people round it both ways."""
    if not steps or min(steps) < 0 or days < 1:
        return False
    return all(is_clear(steps[max(0, end - days) : end]) for end in range(1, len(steps) + 1))


def is_clear(window: list[int]) -> bool:
    halves, rest = divmod(2 * sum(window), len(window))
    return rest > 0 or halves % 4 != 1
