// Which server is started, and how a private one comes about: the bundle in a stand-in for the
// editor, with stand-ins for Python and for the server.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
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
import { activated, type Extension, PACKAGE } from "./activated";
import { FakeEditor } from "./fake";
import { STATUS, StandIn } from "./standIn";

const OPTIONS = { timeout: 60_000 };
const { PATH } = process.env;

let editor: FakeEditor;
let server: StandIn;
let place: string;
let home: string;
let extension: Extension;

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
function python(works: boolean, venvTakes = 0): void {
  const bin = join(place, "bin");
  const done = works ? `cp ${program(join(place, "program"))} "$here/tutor-lsp"` : "exit 1";
  const inner = ["#!/bin/sh", 'here=$(dirname "$0")', `echo x >> ${place}/tries`, done, ""];
  writeFileSync(join(place, "inner"), inner.join("\n"), { mode: 0o755 });
  const venv = `[ "$2" = venv ] && sleep ${venvTakes} && mkdir -p "$3/bin" && cp ${place}/inner "$3/bin/python"`;
  const said = ["$0", "3 12", ".cpython-312-x86_64-linux-gnu.so", "x86_64"];
  const asked = `[ "$2" = -S ] && { ${said.map((line) => `echo "${line}"`).join("; ")}; exit 0; }`;
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "python3"), `#!/bin/sh\n${asked}\n${venv}\nexit 0\n`, { mode: 0o755 });
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
  extension = activated(editor, place);
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
  assert.match(editor.messages.join("|"), /^[^|]*server version 0\.0\.9 is used[^|]*$/);
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
  assert.equal(editor.contextKey("tutorLsp.serverFailed"), true);
  editor.configure({ command: program(join(place, "mended")) });
  await editor.eventually("it is ready", () => editor.isReady);
  assert.equal(editor.contextKey("tutorLsp.serverFailed"), false);
  // The message that it could not be started is no longer true.
  assert.equal(editor.executed.filter(({ id }) => id === "notifications.hideToasts").length, 1);
  assert.equal(editor.errors.length, 1);
});

/** An exercise that the list begins with that comes along. */
const FIRST = { kind: "topic", label: "First steps", detail: "", group: "Recommended", language: "" };

/** The list that is read while the server is set up. */
function comesAlong(): void {
  const rows = [{ ...FIRST, command: "tutor.start", argument: { node: "first" } }];
  const file = join(place, "storage", "extension", "dist", "choices.json");
  writeFileSync(file, JSON.stringify(rows));
  editor.folders.splice(0, 1, place);
  server.answer("tutor.sessions", []);
  server.answer("tutor.start", { jobId: "1", node: "first", language: "x", depth: "D1", say: { title: "", oneLine: "", markdown: "" } });
}

/** Arguments of the commands that the server was asked for. */
function askedFor(command: string): unknown[] {
  return server.asked.filter((each) => each.command === command);
}

test("the list is read while the server is set up, and what is chosen goes on", OPTIONS, async () => {
  python(true);
  comesAlong();
  editor.choose = (items) => items.find(({ label }) => label === "First steps");
  open();
  await editor.run("tutorLsp.start");
  assert.ok(editor.rows.some((row) => row.includes("First steps")));
  await editor.eventually("it was started", () => askedFor("tutor.start").length === 1);
  assert.deepEqual([tries(), editor.errors], [1, []]);
});

test("who leaves that list is led back to it when the server is there", OPTIONS, async () => {
  python(true);
  comesAlong();
  open();
  await editor.run("tutorLsp.start");
  const said = editor.messages.indexOf("The tutor is ready.");
  assert.ok(said >= 0, editor.messages.join("|"));
  assert.deepEqual(editor.offered.at(-1), ["Choose an Exercise"]);
  assert.deepEqual(askedFor("tutor.start"), []);
});

/** A window asked for an exercise some time (ms) ago, and has ended. */
function leftBehind(argument: object, ago = 0): void {
  const pending = { argument, at: Date.now() - ago, folder: place, pid: spawnSync("/bin/true").pid, setUp: true, tries: 0 };
  mkdirSync(join(place, "storage", "starts"), { recursive: true });
  writeFileSync(join(place, "storage", "starts", "set-up.json"), JSON.stringify(pending));
}

test("the set-up tells the time left, once there is a pace to tell it from", OPTIONS, async () => {
  python(true, 2);
  comesAlong();
  open();
  await editor.run("tutorLsp.start");
  assert.deepEqual(editor.steps.slice(0, 2), ["looking for Python", "making a private environment"]);
  assert.match(editor.steps.join("|"), /\|installing · about (10|15) s left\|/);
});

test("an exercise of the library goes on without a question after a night with the lid closed", OPTIONS, async () => {
  python(true);
  comesAlong();
  leftBehind({ node: "first" }, 9 * 3_600_000);
  server.answer("tutor.status", { ...STATUS, backend: { name: "library", why: "", answersQuestions: false } });
  server.answer("tutor.curriculum", { nodes: [{ id: "first", exercises: [{ depth: "D1" }] }] });
  open();
  await editor.eventually("it was started", () => askedFor("tutor.start").length === 1);
  assert.doesNotMatch(editor.messages.join("|"), /Continue\?/);
  assert.deepEqual([tries(), editor.errors], [1, []]);
});

test("an exercise that a model would make is asked about after that", OPTIONS, async () => {
  python(true);
  comesAlong();
  leftBehind({ topic: "reading files" }, 9 * 3_600_000);
  open();
  await editor.eventually("it is asked", () => editor.messages.some((said) => said.endsWith("Continue?")));
  assert.deepEqual(askedFor("tutor.start"), []);
});

test("a set-up that its window did not survive goes on in the next one", OPTIONS, async () => {
  python(true);
  comesAlong();
  leftBehind({ node: "first" });
  open();
  await editor.eventually("it was started", () => askedFor("tutor.start").length === 1);
  assert.deepEqual([tries(), editor.errors], [1, []]);
});

test("a server that is killed while it starts is said so, and tried again", OPTIONS, async () => {
  const file = join(place, "killed");
  writeFileSync(file, "#!/bin/sh\nkill -KILL $$\n", { mode: 0o755 });
  editor.settings.command = file;
  open();
  await editor.eventually("it is said", () => editor.errors.length > 0);
  assert.match(editor.errors[0] ?? "", /^The tutor's server was ended from outside while it started \(SIGKILL\)/);
  assert.equal((editor.offered.at(-1) ?? [])[0], "Try Again");
});

test("a damaged package gives way to its wheel, in the next window, too", OPTIONS, async () => {
  python(true);
  const libs = join(place, "storage", "extension", "libs");
  mkdirSync(join(libs, "cp312"), { recursive: true });
  writeFileSync(join(libs, "target"), "linux-x64\n");
  server.answer("tutor.choices", []);
  editor.press = (_message, buttons) => buttons.find((title) => title === "Install It Again");
  open();
  await editor.eventually("the server runs", () => server.starts.length === 1 && editor.isReady);
  assert.match(editor.errors.join("|"), /^Files of the tutor's package are damaged[^|]*$/);
  await extension.deactivate();
  editor.log.length = 0;
  open();
  await editor.eventually("it runs again", () => server.starts.length === 2 && editor.isReady);
  assert.ok(started().every((file) => file.startsWith(home)), started().join());
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
