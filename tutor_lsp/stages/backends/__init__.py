"""What answers stages: one file per backend, one line in `registry`."""
