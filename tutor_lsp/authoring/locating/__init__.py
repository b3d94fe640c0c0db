"""Where a learner's function is wrong, found by mending it: single changes of it are tried as one
program, and the place is known if all that mend it agree. The change itself is never told.

`hunks` are changes towards the reference, `changes` all that are tried, `agreeing` what those that
mend it have in common, `trying` runs them.
"""
