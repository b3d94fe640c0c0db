"""What runs inside the learner's interpreter: scripts, never imported by the server.

They use the standard library and pytest only (Python 3.9 or later, pytest 8 or later).
"""
