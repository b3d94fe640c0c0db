"""No run itself is tested here."""

from warm_python import warm_python

__all__ = ["warm_python"]
