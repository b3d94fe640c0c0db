from exercise.tour import FULL


def accepts(stops: list[str], kms: list[int], battery: int) -> bool:
    """One distance fewer than there are stops, up to `FULL`, and what a battery can hold."""
    fits = len(kms) == len(stops) - 1 and all(0 <= km <= FULL for km in kms)
    return fits and 0 <= battery <= FULL
