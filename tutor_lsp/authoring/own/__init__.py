"""Exercises of one's own: begun, checked, and held to the rules of the format."""
