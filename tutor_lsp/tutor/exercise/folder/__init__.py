"""The folder of an exercise: reading and writing it, its lock, its mark, the notes in it."""
