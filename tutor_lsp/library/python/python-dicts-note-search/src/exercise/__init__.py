"""Note search: find the right note among many, the best match first."""
