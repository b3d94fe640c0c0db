"""What an exercise is, what a run of it found, and how far it is."""
