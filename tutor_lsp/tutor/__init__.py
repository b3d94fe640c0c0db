"""Use cases of the tutor, and the composition root.

Deliberately absent: pygls, lsprotocol and terminal output; front ends implement `frontend.py`.
"""
