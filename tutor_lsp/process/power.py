"""Whether the machine runs on its battery: work that nobody waits for is then not done."""

import subprocess
import sys
from pathlib import Path

SUPPLIES = Path("/sys/class/power_supply")
_PMSET = ("/usr/bin/pmset", "-g", "batt")
_PMSET_S = 2.0


def on_battery(supplies: Path = SUPPLIES, system: str = sys.platform) -> bool:
    """Whether it does now; not if that cannot be told. Blocks, for milliseconds on macOS."""
    return _by_pmset(_pmset()) if system == "darwin" else _by_supplies(supplies)


def _by_supplies(folder: Path) -> bool:
    """Linux: a battery of the machine is discharging, and nothing feeds it."""
    discharging = False
    try:
        found = sorted(folder.iterdir())
    except OSError:
        return False
    for each in found:
        if _read(each / "type") != "Battery":
            if _read(each / "online") == "1":
                return False
        elif _read(each / "scope") != "Device":  # not that of a mouse or a headset
            discharging = discharging or _read(each / "status") == "Discharging"
    return discharging


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _pmset() -> str:
    try:
        ran = subprocess.run(_PMSET, capture_output=True, text=True, timeout=_PMSET_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout


def _by_pmset(told: str) -> bool:
    """`Now drawing from 'Battery Power'` is its first line."""
    return "'Battery Power'" in told.partition("\n")[0]
