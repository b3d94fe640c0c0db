"""The language server: the only package that imports pygls or lsprotocol.

Deliberately absent: rules of any kind. Each feature is one file that converts the result of
tutor.ide or of a use case.
"""
