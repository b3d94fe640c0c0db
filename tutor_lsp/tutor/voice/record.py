"""Words for the learner's record, topics, tools and files that are put back."""

from dataclasses import replace

from tutor_lsp.core.exercise.standing import Progress
from tutor_lsp.core.mend import Mend
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.core.text.plain_text import spoken
from tutor_lsp.languages.registry import name_of
from tutor_lsp.tutor.interface.learner import CurriculumInfo, Diagnosis, NodeInfo, ReportPage
from tutor_lsp.tutor.interface.results import Cancelled, PutBack, RecordRestored
from tutor_lsp.tutor.voice.voice import Voice, Words, item, joined, sentence, words

BY_ID = 'tutor.start with {"node": "ID"}'
UNDO = 'tutor.reset with {"undo": true}'
RECORD = 'tutor.restore with {"record": true}'


def curriculum(voice: Voice, result: CurriculumInfo) -> Words:
    """`tutor.curriculum`: what can open now; the rest is one row per language."""
    first = [
        voice.t("{language}: {title}", language=name_of(language), title=advice[0].title)
        for language, advice in result.recommended.items()
        if advice
    ]
    more = sum(result.with_model.values())
    return words(
        voice.t("Topics"),
        voice.t("Recommended — {topics}.", topics="; ".join(first)) if first else None,
        voice.n("{count} more with a model.", "{count} more with a model.", more) if more else None,
        body=(
            *(_language(voice, result, language) for language in result.languages),
            _libraries(voice, result),
            voice.t("Start a topic by its id: {command}", command=voice.ours(BY_ID)),
        ),
    )


def _libraries(voice: Voice, result: CurriculumInfo) -> str | None:
    """The learner's own libraries, each with what is left out and why."""
    if not result.libraries:
        return None
    lines = [f"## {voice.t('Your libraries')}", ""]
    for each in result.libraries:
        count = voice.n("{count} exercise", "{count} exercises", each.exercises)
        lines.append(item(f"`{each.path}`", count))
        lines += [item(spoken(voice.ours(said)), indent=1) for said in each.left_out]
    return "\n".join(lines)


def _language(voice: Voice, result: CurriculumInfo, language: str) -> str:
    nodes = [node for node in result.nodes if node.language == language and node.openable]
    titles = {node.id: node.title for node in result.nodes}
    lines = [f"## {name_of(language)}", "", *(node_line(voice, node, titles) for node in nodes)]
    more = result.with_model.get(language, 0)
    if more:
        lines.append(item(voice.n("{count} more with a model", "{count} more with a model", more)))
    for advice in result.recommended.get(language, ())[:1]:
        said = voice.t("Recommended: {title} ({reason})", title=advice.title, reason=advice.reason)
        lines += ["", spoken(said)]
    return "\n".join(lines)


def node_line(voice: Voice, node: NodeInfo, titles: dict[str, str]) -> str:
    """One topic with its mastery, size and what it builds on, as an item of a list."""
    marks = "●" * node.mastery + "○" * (3 - node.mastery)
    return item(marks, spoken(node.title), f"`{node.id}`", spoken(node_detail(voice, node, titles)))


def node_detail(voice: Voice, node: NodeInfo, titles: dict[str, str]) -> str:
    """Further details of a topic."""
    missing = ", ".join(titles.get(each, each) for each in node.missing_prerequisites)
    return joined(
        standing(voice, node.standing),
        voice.t("{level} of 3", level=node.mastery) if node.mastery else "",
        node.depth,
        minutes(voice, node.minutes),
        voice.t("due for review") if node.due else "",
        voice.t("you know this") if node.claimed else "",
        voice.t("your own topic") if node.own else "",
        _own_exercises(voice, node),
        "" if node.openable else voice.t("with a model"),
        voice.t("builds on {topics}: start anyway if you like", topics=missing) if missing else "",
    )


def _own_exercises(voice: Voice, node: NodeInfo) -> str:
    """The learner's own exercises on a topic; empty if there are none."""
    titles = ", ".join(f"“{each.title}”" for each in node.exercises if each.folder)
    return voice.t("your own exercises: {titles}", titles=titles) if titles else ""


def standing(voice: Voice, text: str) -> str:
    """A topic's progress; empty if it is not begun."""
    return "" if text == Progress.NOT_BEGUN else voice.ours(text)


def minutes(voice: Voice, count: int | None) -> str:
    """About how long something takes; empty if unknown."""
    return voice.t("{count} min", count=count) if count else ""


def claim(voice: Voice, result: NodeInfo) -> Words:
    """`tutor.claim`."""
    said = (
        voice.t("“{title}” is marked as known.", title=result.title)
        if result.claimed
        else voice.t("“{title}” is no longer marked as known.", title=result.title)
    )
    # What it builds on no longer matters, and here only the ids of that are known.
    detail = node_detail(voice, replace(result, missing_prerequisites=()), {})
    return words(result.title, said, body=(spoken(said), result.summary, detail))


def report(voice: Voice, result: ReportPage) -> Words:
    """`tutor.report`."""
    said = voice.t("Your progress: {path}", path=result.path)
    return words(voice.t("Learning report"), said, body=(f"`{result.path}`",))


