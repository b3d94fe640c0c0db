"""The supervisor: a small process that starts what is contained, and leaves nothing of it behind.

It runs beside the server, as a script of the standard library alone (`python -I -S`), since a fork
of it costs a fraction of a millisecond. Linux only. The server's side is `process/supervised.py`.
"""
