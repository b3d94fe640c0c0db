"""Reading untrusted files: without blocking, and within limits.

Deliberately absent: any notion of exercises.
"""
