"""Bundled exercises as real files, curriculum data, and their loader.

Deliberately absent: running anything, and any import but the standard library, core and files.
"""
