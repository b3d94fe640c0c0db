"""Tool shed: the program of a shared shed, and tests that notice mistakes."""
