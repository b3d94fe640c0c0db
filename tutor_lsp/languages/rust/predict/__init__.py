"""Units that ask what a program gives, in Rust."""
