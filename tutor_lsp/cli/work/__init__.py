"""The work of the terminal's verbs; none of it loads for help and completion."""
