"""The supervisor: a small process that starts contained programs and leaves nothing of them behind.

It runs beside the server, as a script that uses only the standard library (`python -I -S`),
because forking it costs a fraction of a millisecond. Linux only. The server's side is
`process/supervised.py`.
"""
