"""The normal form of a function: what is left of it without names, layout and spelling."""
