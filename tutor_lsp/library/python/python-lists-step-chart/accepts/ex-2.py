def accepts(steps: list[int], goal: int) -> bool:
    """At least one day, and a goal above 0."""
    return len(steps) > 0 and min(steps) >= 0 and goal > 0
