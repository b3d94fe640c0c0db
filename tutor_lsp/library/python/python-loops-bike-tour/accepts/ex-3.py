from exercise.tour import FULL


def accepts(kms: list[int], battery: int) -> bool:
    """Distances up to `FULL`, and what a battery can hold."""
    return all(0 <= km <= FULL for km in kms) and 0 <= battery <= FULL
