def accepts(steps: list[int]) -> bool:
    """At least one day, and no average half-way above an even number: people round it both ways."""
    if not steps or min(steps) < 0:
        return False
    halves, rest = divmod(2 * sum(steps), len(steps))
    return rest > 0 or halves % 4 != 1
