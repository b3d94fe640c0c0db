"""Which tools should be back by now."""


def overdue(due: dict[str, int], today: int) -> list[str]:
    """Return the tools that should have come back before today."""
    late = [tool for tool, day in due.items() if day < today]
    return sorted(late, key=lambda tool: (due[tool], tool))
