"""What a unit promises to take, as code: `accepts(...)`, with the parameters of its stub.

An exercise may have a file `accepts/<unit>.<suffix>` for a unit, real code like its reference. Put
around the reference (`guard`), it refuses calls that the exercise does not speak of; its neighbours
(`neighbours`) are what it is measured on.
"""
