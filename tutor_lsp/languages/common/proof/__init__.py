"""What the proof of every language stands on."""
