"""How a C test tells its calls."""
