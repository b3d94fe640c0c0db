"""A second look at tests whose failure does not say by itself which call it came of."""
