// What keeps the server from being set up or started, caused for real where this machine lets us: a
// full disk, folders that cannot be written or run from, packages that are damaged.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test, type TestContext } from "node:test";
import { makeEnvironment, wheelIn } from "../src/setUp/environment";
import type { Problem } from "../src/words/messages";
import { failureOf } from "../src/setUp/failures";
import { compilerCommand, pythonCommand } from "../src/setUp/installing";
import type { Places } from "../src/setUp/find";

const OPTIONS = { timeout: 120_000 };

let place: string;
let mounts: string[];
let lines: string[];

/** A file system of its own, mounted with options; undefined where this user may not mount. */
function mounted(t: TestContext, options: string): string | undefined {
  const folder = join(place, "mounted");
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  if (status === 0) {
    mounts.push(folder);
    return folder;
  }
  assert.notEqual(process.env.CI, "true", "nothing can be mounted here");
  t.skip("nothing can be mounted here");
  return undefined;
}

/** A wheel like ours that needs nothing and has one program. */
function wheel(): string {
  const script = [
    "import zipfile, sys",
    "with zipfile.ZipFile(sys.argv[1], 'w') as z:",
    "    z.writestr('tutor_lsp/__init__.py', 'def main():\\n    print(1)\\n')",
    "    info = 'tutor_lsp-1.2.3.dist-info/'",
    "    z.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: tutor-lsp\\nVersion: 1.2.3\\n')",
    "    z.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')",
    "    z.writestr(info + 'entry_points.txt', '[console_scripts]\\ntutor-lsp = tutor_lsp:main\\n')",
    "    z.writestr(info + 'RECORD', '')",
  ].join("\n");
  const file = join(place, "tutor_lsp-1.2.3-py3-none-any.whl");
  const { status, stderr } = spawnSync("python3", ["-c", script, file], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return file;
}

/** What is shown where the server cannot be set up below a folder. */
async function shown(home: string, file = wheel(), places?: Places): Promise<Problem> {
  const steps = {
    log: (line: string) => lines.push(line),
    step: (): undefined => undefined,
    signal: new AbortController().signal,
    ...(places && { places }),
  };
  const problem = await makeEnvironment(home, file, "1.2.3", steps).then(
    () => undefined,
    (error: unknown) => error as Problem,
  );
  assert.ok(problem !== undefined, "it was set up");
  // One sentence, with a button that mends it, and nothing of what a program said.
  assert.match(problem.message, /^[A-Z/][^\n]*[^\n.]\.$/);
  assert.ok(!/Errno|ERROR|Traceback|E[A-Z]{4,}/.test(problem.message), problem.message);
  assert.ok(problem.remedies.length > 0 && problem.remedies[0] !== "log");
  return problem;
}

/** A python3 that says what it is told, and does what a script says. */
function python(version: string, suffix: string, script: string): Places {
  const file = join(place, "bin", "python3");
  mkdirSync(join(file, ".."), { recursive: true });
  const asked = `[ "$2" = -S ] && { echo ${file}; echo ${version}; echo ${suffix}; echo x86_64; exit 0; }`;
  writeFileSync(file, `#!/bin/sh\n${asked}\n${script}\n`, { mode: 0o755 });
  return { pathVariable: join(place, "bin"), home: place, platform: "linux", others: [] };
}

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  [mounts, lines] = [[], []];
  process.env.PIP_NO_INDEX = "1";
});

afterEach(() => {
  mounts.forEach((folder) => spawnSync("umount", ["-l", folder]));
  Reflect.deleteProperty(process.env, "PIP_NO_INDEX");
  rmSync(place, { recursive: true });
});

test("without Python it says which one is needed, and installs it", OPTIONS, async () => {
  const places: Places = { pathVariable: place, home: place, platform: "linux", others: [] };
  const { kind, message, remedies } = await shown(place, "/wheel.whl", places);
  assert.deepEqual([kind, remedies[0]], ["NO_PYTHON", "python"]);
  assert.match(message, /3\.11 or later, and none was found/);
});

test("of an old Python it says the version", OPTIONS, async () => {
  const places = python("3\\ 10", ".cpython-310-x86_64-linux-gnu.so", "");
  const { kind, message } = await shown(place, "/wheel.whl", places);
  assert.equal(kind, "NO_PYTHON");
  assert.match(message, /newest on this machine is 3\.10/);
});

