// The private environment, made by a stand-in for Python that is found on PATH.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import {
  type Environment,
  makeEnvironment,
  privateServer,
  removeUnused,
  useEnvironment,
  wheelIn,
} from "../src/setUp/environment";
import type { Places } from "../src/setUp/find";
import { eventually } from "./waiting";

let place: string;
let home: string;
let lines: string[];
let aborting: AbortController;
let places: Places | undefined;
const before = process.env.PATH;

/** A python3 whose `-m venv` makes another one that "installs" by the given script. */
function python(pip: string): void {
  const bin = join(place, "bin");
  mkdirSync(bin, { recursive: true });
  const inner = `#!/bin/sh\\n${pip}\\n`;
  const script = `#!/bin/sh
case "$2" in
  -S) echo "$0"; echo 3 12; echo .cpython-312-x86_64-linux-gnu.so; echo x86_64 ;;
  venv) mkdir -p "$3/bin"; printf '${inner}' > "$3/bin/python"; chmod +x "$3/bin/python" ;;
esac
`;
  writeFileSync(join(bin, "python3"), script, { mode: 0o755 });
  process.env.PATH = `${bin}:/usr/bin:/bin`;
}

const GOOD = `echo Collecting pygls; printf "#!/bin/sh\\\\n" > $(dirname $0)/tutor-lsp; chmod +x $(dirname $0)/tutor-lsp`;

function make(version = "1.2.3"): Promise<Environment> {
  return makeEnvironment(home, "/wheel.whl", version, {
    log: (line) => lines.push(line),
    step: (message, percent) => lines.push(`${percent} ${message}`),
    signal: aborting.signal,
    ...(places && { places }),
  });
}

/** Whole and half-made environments. */
function made(): string[] {
  return readdirSync(home).filter((name) => name !== "lock");
}

/** Waits for a line of the log. */
async function said(line: string): Promise<void> {
  await eventually(line, () => lines.includes(line), () => lines.join("\n"));
}

/** The lock as a process left it that is not this one. */
function lock(pid: number): string {
  const file = join(home, "lock");
  mkdirSync(home, { recursive: true });
  writeFileSync(file, String(pid));
  return file;
}

/** A process that has ended. */
function gone(): number {
  return spawnSync("/bin/true").pid;
}

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  home = join(place, "storage", "server");
  lines = [];
  places = undefined;
  aborting = new AbortController();
});

afterEach(() => {
  process.env.PATH = before;
  rmSync(place, { recursive: true });
});

test("an environment that was made is found again, with its version", async () => {
  python(GOOD);
  assert.equal(privateServer(home, "1.2.3"), undefined);
  const { folder, file } = await make();
  assert.equal(file, join(folder, "bin", "tutor-lsp"));
  const found = privateServer(home, "1.2.3");
  assert.deepEqual([found?.file, found?.version], [file, "1.2.3"]);
  assert.ok(lines.includes("Collecting pygls"), lines.join("\n"));
  assert.ok(lines.some((line) => /^\d+ collecting pygls/.test(line)));
});

test("what pip says goes to the log alone, and nothing half-made stays", async () => {
  python("echo no such package >&2; exit 1");
  await assert.rejects(make(), { kind: "SET_UP_FAILED", message: /try again\.$/ });
  assert.ok(lines.includes("no such package"));
  assert.deepEqual(readdirSync(home), []);
});

test("a network that goes away in the middle is said so, and the next try begins anew", async () => {
  python("echo Collecting pygls; echo Connection broken: ConnectionResetError 104 >&2; exit 1");
  await assert.rejects(make(), { kind: "OFFLINE" });
  assert.ok(lines.some((line) => /^\d+ collecting pygls/.test(line)));
  assert.deepEqual(readdirSync(home), []);
  python(GOOD);
  assert.equal((await make()).version, "1.2.3");
});

test("variables that would lead pip elsewhere are not taken over", async () => {
  const foreign = ["PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_USER"];
  foreign.forEach((name) => (process.env[name] = "1"));
  try {
    python(`echo "$PYTHONPATH|$PYTHONHOME|$PIP_TARGET|$PIP_PREFIX|$PIP_USER"; ${GOOD}`);
    await make();
    assert.ok(lines.includes("||||0"), lines.join("\n"));
  } finally {
    foreign.forEach((name) => Reflect.deleteProperty(process.env, name));
  }
});

