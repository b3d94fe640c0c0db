// Which server is started, and how a private one comes about: the bundle in a stand-in for the
// editor, with stand-ins for Python and for the server.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { FakeEditor } from "./fake";
import { StandIn } from "./standIn";

const ROOT = join(__dirname, "..", "..");
const PACKAGE = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const OPTIONS = { timeout: 60_000 };
const { PATH } = process.env;

let editor: FakeEditor;
let server: StandIn;
let place: string;
let home: string;
let extension: { activate: (context: object) => void; deactivate: () => Promise<void> };

/** A program that runs the stand-in for the server. */
function program(file: string): string {
  const [script] = server.settings.args;
  const lines = ["#!/bin/sh", '[ "$1" = --version ] && exit 0'];
  mkdirSync(join(file, ".."), { recursive: true });
  const text = [...lines, `exec ${process.execPath} ${script ?? ""}`, ""].join("\n");
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

/** A python3 on PATH whose pip installs that program, or fails; each try is noted. */
function python(works: boolean): void {
  const bin = join(place, "bin");
  const done = works ? `cp ${program(join(place, "program"))} "$here/tutor-lsp"` : "exit 1";
  const inner = ["#!/bin/sh", 'here=$(dirname "$0")', `echo x >> ${place}/tries`, done, ""];
  writeFileSync(join(place, "inner"), inner.join("\n"), { mode: 0o755 });
  const venv = `[ "$2" = venv ] && mkdir -p "$3/bin" && cp ${place}/inner "$3/bin/python"`;
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "python3"), `#!/bin/sh\n${venv}\nexit 0\n`, { mode: 0o755 });
  process.env.PATH = `${bin}:/usr/bin:/bin`;
}

function tries(): number {
  const file = join(place, "tries");
  return existsSync(file) ? readFileSync(file, "utf8").length / 2 : 0;
}

/** A private server that was made by another version of the extension. */
function oldServer(): string {
  const folder = join(home, "0.0.9-old");
  const file = program(join(folder, "bin", "tutor-lsp"));
  writeFileSync(join(folder, "tutor-lsp-version"), "0.0.9\n");
  return file;
}

/** Versions of the private servers. */
function versions(): string[] {
  return readdirSync(home).map((name) => name.replace(/-.*/, ""));
}

/** A new window of the same editor. */
function open(): void {
  extension = editor.load(join(ROOT, "dist", "extension.js")) as typeof extension;
  extension.activate(editor.extension(PACKAGE, join(place, "storage")));
}

/** What was started, as the log has it. */
function started(): string[] {
  return editor.log.flatMap((line) => /^Starting (.*)/.exec(line)?.[1] ?? []);
}

beforeEach(() => {
  editor = new FakeEditor();
  editor.choose = () => undefined;
  place = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  home = join(place, "storage", "server");
  mkdirSync(join(place, "storage", "extension", "dist"), { recursive: true });
  writeFileSync(join(place, "storage", "extension", "dist", "tutor_lsp-1-py3-none-any.whl"), "");
  mkdirSync(join(place, "exercise", ".tutor"), { recursive: true });
  writeFileSync(join(place, "exercise", ".tutor", "exercise.json"), "{}");
  editor.folders.push(join(place, "exercise"));
  server = new StandIn();
});

afterEach(async () => {
  await extension.deactivate();
  process.env.PATH = PATH;
  server.remove();
  rmSync(place, { recursive: true });
});

test("after an update the private server follows, and the old one goes", OPTIONS, async () => {
  python(true);
  oldServer();
  open();
  await editor.eventually("it is ready", () => editor.isReady);
  assert.equal(tries(), 1);
  await editor.eventually("the old one is gone", () => versions().join() === PACKAGE.version);
  assert.deepEqual([editor.errors, editor.messages], [[], []]);
});

