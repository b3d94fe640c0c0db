"""On battery or not, from folders as Linux has them and from what macOS says."""

import pytest

from tutor_lsp.process.power import _by_pmset, on_battery

MAINS = {"type": "Mains", "online": "1"}
UNPLUGGED = {"type": "Mains", "online": "0"}
USB_C = {"type": "USB", "online": "1"}
FULL = {"type": "Battery", "status": "Full"}
DRAINING = {"type": "Battery", "status": "Discharging", "scope": "System"}
MOUSE = {"type": "Battery", "status": "Discharging", "scope": "Device"}


@pytest.mark.parametrize(
    ("supplies", "expected"),
    [
        ([], False),
        ([MAINS], False),
        ([MAINS, FULL], False),
        ([UNPLUGGED, DRAINING], True),
        ([DRAINING], True),
        ([DRAINING, FULL], True),
        ([UNPLUGGED, DRAINING, USB_C], False),
        ([MAINS, DRAINING], False),
        ([MOUSE], False),
        ([UNPLUGGED, MOUSE], False),
        ([{}], False),
    ],
)
def test_what_linux_tells(tmp_path, supplies, expected):
    for number, supply in enumerate(supplies):
        folder = tmp_path / f"supply{number}"
        folder.mkdir()
        for name, value in supply.items():
            (folder / name).write_text(f"{value}\n")
    assert on_battery(tmp_path, "linux") is expected


def test_a_machine_that_tells_nothing_is_not_on_battery(tmp_path):
    assert not on_battery(tmp_path / "none", "linux")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("Now drawing from 'Battery Power'\n -InternalBattery-0 80%; discharging\n", True),
        ("Now drawing from 'AC Power'\n -InternalBattery-0 80%; charging\n", False),
        ("", False),
    ],
)
def test_what_macos_tells(told, expected):
    assert _by_pmset(told) is expected
