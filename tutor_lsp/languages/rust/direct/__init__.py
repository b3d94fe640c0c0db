"""Building a Rust exercise by rustc alone."""