def doctor(voice: Voice, result: Diagnosis) -> Words:
    """`tutor.doctor`."""
    broken = [tool for tool in result.tools if not tool.works and not tool.optional]
    fine = voice.t("Everything works.") if not broken and not result.problems else None
    does_not = voice.t("does not work")
    short = [
        f"{tool.name}: {sentence(voice.ours(tool.remedy or '') or does_not)}" for tool in broken
    ]
    problems = [voice.ours(problem) for problem in result.problems]
    about = joined(
        voice.t("Home: `{home}`", home=result.home),
        voice.n("{count} exercise", "{count} exercises", result.exercises),
        voice.n("{count} session so far", "{count} sessions so far", result.sessions),
        voice.t("Python: `{path}`", path=result.executable),
    )
    return words(
        voice.t("What works here"),
        fine,
        *short,
        *problems,
        body=(
            fine,
            "\n".join(_tool(voice, tool) for tool in result.tools),
            "\n".join(item("!", spoken(problem)) for problem in problems),
            _to_mend(voice, result),
            about,
        ),
    )


def _to_mend(voice: Voice, result: Diagnosis) -> str | None:
    """What can be done, with numbers that clients take as keys."""
    ways = [_way(voice, result, each.mend) for each in result.remedies]
    rows = "\n".join(f"{number}. {way}" for number, way in enumerate(ways, 1))
    return f"{voice.t('What you can do:')}\n\n{rows}" if ways else None


def _way(voice: Voice, result: Diagnosis, mend: Mend) -> str:
    if mend.command is not None:
        typed = voice.commands.command(mend.command, mend.argument)
        return voice.t("Run {command}.", command=typed)
    if mend.line is not None:
        return voice.t("Type `{line}` in a terminal.", line=mend.line)
    if mend.setting == "home":
        return voice.t("Name another folder in tutor.home.")
    if mend.setting is not None:
        config = f"{result.home}/config.toml"
        return voice.t("Set `{key}`, for example in `{file}`.", key=mend.setting, file=config)
    return voice.t("Open {place}.", place=mend.url or f"`{mend.file}`")


def _tool(voice: Voice, tool: ToolStatus) -> str:
    version = tool.version or ("" if tool.found else voice.t("not found"))
    if tool.optional and not tool.works:
        line = item("○", tool.name, joined(version, voice.t("optional")))
    else:
        line = item("✓" if tool.works else "✗", tool.name, version)
    if tool.works or not tool.remedy:
        return line
    return f"{line}\n{item(spoken(voice.ours(tool.remedy)), indent=1)}"


def put_back(voice: Voice, result: PutBack | RecordRestored) -> Words:
    """`tutor.reset` and `tutor.restore`."""
    if isinstance(result, RecordRestored):
        return brought_back(voice, result)
    files = ", ".join(result.files)
    if result.redone and files:
        return words(
            voice.t("Undo taken back"),
            voice.t(
                "There is nothing more to undo, so the last undo is taken back: {files}.",
                files=files,
            ),
            voice.t("{command} undoes it again.", command=voice.ours(UNDO)),
        )
    if result.undone:
        said = (
            voice.t("Brought back: {files}.", files=files)
            if files
            else voice.t("Everything is already there: nothing had to be brought back.")
        )
        return words(voice.t("Brought back"), said)
    title = voice.t("Put back")
    if not files:
        return words(title, voice.t("Everything is as it was given: nothing changed."))
    kept = older = None
    undo = voice.ours(UNDO)
    if len(result.kept) > len(result.older):
        kept = voice.t("Your text is kept: {command} brings it back.", command=undo)
    if result.older:
        older = voice.n(
            "{files} had been deleted: its last known text is kept, and {command} brings it back.",
            "{files} had been deleted: their last known texts are kept, and {command} brings them "
            "back.",
            len(result.older),
            command=undo,
            files=", ".join(result.older),
        )
    return words(title, voice.t("Put back as given: {files}.", files=files), kept, older)


def brought_back(voice: Voice, result: RecordRestored) -> Words:
    """A restored record."""
    title = voice.t("Your record")
    if result.dismissed:
        return words(
            title,
            voice.t(
                "You continue without it and will not be reminded. Until there are seven newer "
                "backups, {command} can still restore it.",
                command=voice.ours(RECORD),
            ),
        )
    backup = adopted = None
    if result.backup is not None:
        counts = (
            voice.n("{count} session", "{count} sessions", result.sessions),
            voice.n("{count} topic", "{count} topics", result.topics),
            voice.n("{count} event", "{count} events", result.events),
        )
        numbers = (result.sessions, result.topics, result.events)
        named = [said for said, count in zip(counts, numbers, strict=True) if count]
        what = ", ".join(named) or voice.t("nothing that was missing here")
        backup = voice.t(
            "Brought back from the backup of {day}: {what}. The previous record is kept as {path}.",
            day=result.backup,
            what=what,
            path=result.aside,
        )
    if result.adopted:
        adopted = voice.n(
            "Listed again from its folder: {count} exercise, with your texts; attempts and hints "
            "start over.",
            "Listed again from their folders: {count} exercises, with your texts; attempts and "
            "hints start over.",
            result.adopted,
        )
    return words(title, backup, adopted)


def cancel(voice: Voice, result: Cancelled) -> Words:
    """`tutor.cancel`."""
    if result.cancelled:
        return words(voice.t("Cancelled"), voice.t("Cancelled."))
    return words(
        voice.t("Nothing to cancel"),
        voice.t(
            "Nothing is running here. Work that another editor or terminal started is cancelled "
            "there."
        ),
    )
