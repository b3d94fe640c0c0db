"""The lists that the stand-in for the server has to choose from."""

from fake_exercise import ROOT, SESSION, TOPICS


def row(kind, label, detail, group, command, **argument):
    keys = ("kind", "label", "detail", "group", "command", "argument")
    return dict(zip(keys, (kind, label, detail, group, f"tutor.{command}", argument), strict=True))


def topic(language, node, title, detail, group):
    return row("topic", title, detail, group, "start", language=language, node=node)


def start_rows(_argument):
    going_on = row("session", "Continue: Words", "0 of 2", "Continue", "resume", session=SESSION)
    return [
        *([going_on] if ROOT.exists() else []),
        topic("python", "python-strings", "Strings", "10 min · due for review", "Recommended"),
        row("list", "Browse all topics", "", "More", "choices", list="topics"),
        row("list", "Your own topic", "", "More", "choices", list="own"),
    ]


def topic_rows(argument):
    if "language" not in argument:
        return [
            row("language", name, "", "Languages", "choices", list="topics", language=name)
            for name in ("python", "rust")
        ]
    return [topic(*each) for each in TOPICS if each[0] == argument["language"]]


def session_rows(_argument):
    rows = [
        row("session", "Old", "its folder is gone", "Sessions", "start", node="rust-ownership"),
        row("session", "Words", "in use", "Sessions", "resume", session=SESSION),
    ]
    return rows if ROOT.exists() else []


def own_rows(_argument):
    return [
        row("ask", name, "Which?", "Your own topic", "start", language=name, topic="")
        for name in ("python", "rust")
    ]


def choices(argument):
    lists = {"start": start_rows, "topics": topic_rows, "sessions": session_rows, "own": own_rows}
    return lists[argument["list"]](argument)
