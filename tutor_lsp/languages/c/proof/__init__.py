"""What the proof must know of C."""
