"""Wrong versions of the references, made by code: the tests have to notice each that behaves
differently within what its unit accepts.

`edits` makes them by syntax tree, `choice` takes an even selection, `inputs` makes tests that only
watch, `trying` runs all in one program, `judging` says what follows.
"""