test("a full disk", OPTIONS, async (t) => {
  const disk = mounted(t, "size=2m");
  if (disk !== undefined) {
    const { kind, remedies } = await shown(join(disk, "server"));
    assert.deepEqual([kind, remedies[0]], ["DISK_FULL", "again"]);
  }
});

test("a folder that is read-only", OPTIONS, async (t) => {
  const disk = mounted(t, "size=50m,ro");
  if (disk !== undefined) {
    const { kind, remedies, message } = await shown(join(disk, "server"));
    assert.deepEqual([kind, remedies[0]], ["READ_ONLY", "elsewhere"]);
    assert.ok(message.includes(disk));
  }
});

test("a folder from which no program runs", OPTIONS, async (t) => {
  const disk = mounted(t, "size=100m,noexec");
  if (disk !== undefined) {
    const { kind, remedies } = await shown(join(disk, "server"));
    assert.deepEqual([kind, remedies[0]], ["NO_EXEC", "elsewhere"]);
  }
});

test("a library that must be compiled, on musl", OPTIONS, async () => {
  const pip = "echo 'ERROR: Failed building wheel for tree-sitter' >&2; exit 1";
  const venv = `[ "$2" = venv ] && { mkdir -p "$3/bin"; printf '#!/bin/sh\\n${pip.replaceAll("'", "'\\''")}\\n' > "$3/bin/python"; chmod +x "$3/bin/python"; }; exit 0`;
  const places = python("3\\ 12", ".cpython-312-x86_64-linux-musl.so", venv);
  const { kind, remedies } = await shown(place, "/wheel.whl", places);
  assert.deepEqual([kind, remedies[0]], ["MUSL", "compiler"]);
  assert.ok(lines.some((line) => line.includes("tree-sitter")), "the log has what was said");
});

test("a damaged package", OPTIONS, async () => {
  const broken = join(place, "tutor_lsp-1.2.3-py3-none-any.whl");
  writeFileSync(broken, "half of it");
  assert.equal(wheelIn(place), broken);
  const { kind, remedies } = await shown(join(place, "server"), broken);
  assert.deepEqual([kind, remedies[0]], ["DAMAGED", "reinstall"]);
});

test("a machine without network", OPTIONS, async () => {
  const needy = wheel();
  const script = [
    "import zipfile, sys",
    "with zipfile.ZipFile(sys.argv[1], 'a') as z:",
    "    z.writestr('tutor_lsp-1.2.3.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tutor-lsp\\nVersion: 1.2.3\\nRequires-Dist: nowhere-to-be-had\\n')",
  ].join("\n");
  spawnSync("python3", ["-W", "ignore", "-c", script, needy]);
  const { kind, remedies } = await shown(join(place, "server"), needy);
  assert.deepEqual([kind, remedies[0]], ["OFFLINE", "again"]);
});

test("libraries on a disk from which no program runs are told from what Python says", () => {
  const said = "ImportError: /x/core.so: failed to map segment from shared object";
  assert.equal(failureOf({ said, folder: "/x", musl: false }).kind, "NO_EXEC");
});

test("Python is installed by what the machine installs with", () => {
  const having = (...programs: string[]) => (program: string): boolean => programs.includes(program);
  assert.equal(pythonCommand(having("apt-get"), false, false), "sudo apt-get install python3 python3-venv");
  assert.equal(pythonCommand(having("apt-get"), true, true), "apt-get install python3.11 python3.11-venv");
  assert.equal(pythonCommand(having("apt-get", "uv"), true, false), "uv python install 3.13");
  assert.equal(pythonCommand(having("brew"), false, false), "brew install python@3.13");
  assert.equal(pythonCommand(having(), false, false), undefined);
  assert.equal(compilerCommand(having("apk"), true), "apk add build-base python3-dev");
  // By what the machine has, as for Python: musl is not Alpine's alone.
  assert.equal(compilerCommand(having("xbps-install"), false), "sudo xbps-install -S base-devel python3-devel");
  assert.equal(compilerCommand(having("uv", "dnf"), false), "sudo dnf install gcc gcc-c++ make python3-devel");
  assert.equal(compilerCommand(having("uv"), false), undefined);
});
