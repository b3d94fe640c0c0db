"""The review of an attempt: requested, verified by execution, and recorded."""
