"""Bundled exercises as real files, curriculum data, and their loader.

Deliberately absent: running anything, and imports beyond the standard library, core and files.
"""
