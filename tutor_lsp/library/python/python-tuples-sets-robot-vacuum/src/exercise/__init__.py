"""Robot vacuum: where did it go, and which spots did it miss?"""
