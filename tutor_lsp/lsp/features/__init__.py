"""One file for each protocol method that is served."""
