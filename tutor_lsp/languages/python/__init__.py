"""All that Python is: tools, runs, and reading its source."""
