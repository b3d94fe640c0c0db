from exercise.seats import LETTERS


def accepts(evenings: dict[str, str], people: int) -> bool:
    """Plans as for `offers`."""
    return people >= 1 and all(is_plan(plan) for plan in evenings.values())


def is_plan(plan: str) -> bool:
    odd = any(char.isspace() and char not in " \n" for char in plan)
    whole = not odd and plan != "" and "\n" not in (plan[0], plan[-1])
    return whole and plan.count("\n") < len(LETTERS)
