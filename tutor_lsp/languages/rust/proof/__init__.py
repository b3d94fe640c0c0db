"""What the proof must know of Rust."""
