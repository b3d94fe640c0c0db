"""Exercises and a learner without an editor are of use here too."""

import sys
from pathlib import Path

from warm_python import warm_python

__all__ = ["warm_python"]

for other in ("tutor", "learner", "stages"):
    sys.path.insert(0, str(Path(__file__).parents[1] / other))
