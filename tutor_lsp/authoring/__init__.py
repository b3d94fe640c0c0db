"""From a node to a proven exercise in its folder: loops, assembly, index, proof, placement.

Deliberately absent: sessions, mastery, prompts, LSP, and trust in anything that was not executed.
"""
