"""The profile for macOS, as text: no macOS is needed to see what it allows."""

from tutor_lsp.process.box import Area
from tutor_lsp.process.containment.seatbelt import confined, profile


def test_it_denies_first_and_allows_the_area_last(tmp_path):
    area = Area(tmp_path / "work", tmp_path / "scratch", outputs=(tmp_path / "log",))
    lines = profile(area, ("/Users/me/.ssh", "/Users/me/tutor"), ("/Users/me/tutor/venv",))
    lines = lines.split("\n")
    assert lines[:3] == ["(version 1)", "(allow default)", "(deny network*)"]
    hides = lines.index('(deny file-read* (subpath "/Users/me/.ssh") (subpath "/Users/me/tutor"))')
    shows = next(n for n, line in enumerate(lines) if line.startswith("(allow file-read* (subpath"))
    assert lines.index("(deny file-write*)") < hides < shows < len(lines) - 1
    assert lines[-1] == (
        f'(allow file-read* file-write* (subpath "{tmp_path}/work")'
        f' (subpath "{tmp_path}/scratch") (subpath "{tmp_path}/log"))'
    )


def test_a_build_writes_to_its_folder_alone(tmp_path):
    area = Area(tmp_path, writable=(tmp_path / "build",), copied=False)
    line = confined("sandbox-exec", ("cc", "-c"), area, (), ())
    assert line[:2] == ("sandbox-exec", "-p")
    assert line[3:] == ("cc", "-c")
    assert f'file-write* (subpath "{tmp_path}/build"))' in line[2]
    assert f'file-write* (subpath "{tmp_path}")' not in line[2]
    assert (tmp_path / "build").is_dir()


def test_a_path_cannot_end_its_string(tmp_path):
    hidden = ('/a"b\\c',)
    assert '(subpath "/a\\"b\\\\c")' in profile(Area(tmp_path), hidden, ())
