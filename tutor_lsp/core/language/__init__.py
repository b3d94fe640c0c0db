"""What a language provides: the Protocols that every language implements, and their data. Pure."""