test("one that works outlives the making of the next, whether that fails or not", async () => {
  python(GOOD);
  const old = await make("1.2.3");
  python("exit 1");
  await assert.rejects(make("1.3.0"));
  assert.equal(privateServer(home, "1.3.0")?.file, old.file);
  python(GOOD);
  const next = await make("1.3.0");
  assert.equal(privateServer(home, "1.3.0")?.file, next.file);
  assert.equal(privateServer(home, "1.2.3")?.file, old.file);
});

test("the newest of one version is taken", async () => {
  python(GOOD);
  const old = await make();
  utimesSync(join(old.folder, "tutor-lsp-version"), new Date(0), new Date(0));
  const next = await make();
  assert.notEqual(next.file, old.file);
  assert.equal(privateServer(home, "1.2.3")?.file, next.file);
});

test("what nobody uses is removed; what another window uses is not", async () => {
  python(GOOD);
  const [used, unused] = [await make("1.0.0"), await make("1.1.0")];
  rmSync(join(unused.folder, "users", String(process.pid)));
  rmSync(join(used.folder, "users", String(process.pid)));
  writeFileSync(join(used.folder, "users", String(process.ppid)), "");
  writeFileSync(join(unused.folder, "users", String(gone())), "");
  const own = await make("1.2.0");
  useEnvironment(home, own.folder);
  await removeUnused(home, own.folder);
  const left = [used.folder, own.folder];
  assert.deepEqual(made().sort(), left.map((folder) => basename(folder)).sort());
});

test("a window waits for another one and takes what that has made", async () => {
  python(GOOD);
  const first = await make();
  rmSync(first.folder, { recursive: true });
  const file = lock(process.ppid);
  const making = make();
  await said("2 waiting for another window");
  // As the other window leaves it.
  const other = join(home, "1.2.3-other");
  mkdirSync(join(other, "bin"), { recursive: true });
  writeFileSync(join(other, "bin", "tutor-lsp"), "", { mode: 0o755 });
  writeFileSync(join(other, "tutor-lsp-version"), "1.2.3");
  rmSync(file);
  assert.equal((await making).folder, other);
  assert.deepEqual(made(), ["1.2.3-other"]);
});

test("while one is made nothing is removed", async () => {
  mkdirSync(join(home, "half"), { recursive: true });
  const file = lock(process.ppid);
  await removeUnused(home, join(home, "own"));
  assert.deepEqual(made(), ["half"]);
  rmSync(file);
  await removeUnused(home, join(home, "own"));
  assert.deepEqual(readdirSync(home), []);
});

test("a lock that a crash left behind is taken over", async () => {
  python(GOOD);
  lock(gone());
  await make();
  // Another process may have got its id since.
  const file = lock(process.ppid);
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(file, longAgo, longAgo);
  await make();
  assert.ok(!existsSync(file));
});

test("a cancel ends pip, or the wait, and leaves nothing", { timeout: 60_000 }, async () => {
  python("echo began; exec sleep 60");
  const making = make();
  await said("began");
  aborting.abort();
  await assert.rejects(making, { kind: "CANCELLED" });
  assert.deepEqual(readdirSync(home), []);
  aborting = new AbortController();
  lock(process.ppid);
  const waiting = make();
  await said("2 waiting for another window");
  aborting.abort();
  await assert.rejects(waiting, { kind: "CANCELLED" });
  assert.deepEqual(readdirSync(home), ["lock"]);
});

test("a machine without Python is told what is needed", async () => {
  places = { pathVariable: place, home: place, platform: "linux", others: [] };
  await assert.rejects(make(), { kind: "NO_PYTHON", message: /3\.11 or later, and none/ });
});

test("the wheel is found by its name", () => {
  assert.equal(wheelIn(place), undefined);
  writeFileSync(join(place, "tutor_lsp-1.2.3-py3-none-any.whl"), "");
  assert.equal(wheelIn(place), join(place, "tutor_lsp-1.2.3-py3-none-any.whl"));
});
