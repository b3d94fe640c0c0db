"""How a Python test tells its calls."""
