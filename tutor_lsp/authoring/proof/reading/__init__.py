"""Reading lessons and tests for the proof."""
