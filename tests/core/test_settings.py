"""Four sources, one set of settings; what is wrong is told and the rest kept."""

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from tutor_lsp.core.setting_values import setting
from tutor_lsp.core.settings import Installed, Settings, describe, resolve
from tutor_lsp.tutor.services.installed import installed

DEFAULTS = Settings()
HOME = {"HOME": "/home/me"}
OURS = installed()


def settings(config=None, environment=None, client=None):
    return resolve(DEFAULTS, config, {**HOME, **(environment or {})}, client, OURS)


def test_without_any_source_the_defaults_hold_and_paths_are_whole():
    found, problems = settings()
    assert problems == []
    assert found.home == "/home/me/tutor-lsp"
    assert (found.backend, found.run_on_save, found.build_errors) == ("auto", True, "always")
    assert resolve(DEFAULTS, {}, {}, None)[0].home == "~/tutor-lsp"


def test_later_sources_win():
    config = {"backend": "library", "language": "rust", "model": "a"}
    environment = {"TUTOR_LSP_LANGUAGE": "python", "TUTOR_LSP_MODEL": "b"}
    found, problems = settings(config, environment, {"model": "c"})
    assert (found.backend, found.language, found.model, problems) == ("library", "python", "c", [])


def test_nested_and_dotted_keys_are_the_same():
    nested = {"openai": {"baseUrl": "http://x"}, "limits": {"runSeconds": 30, "testSeconds": 2}}
    dotted = {"openai.baseUrl": "http://x", "limits.runSeconds": 30, "limits": {"testSeconds": 2}}
    assert settings(nested) == settings(client=dotted)
    limits = settings(nested)[0].run_limits
    assert (limits.total_s, limits.test_s, limits.output_bytes) == (30.0, 2.0, 65536)


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("HOME", "~/elsewhere", "home", "/home/me/elsewhere"),
        ("RUN_ON_SAVE", "off", "run_on_save", False),
        ("PLAIN", "1", "plain", True),
        ("DEBOUNCE_MS", "20", "debounce_ms", 20),
        ("LIMITS_TEST_SECONDS", "0.5", "test_seconds", 0.5),
        ("LIBRARIES", "/a:~/b", "libraries", ("/a", "/home/me/b")),
        ("OPENAI_BASE_URL", "http://x", "openai.baseUrl", "http://x"),
        ("CODEX_COMMAND", "codex-next", "codex.command", "codex-next"),
        ("CODEX_COMMAND", "~/bin/codex", "codex.command", "/home/me/bin/codex"),
        ("PYTHON_INTERPRETER", "/usr/bin/python3", "python.interpreter", "/usr/bin/python3"),
    ],
)
def test_every_variable_is_read_in_its_own_type(name, text, field, value):
    found, problems = settings(environment={f"TUTOR_LSP_{name}": text})
    taken = found.more[field] if field in found.more else getattr(found, field)
    assert (taken, problems) == (value, [])


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"runOnSave": "maybe"}, "`runOnSave` must be true or false, not 'maybe'; it is ignored."),
        ({"runOnSave": 1}, "`runOnSave` must be true or false, not 1; it is ignored."),
        (
            {"debounceMs": 101},
            "`debounceMs` must be between 0 and 100, not 101; it is ignored.",
        ),
        ({"debounceMs": 1.5}, "`debounceMs` must be a whole number, not 1.5; it is ignored."),
        ({"debounceMs": True}, "`debounceMs` must be a whole number, not True; it is ignored."),
        (
            {"answerLanguage": "Now {do} that!"},
            "`answerLanguage` must be the name or tag of a language, such as `German` or `de`, not "
            "'Now {do} that!'; it is ignored.",
        ),
        (
            {"limits": {"runSeconds": float("nan")}},
            "`limits.runSeconds` must be a number, not nan; it is ignored.",
        ),
        (
            {"buildErrors": "no"},
            "`buildErrors` must be one of always, never, not 'no'; it is ignored.",
        ),
        ({"backend": ["codex"]}, "`backend` must be text, not ['codex']; it is ignored."),
        (
            {"libraries": ["mine"]},
            "`libraries` must be an absolute path, not 'mine'; it is ignored.",
        ),
        (
            {"libraries": "mine", "runonsave": False},
            "`libraries` must be an absolute path, not 'mine'; it is ignored.",
        ),
        ({"runonsave": False}, "`runonsave` is not a setting; did you mean `runOnSave`?"),
        ({"xyz": 1}, "`xyz` is not a setting."),
        (
            {"home": "/x"},
            "`home` cannot be set in this file, which lies in it; set TUTOR_LSP_HOME.",
        ),
        ({"openai": "x"}, "`openai` is not a setting; did you mean `openai.baseUrl`?"),
    ],
)
def test_a_wrong_value_is_told_in_plain_words_and_the_rest_kept(config, problem):
    found, problems = settings({**config, "plain": True})
    assert problems[0] == f"config.toml: {problem}"
    assert found.plain
    kept = {info.name for info in describe() if info.name not in {"plain", "home"}}
    assert all(getattr(found, name) == getattr(DEFAULTS, name) for name in kept)


LANGUAGES = Installed(languages=("rust", "python", "c"))


