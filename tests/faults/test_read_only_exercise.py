"""An exercise folder in which nothing can be written: a check runs as an attempt does."""

import json
import shutil
import subprocess
import sys

import pytest
from cli_tools import environment

HOLD = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'


def read_only(folder, *command, **more):
    """Run a command for which a folder is read-only, or skip where that cannot be arranged."""
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", HOLD, "sh", str(folder)]
    if shutil.which("unshare") is None or subprocess.run([*words, "true"], check=False).returncode:
        pytest.skip("needs user namespaces with mounts")
    return subprocess.run(
        [*words, sys.executable, "-m", "tutor_lsp", *command],
        check=False, capture_output=True, text=True, timeout=60, **more,
    )  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize("language", ["python", "c"])
def test_a_check_says_what_an_attempt_says(cli, terminal_home, language):
    started = cli("start", "--language", language, "--json").json
    folder, env = started["workspace"], environment(terminal_home)
    check, attempt = (
        read_only(folder, verb, "--json", cwd=folder, env=env) for verb in ("check", "attempt")
    )
    assert check.returncode == attempt.returncode == 3, (check.stderr, attempt.stderr)
    tests = json.loads(check.stdout)["tests"]
    assert [each["outcome"] for each in tests] == ["todo"] * len(tests)
    report = json.loads(attempt.stdout)["report"]
    assert [each["name"] for each in report["tests"]] == [each["name"] for each in tests]
