"""A process that has done a verb, stays for a while, and forks for each of the next ones.

What is loaded in it need not be loaded again, which takes most of the time of a short verb. Each
fork gets the caller's own streams, folder and environment, so that nothing of what it does differs
from a process of its own. Linux only. Deliberately absent: what the verbs do.
"""
