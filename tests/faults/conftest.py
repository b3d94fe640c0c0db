"""What learners' and use cases' tests work with is of use here too."""

import sys
from pathlib import Path

for name in ("cli", "e2e", "learner", "stages", "toolchains", "tutor"):
    sys.path.insert(0, str(Path(__file__).parents[1] / name))
