"""The programs of a lesson, built as one."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence

from tutor_lsp.core.language.dialect import Bench, Ended, Tried
from tutor_lsp.languages.common.proof.dialect import run_block
from tutor_lsp.languages.common.proof.placing import put_files

Build = Callable[[Sequence[str], str], Awaitable[Ended]]
"""Compiles files of a folder of the bench, both named, to the program `block`."""
FOLDER = "blocks"
_CHOICE = "TUTOR_BLOCK"
_ALONE = re.compile(
    r"#!\[|\b(?:crate|super)\s*::|\bmacro_export\b|\bno_mangle\b|\bexport_name\b"
    r"|\bglobal_allocator\b|\bextern\s+crate\b|\bmod\s+\w+\s*;|#\[\s*path\b|\binclude\w*!"
    r"|\btype_name\w*|\bmodule_path!|\bfile!|\bLocation\b|\benv\s*::|\bargs\b|\bpanic_hook\b"
)
"""What may tell a module from a crate, or one program from another."""
_MAIN = "\npub fn tutor_main() -> std::process::ExitCode {{\n    {}\n}}\n"
_REPORT = _MAIN.format("std::process::Termination::report(main())")


def joined(programs: dict[int, str]) -> dict[str, str]:
    """The files of one program that is each of these, by what a variable says; each is a module,
    where its lines are where they were."""
    files = {f"block_{number}.rs": f"{code}\n{_REPORT}" for number, code in programs.items()}
    modules = "".join(f"mod block_{number};\n" for number in programs)
    cases = "".join(
        f'        Ok("{number}") => block_{number}::tutor_main(),\n' for number in programs
    )
    main = (
        f"#![allow(warnings)]\n{modules}fn main() -> std::process::ExitCode {{\n"
        f'    match std::env::var("{_CHOICE}").as_deref() {{\n{cases}'
        "        _ => std::process::ExitCode::FAILURE,\n    }\n}\n"
    )
    return {**files, "blocks.rs": main}


async def ended_well(
    blocks: Sequence[str], programs: Sequence[int], build: Build, bench: Bench
) -> dict[int, Tried]:
    """What came of those blocks that are programs and end well, by their numbers; whatever else
    there is to say takes a build of its own."""
    chosen = {number: blocks[number] for number in programs if not _ALONE.search(blocks[number])}
    if len(chosen) < 2:
        return {}
    folder = bench.folder / FOLDER
    await put_files(folder, joined(chosen))
    if (await build(["blocks.rs"], FOLDER)).returncode != 0:
        return {}
    program = (str(folder / "block"),)
    runs = (run_block(program, folder, bench, {_CHOICE: str(number)}) for number in chosen)
    ran = dict(zip(chosen, await asyncio.gather(*runs), strict=True))
    return {number: each for number, each in ran.items() if each.ran and not each.said}
