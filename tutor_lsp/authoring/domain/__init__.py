"""A unit's domain as code: `accepts(...)`, with the parameters of its stub.

An exercise may have a file `accepts/<unit>.<suffix>` for a unit, real code like its reference.
Put around the reference (`guard`), it refuses calls that the exercise does not cover; it is
measured on neighbours of the tests' inputs (`neighbours`).
"""
