"""The list that `start` shows when nothing is asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tutor_lsp.cli.screen.out import Out, Part
from tutor_lsp.cli.screen.prompt import ask, ask_number
from tutor_lsp.cli.screen.render import how_far

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

RECOMMENDED_SHOWN = 3
CONTINUE_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """A row, and the command that it stands for; without a command it leads to more questions."""

    row: Sequence[Part]
    command: str | None = None
    argument: Mapping[str, Any] = field(default_factory=dict)
    more: str = ""


async def choose_start(app: "App", err: Out) -> tuple[str, Mapping[str, Any]] | None:
    """Command and argument that the learner chose; None if they left."""
    from tutor_lsp.tutor.commands import execute

    curriculum = await execute(app, "tutor.curriculum", [])
    sessions = await execute(app, "tutor.sessions", [])
    choices = [*_continue(sessions), *_recommended(curriculum, await _working(app))]
    choices.append(Choice(["Browse all topics"], more="browse"))
    choices.append(Choice(["Your own topic"], more="topic"))
    chosen = await _pick(err, "What would you like to do?", choices)
    if chosen is None:
        return None
    if chosen.more == "browse":
        return await _browse(err, curriculum)
    if chosen.more == "topic":
        return await _own_topic(err, curriculum["languages"])
    return (chosen.command, chosen.argument) if chosen.command is not None else None


async def _pick(
    err: Out, prompt: str, choices: Sequence[Choice], rest: str | None = None
) -> Choice | None:
    number = await ask_number(err, prompt, [choice.row for choice in choices], rest=rest)
    return choices[number] if number is not None else None


def _continue(sessions: list[dict[str, Any]]) -> list[Choice]:
    going_on = [item for item in sessions if item["continues"]]
    going_on.sort(key=lambda item: not item["active"])
    return [
        Choice(
            [
                f"Continue “{item['title']}”",
                ("dim", f"  {item['language']} · {how_far(item)}"),
            ],
            "tutor.resume",
            {"session": item["id"]},
        )
        for item in going_on[:CONTINUE_SHOWN]
    ]


async def _working(app: "App") -> list[str]:
    """Languages whose tools work here, that of the settings first."""
    found = await app.tools.working(app.taught)
    return sorted(found, key=lambda language: language != app.settings.language)


def _recommended(curriculum: dict[str, Any], languages: Sequence[str]) -> list[Choice]:
    nodes = {node["id"]: node for node in curriculum["nodes"]}
    advice = curriculum["recommended"]
    first = [(language, advice[language][0]) for language in languages if advice.get(language)]
    return [
        Choice(
            [
                f"Start {language}: {item['title']}",
                ("dim", f"  {_size(nodes.get(item['node']))} · {item['reason']}"),
            ],
            "tutor.start",
            {"language": language, "node": item["node"]},
        )
        for language, item in first[:RECOMMENDED_SHOWN]
    ]


def _size(node: dict[str, Any] | None) -> str:
    if node is None:
        return ""
    names = [f"“{node['exercises'][0]['title']}”"] if node["exercises"] else []
    minutes = [f"{node['minutes']} min"] if node["minutes"] else []
    return " · ".join([*names, node["depth"], *minutes])


async def _browse(err: Out, curriculum: dict[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    language = await _language(err, curriculum["languages"])
    if language is None:
        return None
    nodes = [
        node for node in curriculum["nodes"] if node["language"] == language and node["openable"]
    ]
    more = curriculum["withModel"][language]
    choices = [
        Choice(
            [
                node["title"],
                ("dim", f"  {_size(node)}{' · you know this' if node['claimed'] else ''}"),
            ],
            "tutor.start",
            {"language": language, "node": node["id"]},
        )
        for node in nodes
    ]
    if not choices:
        err.line(f"No topic of {language} can open without a model.")
        return None
    rest = f"{more} more with a model" if more else None
    chosen = await _pick(err, f"Topics in {language}", choices, rest)
    return ("tutor.start", chosen.argument) if chosen is not None else None


async def _own_topic(err: Out, languages: Sequence[str]) -> tuple[str, Mapping[str, Any]] | None:
    language = await _language(err, languages)
    if language is None:
        return None
    topic = await ask(err, "What would you like to learn? (in a few words)")
    return ("tutor.start", {"language": language, "topic": topic}) if topic else None


async def _language(err: Out, languages: Sequence[str]) -> str | None:
    if len(languages) == 1:
        return languages[0]
    number = await ask_number(err, "In which language?", languages)
    return languages[number] if number is not None else None
