"""Repairing an exercise that fails its proof: by code where possible, otherwise by calls.

Deliberately absent: deciding whether it passes.
"""
