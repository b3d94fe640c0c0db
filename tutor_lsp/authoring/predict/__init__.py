"""The proof of units that ask what a program gives."""
