"""All that C is: tools, builds, runs, and reading its source."""
