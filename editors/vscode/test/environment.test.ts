// The private environment, made by a stand-in for Python that is found on PATH.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { makeEnvironment, privateServer, privateVersion, wheelIn } from "../src/environment";

let place: string;
let folder: string;
let lines: string[];
let aborting: AbortController;
const before = process.env.PATH;

/** A python3 whose `-m venv` makes another one that "installs" by the given script. */
function python(pip: string): void {
  const bin = join(place, "bin");
  mkdirSync(bin);
  const inner = `#!/bin/sh\\n${pip}\\n`;
  const script = `#!/bin/sh
case "$2" in
  venv) mkdir -p "$3/bin"; printf '${inner}' > "$3/bin/python"; chmod +x "$3/bin/python" ;;
esac
`;
  writeFileSync(join(bin, "python3"), script, { mode: 0o755 });
  process.env.PATH = `${bin}:/usr/bin:/bin`;
}

const GOOD = `echo Collecting pygls; printf "#!/bin/sh\\\\n" > $(dirname $0)/tutor-lsp; chmod +x $(dirname $0)/tutor-lsp`;

function make(): Promise<string> {
  return makeEnvironment(folder, "/wheel.whl", "1.2.3", {
    log: (line) => lines.push(line),
    step: (message, percent) => lines.push(`${percent} ${message}`),
    signal: aborting.signal,
  });
}

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  folder = join(place, "storage", "server");
  lines = [];
  aborting = new AbortController();
});

afterEach(() => {
  process.env.PATH = before;
  rmSync(place, { recursive: true });
});

test("an environment that was made is found again, with its version", async () => {
  python(GOOD);
  assert.equal(privateServer(folder), undefined);
  assert.equal(await make(), join(folder, "bin", "tutor-lsp"));
  assert.equal(privateServer(folder), join(folder, "bin", "tutor-lsp"));
  assert.equal(privateVersion(folder), "1.2.3");
  assert.ok(lines.includes("Collecting pygls"), lines.join("\n"));
  assert.ok(lines.some((line) => /^\d+ collecting pygls/.test(line)));
});

test("what pip says last is told, and nothing half-made stays", async () => {
  python("echo no such package >&2; exit 1");
  await assert.rejects(make(), /no such package.*The log has it all/);
  assert.ok(!existsSync(folder));
});

test("a cancel ends pip and leaves nothing", { timeout: 20_000 }, async () => {
  python("echo began; exec sleep 60");
  const making = make();
  while (!lines.includes("began")) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  aborting.abort();
  await assert.rejects(making, { kind: "CANCELLED" });
  assert.ok(!existsSync(folder));
});

test("a machine without Python is told what is needed", async () => {
  process.env.PATH = place;
  await assert.rejects(make(), { kind: "NO_PYTHON", message: /3\.11/ });
});

test("the wheel is found by its name", () => {
  assert.equal(wheelIn(place), undefined);
  writeFileSync(join(place, "tutor_lsp-1.2.3-py3-none-any.whl"), "");
  assert.equal(wheelIn(place), join(place, "tutor_lsp-1.2.3-py3-none-any.whl"));
});
