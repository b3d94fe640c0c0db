"""What units that ask what a program gives have in common in all languages."""
