"""All that Rust is: tools, builds, runs, and reading its source."""
