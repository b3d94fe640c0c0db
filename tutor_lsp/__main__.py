"""`python -m tutor_lsp` is `tutor-lsp`."""

import sys

from tutor_lsp.cli.main import main

sys.exit(main())
