"""`tutor-lsp demo`: a whole learning session, played against the real server and checked."""
