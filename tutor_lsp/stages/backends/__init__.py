"""Backends that answer stages: one file per backend, one line in `registry`."""