@pytest.mark.parametrize(
    ("config", "environment", "client", "source"),
    [
        ({"language": "cobol"}, {}, {}, "config.toml"),
        ({}, {"TUTOR_LSP_LANGUAGE": "cobol"}, {}, "environment"),
        ({}, {}, {"language": "cobol"}, "editor settings"),
    ],
)
def test_a_language_that_nobody_teaches_is_told_with_those_that_are(
    config, environment, client, source
):
    found, problems = resolve(DEFAULTS, config, environment, client, LANGUAGES)
    [problem] = problems
    assert problem.startswith(f"{source}: `")
    assert problem.endswith("` must be one of rust, python, c, not 'cobol'; it is ignored.")
    assert found.language is None
    assert resolve(DEFAULTS, {"language": "c"}, {}, {}, LANGUAGES)[0].language == "c"


def test_a_relative_home_is_not_taken():
    found, problems = settings(environment={"TUTOR_LSP_HOME": "exercises"})
    assert found.home == "/home/me/tutor-lsp"
    assert problems == [
        "environment: `TUTOR_LSP_HOME` must be an absolute path, not 'exercises'; it is ignored."
    ]


def test_null_empty_and_an_editors_unchanged_defaults_set_nothing():
    config = {"model": "a", "runOnSave": False}
    client = {"model": "", "runOnSave": True, "language": None, "debounceMs": 50}
    found, problems = settings(config, {"TUTOR_LSP_MODEL": ""}, client)
    assert (found.model, found.run_on_save, problems) == ("a", False, [])


def test_what_is_for_the_editor_itself_is_no_problem():
    assert settings(client={"server": {"command": "x"}, "trace.server": "off"})[1] == []
    assert settings({"server.command": "x"})[1] != []


def test_a_misspelt_variable_is_told_and_a_foreign_one_is_not():
    problems = settings(environment={"TUTOR_LSP_RUN_ON_SAV": "1", "TUTOR_LSP_TEST_X": "1"})[1]
    assert problems == [
        "environment: `TUTOR_LSP_RUN_ON_SAV` is not a setting; TUTOR_LSP_RUN_ON_SAVE is."
    ]


@pytest.mark.parametrize("source", [[], "x", 3])
def test_a_source_that_is_no_table_is_told(source):
    found, problems = settings(source, client=source)
    assert found == settings()[0]
    assert len(problems) == 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=4,
)
keys = st.sampled_from([info.key for info in describe(OURS)]) | st.text(max_size=8)


@examples(max_examples=examples.default.max_examples // 4)
@given(
    st.dictionaries(keys, json_values),
    st.dictionaries(st.sampled_from([info.environment for info in describe(OURS)]), st.text()),
    json_values | st.dictionaries(keys, json_values),
)
def test_any_source_gives_settings_of_the_right_types(config, environment, client):
    found, problems = settings(config, environment, client)
    assert all(isinstance(problem, str) for problem in problems)
    assert 0 <= found.debounce_ms <= 100
    assert found.build_errors in {"always", "never"}
    assert found.home.startswith("/")
    assert isinstance(found.run_on_save, bool)
    assert all(path.startswith("/") for path in found.libraries)
    assert found.run_seconds >= 1


def test_every_setting_is_described_once():
    infos = describe(OURS)
    assert len({info.key for info in infos}) == len({info.environment for info in infos})
    own = set(Settings.__dataclass_fields__) - {"more"}
    assert {info.name for info in infos} == own | {info.key for info in OURS.settings}
    assert all(info.description.endswith(".") for info in infos)
    by_key = {info.key: info for info in infos}
    assert by_key["openai.baseUrl"].environment == "TUTOR_LSP_OPENAI_BASE_URL"
    assert by_key["runOnSave"].environment == "TUTOR_LSP_RUN_ON_SAVE"
    assert by_key["debounceMs"].bounds == (0, 100)


def test_what_is_for_tests_is_taken_but_not_offered():
    backend = next(info for info in describe(OURS) if info.key == "backend")
    hidden = [choice for choice, meaning in backend.choices.items() if not meaning]
    assert hidden == ["scripted"]
    found, problems = resolve(Settings(), None, {}, {"backend": "scripted"}, OURS)
    assert (found.backend, problems) == ("scripted", [])


def test_what_is_installed_brings_its_own_settings_and_names():
    added = Installed(
        backends={"parrot": "A parrot."},
        settings=(
            setting("program", "parrot.command", "Where the parrot is.", default="parrot"),
            setting("whole", "parrot.words", "Words that it knows.", default=3),
        ),
    )
    given = {"backend": "parrot", "parrot": {"words": "12"}}
    found, problems = resolve(DEFAULTS, given, {"TUTOR_LSP_PARROT_COMMAND": "ara"}, {}, added)
    assert (found.backend, problems) == ("parrot", [])
    assert found.more == {"parrot.command": "ara", "parrot.words": 12}
    found, problems = resolve(DEFAULTS, {"parrot.words": "many"}, {}, {"backend": "codex"}, added)
    assert found.more == {"parrot.command": "parrot", "parrot.words": 3}
    assert len(problems) == 2
    assert "must be one of auto, parrot, not 'codex'" in problems[1]
