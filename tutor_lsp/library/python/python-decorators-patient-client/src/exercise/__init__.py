"""Patient client: decorators that try again, keep a log and remember answers."""