test("where that fails the old one is used, and it is tried again another day", OPTIONS, async () => {
  python(false);
  const file = oldServer();
  open();
  await editor.eventually("it is ready", () => editor.isReady);
  assert.match(editor.messages.join("|"), /^[^|]*version 0\.0\.9 works on meanwhile[^|]*$/);
  await extension.deactivate();
  open();
  await editor.eventually("it is ready", () => server.starts.length === 2 && editor.isReady);
  assert.deepEqual(started(), Array(2).fill(`${file} (found by: private)`));
  assert.equal(tries(), 1);
  assert.deepEqual([editor.errors, versions()], [[], ["0.0.9"]]);
});

test("a setting that names a private server means the one of this version", OPTIONS, async () => {
  python(true);
  editor.settings.command = join(home, "0.0.1-gone", "bin", "tutor-lsp");
  editor.folders.splice(0, 1, place);
  open();
  await editor.run("tutorLsp.status");
  assert.match(editor.messages[0] ?? "", /is not installed yet/);
  await editor.eventually("it is ready", () => editor.isReady);
  assert.deepEqual(versions(), [PACKAGE.version]);
});

test("setting it up mends a setting that names nothing", OPTIONS, async () => {
  python(true);
  editor.settings.command = "/nowhere/tutor-lsp";
  editor.press = (_message, buttons) => buttons.find((title) => title === "Set It Up");
  open();
  await editor.eventually("it is ready", () => editor.isReady);
  assert.match(editor.errors.join("|"), /^[^|]*"\/nowhere\/tutor-lsp"[^|]*$/);
  assert.ok(String(editor.settings.command).startsWith(home));
});

test("setting it up asks where another server comes first", OPTIONS, async () => {
  python(true);
  const other = program(join(place, "other"));
  editor.settings.command = other;
  open();
  await editor.eventually("it is ready", () => editor.isReady);
  editor.confirms = false;
  await editor.run("tutorLsp.setUp");
  assert.equal(editor.settings.command, other);
  editor.confirms = true;
  await editor.run("tutorLsp.setUp");
  await editor.eventually("it is ready", () => editor.isReady);
  assert.ok(started().at(-1)?.endsWith("(found by: private)"));
  assert.deepEqual(editor.errors, []);
});

test("a set-up that fails leaves the server that runs alone", OPTIONS, async () => {
  python(false);
  editor.settings.command = program(join(place, "other"));
  open();
  await editor.eventually("it is ready", () => editor.isReady);
  await editor.run("tutorLsp.setUp");
  assert.match(editor.errors.join("|"), /could not be set up/);
  await editor.eventually("it is ready", () => editor.isReady);
  assert.equal(server.starts.length, 1);
});

test("a setting that is mended starts the server where it is needed", OPTIONS, async () => {
  editor.settings.command = "/nowhere/tutor-lsp";
  open();
  await editor.eventually("it is said", () => editor.errors.length > 0);
  assert.match(editor.bar.text, /warning/);
  const key = { id: "setContext", args: ["tutorLsp.serverFailed", true] };
  assert.deepEqual(editor.executed.filter(({ id }) => id === "setContext").at(-1), key);
  editor.configure({ command: program(join(place, "mended")) });
  await editor.eventually("it is ready", () => editor.isReady);
  key.args = ["tutorLsp.serverFailed", false];
  assert.deepEqual(editor.executed.filter(({ id }) => id === "setContext").at(-1), key);
  assert.equal(editor.errors.length, 1);
});

test("on Windows itself the learner is led to WSL", OPTIONS, async () => {
  const { platform } = process;
  python(true);
  editor.folders.splice(0, 1, place);
  open();
  Object.defineProperty(process, "platform", { value: "win32" });
  try {
    await editor.run("tutorLsp.status");
    await editor.run("tutorLsp.setUp");
  } finally {
    Object.defineProperty(process, "platform", { value: platform });
  }
  assert.equal(editor.messages.filter((message) => message.includes("WSL")).length, 2);
  assert.equal(tries(), 0);
});
