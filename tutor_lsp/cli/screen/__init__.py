"""What verbs display and ask in a terminal."""
