"""What the proof must know of Python."""
