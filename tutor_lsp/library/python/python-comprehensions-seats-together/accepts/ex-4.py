from exercise.seats import LETTERS


def accepts(plan: str, people: int) -> bool:
    """A plan with a letter for every row, and somebody who wants to sit."""
    odd = any(char.isspace() and char not in " \n" for char in plan)
    whole = not odd and plan != "" and "\n" not in (plan[0], plan[-1])
    return whole and plan.count("\n") < len(LETTERS) and people >= 1
