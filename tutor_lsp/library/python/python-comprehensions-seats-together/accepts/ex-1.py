def accepts(plan: str) -> bool:
    """A plan: no blanks but spaces, and no line end before its first row or after its last."""
    odd = any(char.isspace() and char not in " \n" for char in plan)
    return not odd and plan != "" and "\n" not in (plan[0], plan[-1])
