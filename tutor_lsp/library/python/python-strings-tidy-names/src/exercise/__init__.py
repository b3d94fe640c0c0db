"""Tidy names: file names that you can read, sort and find again."""
