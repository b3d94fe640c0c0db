"""From a node to a proven exercise in its folder: loops, assembly, index, proof, placement.

Deliberately absent: sessions, mastery, prompts, LSP, and trusting anything that was not executed.
"""
