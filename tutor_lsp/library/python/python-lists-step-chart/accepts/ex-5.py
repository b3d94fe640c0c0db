from exercise.steps import TOP, WINDOW


def accepts(steps: list[int], goal: int) -> bool:
    """At least one day, a goal above 0, and no average half-way above an even number where it
    makes a difference: people round it both ways."""
    if not steps or min(steps) < 0 or goal < 1 or is_half(steps):
        return False
    windows = [steps[max(0, end - WINDOW) : end] for end in range(1, len(steps) + 1)]
    return not any(is_half(window) and shows(window, goal) for window in windows)


def is_half(window: list[int]) -> bool:
    halves, rest = divmod(2 * sum(window), len(window))
    return rest == 0 and halves % 4 == 1


def shows(window: list[int], goal: int) -> bool:
    below = sum(window) // len(window)
    return min(below * TOP // goal, TOP) != min((below + 1) * TOP // goal, TOP)
