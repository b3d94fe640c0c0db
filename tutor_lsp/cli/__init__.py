"""The use cases in a terminal, and the process that is the server.

Deliberately absent: rules about exercises, hints or mastery; they belong to `core` and `tutor`.
"""
