"""What the proof asks of kinds of units besides that their tests fail first and pass then."""
