"""What authoring's tests work with is of use here too."""

import sys
from pathlib import Path

from warm_python import warm_python

__all__ = ["warm_python"]

sys.path.insert(0, str(Path(__file__).parents[1] / "authoring"))
