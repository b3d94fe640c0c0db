// The buttons under a set-up that failed: each mends what it can, and leads back to the list.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, test } from "node:test";
import type { FakeEditor } from "./fake";
import type { StandIn } from "./standIn";
import { Window } from "./window";

const OPTIONS = { timeout: 60_000 };
const PATH = process.env.PATH;

let window: Window;
let editor: FakeEditor;
let server: StandIn;

beforeEach(() => {
  // A window on something else, where nothing starts by itself.
  window = new Window({ "tutor.choices": [] });
  ({ editor, server } = window);
  window.begin();
});

afterEach(async () => {
  process.env.PATH = PATH;
  await window.end();
});

function asksForTheList(): boolean {
  return listsAsked() > 0;
}

function listsAsked(): number {
  return server.asked.filter(({ command }) => command === "tutor.choices").length;
}

/** A machine on which nothing that is known installs programs, as macOS comes; the one folder on its PATH. */
function bare(): string {
  const bin = join(window.folder, "bin");
  mkdirSync(bin);
  process.env.PATH = bin;
  return bin;
}

test("a compiler is installed in a terminal, and then the list comes", OPTIONS, async () => {
  const mending = editor.run("tutorLsp.mend", "compiler");
  assert.match(editor.typed.join("|"), /^(sudo )?(apt-get|apk) [^|]* && exit$/);
  editor.endTerminal(0);
  await mending;
  assert.ok(asksForTheList());
});

test("an installation that fails leads nowhere, also where there was a compiler before", OPTIONS, async () => {
  const mending = editor.run("tutorLsp.mend", "compiler");
  editor.endTerminal(100);
  await mending;
  assert.deepEqual(server.starts, []);
});

test("a package that cannot be mended is shown among the extensions, whoever published it", OPTIONS, async () => {
  editor.press = (_message, buttons) => buttons.find((title) => title === "Try Again");
  await editor.run("tutorLsp.mend", "reinstall");
  assert.ok(asksForTheList());
  const opened = editor.executed.filter(({ id }) => id === "extension.open").map(({ args }) => args);
  assert.deepEqual(opened, [["someone.tutor-lsp"]]);
});

test("what is typed for the learner is not run", OPTIONS, async () => {
  await editor.run("tutorLsp.type", "codex login\r\u0003");
  assert.deepEqual(editor.typed, ["codex login  "]);
});

test("where nothing installs Python, its page opens, and who comes back with one gets the list", OPTIONS, async () => {
  writeFileSync(join(bare(), "python3"), "#!/bin/sh\necho $0; echo 3 12; echo .so; echo x86_64\n", { mode: 0o755 });
  const mending = editor.run("tutorLsp.mend", "python");
  await editor.eventually("the page is open", () => editor.openedOutside === 1);
  await editor.eventually("it is said", () => editor.messages.length > 0);
  assert.match(editor.messages.join("|"), /^Once Python is installed, the tutor goes on by itself\.$/);
  assert.deepEqual(editor.offered.at(-1), ["Try Again"]);
  editor.focus(false);
  await delay(100);
  assert.deepEqual(server.starts, []);
  editor.focus();
  await mending;
  assert.equal(listsAsked(), 1);
  assert.deepEqual(editor.typed, []);
});

test("coming back without what was to be installed changes nothing", OPTIONS, async () => {
  const bin = bare();
  const mending = editor.run("tutorLsp.mend", "compiler");
  await editor.eventually("it is said", () => editor.messages.length > 0);
  editor.focus();
  await delay(100);
  assert.deepEqual(server.starts, []);
  writeFileSync(join(bin, "cc"), "", { mode: 0o755 });
  editor.focus();
  await mending;
  assert.equal(listsAsked(), 1);
});

test("a compiler that was there before is not what was installed, but the learner may say so", OPTIONS, async () => {
  writeFileSync(join(bare(), "cc"), "", { mode: 0o755 });
  const mending = editor.run("tutorLsp.mend", "compiler");
  await editor.eventually("it is said", () => editor.messages.length > 0);
  editor.focus();
  await delay(100);
  assert.deepEqual(server.starts, []);
  editor.press = (_message, buttons) => buttons.find((title) => title === "Try Again");
  await editor.run("tutorLsp.mend", "compiler");
  await mending;
  assert.equal(listsAsked(), 1);
});

test("headers that come where a compiler was there before lead on, too", OPTIONS, async () => {
  const bin = bare();
  const header = join(window.folder, "Python.h");
  writeFileSync(join(bin, "cc"), "", { mode: 0o755 });
  const says = `case "$*" in *Python.h*) [ -e "${header}" ] ;; *) echo $0; echo 3 12; echo .so; echo x86_64 ;; esac`;
  writeFileSync(join(bin, "python3"), `#!/bin/sh\n${says}\n`, { mode: 0o755 });
  const mending = editor.run("tutorLsp.mend", "compiler");
  await editor.eventually("it is said", () => editor.messages.length > 0);
  editor.focus();
  await delay(200);
  assert.deepEqual(server.starts, []);
  writeFileSync(header, "");
  editor.focus();
  await mending;
  assert.equal(listsAsked(), 1);
});

test("a look that fails is one that found nothing", OPTIONS, async () => {
  const bin = bare();
  const { HOME } = process.env;
  process.env.HOME = window.folder;
  try {
    const mending = editor.run("tutorLsp.mend", "python");
    await editor.eventually("it is said", () => editor.messages.length > 0);
    const versions = join(window.folder, ".pyenv", "versions");
    mkdirSync(join(window.folder, ".pyenv"), { recursive: true });
    writeFileSync(versions, "not a folder");
    editor.focus();
    await delay(100);
    assert.deepEqual(server.starts, []);
    rmSync(versions);
    writeFileSync(join(bin, "python3"), "#!/bin/sh\necho $0; echo 3 12; echo .so; echo x86_64\n", { mode: 0o755 });
    editor.focus();
    await mending;
    assert.equal(listsAsked(), 1);
  } finally {
    process.env.HOME = HOME;
  }
});

test("who had it mended in another way is not led to the list later", OPTIONS, async () => {
  bare();
  const mending = editor.run("tutorLsp.mend", "compiler");
  await editor.eventually("it is said", () => editor.messages.length > 0);
  await editor.run("tutorLsp.status");
  editor.focus();
  await mending;
  assert.equal(listsAsked(), 0);
});

test("an extension that is installed again leads back to the list when it begins", OPTIONS, async () => {
  void editor.run("tutorLsp.mend", "reinstall");
  await editor.eventually("it is shown", () => editor.executed.some(({ id }) => id === "extension.open"));
  const starts = join(window.folder, "storage", "starts");
  assert.ok(existsSync(starts));
  const [left] = readdirSync(starts).map((name) => JSON.parse(readFileSync(join(starts, name), "utf8")) as object);
  assert.deepEqual(left, { ...left, argument: null, folder: window.folder, pid: process.pid, setUp: true });
});
