"""Times of the record (ISO 8601 in UTC) as the learner's clock shows them."""

from datetime import datetime


def local(at: str) -> datetime | None:
    """A moment in the local time zone; None if the text isn't a time or the zone leads out of years
    1 to 9999.
    """
    try:
        return datetime.fromisoformat(at).astimezone()
    except (ValueError, OverflowError):
        return None


def local_day(at: str) -> str:
    """`2026-11-23`, or the text before the `T` if it isn't a time."""
    moment = local(at)
    return moment.strftime("%Y-%m-%d") if moment is not None else at.partition("T")[0]


def local_minute(at: str) -> str:
    """`2026-11-23 14:03`, or the beginning of the text if it isn't a time."""
    moment = local(at)
    return moment.strftime("%Y-%m-%d %H:%M") if moment is not None else at[:16]


def local_time(at: str) -> str:
    """`14:03`, or the text if it isn't a time."""
    moment = local(at)
    return moment.strftime("%H:%M") if moment is not None else at
