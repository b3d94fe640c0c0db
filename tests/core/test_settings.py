"""Four sources, one set of settings; what is wrong is told and the rest kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.settings import Settings, describe, resolve

DEFAULTS = Settings()
HOME = {"HOME": "/home/me"}


def settings(config=None, environment=None, client=None):
    return resolve(DEFAULTS, config, {**HOME, **(environment or {})}, client)


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
        ("OPENAI_BASE_URL", "http://x", "openai_base_url", "http://x"),
        ("CODEX_COMMAND", "codex-next", "codex_command", "codex-next"),
        ("CODEX_COMMAND", "~/bin/codex", "codex_command", "/home/me/bin/codex"),
        ("PYTHON_INTERPRETER", "/usr/bin/python3", "python_interpreter", "/usr/bin/python3"),
    ],
)
def test_every_variable_is_read_in_its_own_type(name, text, field, value):
    found, problems = settings(environment={f"TUTOR_LSP_{name}": text})
    assert (getattr(found, field), problems) == (value, [])


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"runOnSave": "maybe"}, "`runOnSave` must be true or false, not 'maybe'; it is left out."),
        ({"runOnSave": 1}, "`runOnSave` must be true or false, not 1; it is left out."),
        (
            {"debounceMs": 101},
            "`debounceMs` must lie between 0 and 100, not be 101; it is left out.",
        ),
        ({"debounceMs": 1.5}, "`debounceMs` must be a whole number, not 1.5; it is left out."),
        ({"debounceMs": True}, "`debounceMs` must be a whole number, not True; it is left out."),
        (
            {"limits": {"runSeconds": float("nan")}},
            "`limits.runSeconds` must be a number, not nan; it is left out.",
        ),
        (
            {"buildErrors": "no"},
            "`buildErrors` must be one of always, never, not 'no'; it is left out.",
        ),
        ({"backend": ["codex"]}, "`backend` must be a text, not ['codex']; it is left out."),
        (
            {"libraries": ["mine"]},
            "`libraries` must be an absolute path, not 'mine'; it is left out.",
        ),
        (
            {"libraries": "mine", "runonsave": False},
            "`libraries` must be an absolute path, not 'mine'; it is left out.",
        ),
        ({"runonsave": False}, "`runonsave` is no setting; did you mean `runOnSave`?"),
        ({"xyz": 1}, "`xyz` is no setting."),
        ({"home": "/x"}, "`home` is where this file lies; set it elsewhere."),
        ({"openai": "x"}, "`openai` is no setting; did you mean `openai.baseUrl`?"),
    ],
)
def test_a_wrong_value_is_told_in_plain_words_and_the_rest_kept(config, problem):
    found, problems = settings({**config, "plain": True})
    assert problems[0] == f"config.toml: {problem}"
    assert found.plain
    kept = {info.name for info in describe() if info.name not in {"plain", "home"}}
    assert all(getattr(found, name) == getattr(DEFAULTS, name) for name in kept)


LANGUAGES = ("rust", "python", "c")


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
    assert problem.endswith("` must be one of rust, python, c, not 'cobol'; it is left out.")
    assert found.language is None
    assert resolve(DEFAULTS, {"language": "c"}, {}, {}, LANGUAGES)[0].language == "c"


def test_a_relative_home_is_not_taken():
    found, problems = settings(environment={"TUTOR_LSP_HOME": "exercises"})
    assert found.home == "/home/me/tutor-lsp"
    assert problems == [
        "environment: `TUTOR_LSP_HOME` must be an absolute path, not 'exercises'; it is left out."
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
        "environment: `TUTOR_LSP_RUN_ON_SAV` is no setting; TUTOR_LSP_RUN_ON_SAVE is."
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
keys = st.sampled_from([info.key for info in describe()]) | st.text(max_size=8)


@given(
    st.dictionaries(keys, json_values),
    st.dictionaries(st.sampled_from([info.environment for info in describe()]), st.text()),
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
    infos = describe()
    assert len({info.key for info in infos}) == len({info.environment for info in infos})
    assert {info.name for info in infos} == set(Settings.__dataclass_fields__)
    assert all(info.description.endswith(".") for info in infos)
    by_key = {info.key: info for info in infos}
    assert by_key["openai.baseUrl"].environment == "TUTOR_LSP_OPENAI_BASE_URL"
    assert by_key["runOnSave"].environment == "TUTOR_LSP_RUN_ON_SAVE"
    assert by_key["debounceMs"].bounds == (0, 100)
    assert all(len(info.meanings) == len(info.choices) for info in infos)


def test_what_is_for_tests_is_taken_but_not_offered():
    backend = next(info for info in describe() if info.key == "backend")
    hidden = [
        choice for choice, is_ in zip(backend.choices, backend.meanings, strict=True) if not is_
    ]
    assert hidden == ["scripted"]
    found, problems = resolve(Settings(), None, {}, {"backend": "scripted"})
    assert (found.backend, problems) == ("scripted", [])
