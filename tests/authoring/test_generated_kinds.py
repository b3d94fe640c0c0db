"""Set-ups by a model whose plan has units that ask for a declaration."""

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.authoring.request import AuthoringDeps
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import Library
from tutor_lsp.stages.backends.library import LibraryBackend
from tutor_lsp.stages.runner import Runner
from tutor_lsp.stages.subject import NodeBrief

TOOLS = toolchains()
OWN = "src/exercise/reading.py"


class Author(LibraryBackend):
    """Answers as a model that plans, writes and solves the one exercise of a library. It promises
    inputs for every unit, though there are none for a declaration."""

    name, is_model, needs_prompt = "scripted", True, True

    def _payload(self, request):
        payload = super()._payload(request)
        for unit in payload.get("units", ()):
            unit["practises"] = None
        if payload.get("accepts"):
            last = payload["accepts"][-1]
            payload["accepts"] = [*payload["accepts"], {**last, "unit_id": "ex-4"}]
        return payload


async def made(tmp_path, language, author):
    """The new exercise of a language with a declaration, as that author makes it."""
    folder = tmp_path / f"{language}-weather-notes"
    new_exercise(folder, language, kinds=[UnitKind.DECLARE])
    library = Library([folder])
    (entry,) = library.entries()
    deps = AuthoringDeps(Runner(lambda _: None), author(library), TOOLS[language], library)
    request = kit.request(
        language=language, depth=entry.depth, node=NodeBrief(entry.node, "Weather", "Notes.")
    )
    return await set_up(request, deps, kit.Told())


@pytest.mark.long(
    "proves an exercise; that of all kinds in test_mixed.py stands for it in the fast run"
)
@pytest.mark.first(1)
@pytest.mark.parametrize(
    "language",
    ["python", pytest.param("rust", marks=pytest.mark.cargo), "c"],
)
async def test_an_exercise_with_a_declaration_is_made_and_proven(language, tmp_path):
    proven = await made(tmp_path, language, Author)
    assert [unit.kind.value for unit in proven.exercise.units] == ["body"] * 3 + ["declare"]
    assert proven.exercise.proof.ok
    assert proven.exercise.proof.repairs == 0
    assert proven.exercise.proof.codes["ex-4"]
    assert "ex-4" not in proven.vault.accepts


class Hasty(Author):
    """Declares in the starter what the learner is to declare, at first."""

    hasty = True

    def _payload(self, request):
        payload = super()._payload(request)
        (exercise,) = self._loaded.values()
        file = payload.get("file_path")
        if request.role is Role.STARTER and file == OWN and self.hasty:
            self.hasty = False
            payload["content"] = exercise.solution[OWN]
        return payload


@pytest.mark.long("makes and repairs an exercise")
async def test_a_starter_that_declares_it_already_is_repaired(tmp_path):
    proven = await made(tmp_path, "python", Hasty)
    assert proven.exercise.proof.repairs == 1
    assert "class Reading" not in proven.files[OWN]
