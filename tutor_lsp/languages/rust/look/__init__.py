"""How a Rust test tells its calls."""
