"""Results of commands and notifications: one dataclass each, with its fields described.

`docs/interface.md` and the types of the VS Code extension are generated from these.
Deliberately absent: words (`tutor.voice`) and the work itself. On the wire, names are camelCase.
"""
