"""The bundled library's signatures: `python -m tutor_lsp.authoring.signatures.library --write`.

They are in `library/signatures.json`, by content as the proofs are, and shipped. Those of content
that is there already are kept; `--only` makes the ones of these exercises anew.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.content import bundled_hash
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.signatures.making import signatures_for
from tutor_lsp.core.exercise.signatures import Signatures
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.entry import Entry
from tutor_lsp.library.loader import BUNDLED, BundledExercise, Library
from tutor_lsp.stages.backends.library import planned_units
from tutor_lsp.wire import to_wire

RECORDS = "signatures.json"


def candidate_of(exercise: BundledExercise, toolchain: Toolchain) -> Candidate:
    """An exercise of a library as one to be proven."""
    units = build_index(exercise.files, planned_units(exercise.entry), toolchain, strict=True).units
    return Candidate(
        exercise.entry.language,
        exercise.files,
        toolchain.complete(exercise.files),
        exercise.solution,
        units,
        exercise.accepts,
        exercise.mistakes,
        exercise.programs,
    )


def read_records(root: Path) -> dict[str, Any]:
    """The existing records, by content hash; empty if there are none."""
    try:
        records: dict[str, Any] = json.loads((root / RECORDS).read_text("utf-8"))["signatures"]
    except FileNotFoundError:
        return {}
    return records


def record_of(entry: Entry, found: Mapping[str, Signatures]) -> dict[str, Any]:
    """What is kept of one exercise."""
    units = to_wire(found)
    for each in units.values():
        each["inputs"] = [{k: v for k, v in i.items() if v} for i in each["inputs"]]
    return {"exercise": entry.id, "units": units}


def records_text(records: Mapping[str, Any]) -> str:
    """The file, a line for each unit, so that what changes is seen."""
    lines = []
    for key, record in sorted(records.items(), key=lambda each: each[1]["exercise"]):
        units = ",\n".join(
            f"    {json.dumps(unit)}: {json.dumps(each, ensure_ascii=False, sort_keys=True)}"
            for unit, each in sorted(record["units"].items())
        )
        head = f'  {json.dumps(key)}: {{"exercise": {json.dumps(record["exercise"])}, "units": {{'
        lines.append(f"{head}\n{units}\n  }}}}" if units else f"{head}}}}}")
    return '{"format": 1, "signatures": {\n' + ",\n".join(lines) + "\n}}\n"


async def _make(entries: Sequence[Entry], library: Library) -> dict[str, Any]:
    found: dict[str, Any] = {}
    tools = toolchains()
    for entry in entries:
        exercise, toolchain = library.load(entry), tools[entry.language]
        candidate = await asyncio.to_thread(candidate_of, exercise, toolchain)
        made = await signatures_for(candidate, toolchain)
        found[bundled_hash(exercise)] = record_of(entry, made)
        sys.stdout.write(f"{entry.id}: {len(made)} of {len(entry.units)} units\n")
        sys.stdout.flush()
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 if every exercise with known mistakes has its record."""
    parser = argparse.ArgumentParser(prog="signatures", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write library/{RECORDS}")
    parser.add_argument("--only", nargs="*", default=[], help="exercise ids, made anew")
    chosen = parser.parse_args(arguments)
    library = Library([BUNDLED])
    hashes = {entry.id: bundled_hash(library.load(entry)) for entry in library.entries()}
    records = read_records(BUNDLED)
    known = {key: record for key, record in records.items() if key in hashes.values()}
    asked = [
        entry
        for entry in library.entries()
        if (entry.id in chosen.only if chosen.only else hashes[entry.id] not in known)
    ]
    if chosen.write:
        known |= asyncio.run(_make(asked, library))
        (BUNDLED / RECORDS).write_text(records_text(known), "utf-8")
    missing = [e.id for e in library.entries() if hashes[e.id] not in known]
    missing = [each for each in missing if not chosen.only or each in chosen.only]
    sys.stdout.write("".join(f"{each} has no signatures\n" for each in missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
