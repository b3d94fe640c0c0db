"""What verbs show and ask in a terminal."""
