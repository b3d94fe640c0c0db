"""One model call with a role: packets, prompts, policy, backends, and the runner.

Deliberately absent: writing into exercises, the store, running code, teaching rules (those belong
to the proof). Importing this package loads the standard library only.
"""
