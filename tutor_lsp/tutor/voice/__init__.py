"""The wording of every result and list, in one place, for all clients.

Pure functions of the results in `tutor.interface`. Texts go through `Voice.t` and `Voice.n`, so
that a translation is one file. Commands are named `tutor.check` here and become what is typed in
the client on the way out (`command_form`). Deliberately absent: where and how something is shown.
"""
