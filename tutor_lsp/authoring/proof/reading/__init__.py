"""What the proof reads in lessons and tests."""
