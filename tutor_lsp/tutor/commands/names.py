"""The list of commands. Registration and the terminal's verbs derive from it; what each does
is in `dispatch.py`, so that code that needs only names and titles loads no use case.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A command's name, and its title where commands are listed."""

    name: str
    title: str


COMMANDS = (
    Command("tutor.start", "Start an exercise"),
    Command("tutor.next", "Finish this exercise and start the next"),
    Command("tutor.open", "Open lesson, stub, test or hints"),
    Command("tutor.check", "Run the tests"),
    Command("tutor.attempt", "Run all tests, count it, and get a review"),
    Command("tutor.hint", "Get the next hint"),
    Command("tutor.ask", "Ask a question about your code"),
    Command("tutor.reveal", "Show the solution of one unit"),
    Command("tutor.compare", "Compare a passed unit with the reference"),
    Command("tutor.review", "Show the last review"),
    Command("tutor.status", "Show session, units, jobs and backend"),
    Command("tutor.sessions", "List sessions"),
    Command("tutor.choices", "Show a list to choose from"),
    Command("tutor.resume", "Resume a session"),
    Command("tutor.end", "End the session"),
    Command("tutor.curriculum", "Show topics and what comes next"),
    Command("tutor.claim", "Mark a topic as known"),
    Command("tutor.cancel", "Cancel the running task"),
    Command("tutor.reset", "Reset stubs, or undo the last reset"),
    Command("tutor.restore", "Restore edited tests and lesson"),
    Command("tutor.report", "Write the learning report"),
    Command("tutor.doctor", "Check the tools"),
)
BY_NAME = {command.name: command for command in COMMANDS}
