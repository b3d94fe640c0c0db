"""The review of an attempt: asked for, verified by execution, and what it means."""
