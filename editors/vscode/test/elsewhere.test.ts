// A window on a project, while the exercise is open elsewhere: with the real server.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { FakeEditor } from "./fake";
import { OPTIONS, SERVER, skip } from "./server";

const ROOT = join(__dirname, "..", "..");
const ASKED = "Your exercise “Movie night” is not open in this window.";

const editor = new FakeEditor();
let folder: string;
let extension: { activate: (context: object) => void; deactivate: () => Promise<void> };

/** Exercises that were opened in windows of their own. */
function roots(): string[] {
  return editor.executed
    .filter(({ id }) => id === "vscode.openFolder")
    .map(({ args }) => (args[0] as { fsPath: string }).fsPath);
}

function opened(): number {
  return roots().length;
}

before(async () => {
  if (skip !== false) {
    return;
  }
  folder = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  const home = join(folder, "home");
  mkdirSync(join(folder, "project"));
  Object.assign(editor.settings, { command: SERVER, home, backend: "library" });
  extension = editor.load(join(ROOT, "dist", "extension.js")) as typeof extension;
  const packageJSON: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  editor.folders.push(join(folder, "project"));
  extension.activate(editor.extension(packageJSON, join(folder, "storage")));
  // Where it took long it is offered instead of opened.
  editor.press = (_message, buttons) => buttons.find((title) => title === "Open");
  await editor.run("tutorLsp.start", { node: "python-functions" });
  await editor.eventually("it is opened", () => opened() > 0);
  editor.press = () => undefined;
});

after(async () => {
  if (skip === false) {
    await extension.deactivate();
    rmSync(folder, { recursive: true, force: true });
  }
});

beforeEach(() => {
  editor.messages.length = 0;
});

test("the status bar of a window without an exercise shows no other window's progress", OPTIONS, async () => {
  await editor.run("tutorLsp.refresh");
  assert.equal(editor.bar.text, "$(mortar-board) Tutor");
  assert.match(editor.bar.tooltip, /^No exercise is open here\./);
});

test("what changes an exercise or its record that is not open here asks first, and by its name", OPTIONS, async () => {
  editor.confirms = false;
  for (const command of ["next", "attempt", "hint", "ask", "reveal", "reset", "restore", "end"]) {
    await editor.run(`tutorLsp.${command}`);
  }
  assert.deepEqual(editor.messages, Array<string>(8).fill(ASKED));
  assert.deepEqual(editor.errors, []);
});

test("the exercise is opened instead, or it is gone on with", OPTIONS, async () => {
  const before = opened();
  editor.confirms = "Open It";
  await editor.run("tutorLsp.attempt");
  // Trust is explained before; that window would ask. The tutor's home may be trusted as a whole.
  assert.match(editor.details.join("|"), /parent folder "python".*add "home"/);
  assert.deepEqual(editor.messages.slice(0, 1), [ASKED]);
  editor.confirms = true;
  await editor.run("tutorLsp.attempt");
  assert.equal(opened(), before + 1);
  assert.doesNotMatch(editor.messages.join("|"), /tests pass/);
  editor.confirms = "Go On Anyway";
  await editor.run("tutorLsp.attempt");
  assert.match(editor.messages.join("|"), /0 of 11 tests pass/);
});

test("long lines are wrapped there, unless the learner has chosen otherwise", OPTIONS, async () => {
  const settings = join(roots().at(-1) ?? "", ".vscode", "settings.json");
  assert.match(readFileSync(settings, "utf8"), /"editor\.wordWrap": "on"/);
  rmSync(settings);
  editor.settings.wordWrap = "off";
  const before = opened();
  editor.confirms = true;
  await editor.run("tutorLsp.attempt");
  delete editor.settings.wordWrap;
  assert.equal(opened(), before + 1);
  assert.equal(existsSync(settings), false);
});

test("an exercise opens, too, where its folder takes no settings", OPTIONS, async () => {
  const folder = join(roots().at(-1) ?? "", ".vscode");
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "mine");
  const before = opened();
  await editor.run("tutorLsp.attempt");
  assert.equal(opened(), before + 1);
  assert.match(editor.log.join("|"), /Long lines will not be wrapped/);
  assert.equal(readFileSync(folder, "utf8"), "mine");
});

test("what only looks is not asked about, nor is a row that names its session", OPTIONS, async () => {
  editor.confirms = false;
  await editor.run("tutorLsp.check");
  await editor.run("tutorLsp.end", "no-such-session");
  assert.ok(!editor.messages.includes(ASKED));
  assert.match(editor.messages.at(-1) ?? "", /no-such-session/);
});

test("where no exercise is begun, the server says so", OPTIONS, async () => {
  editor.confirms = "Go On Anyway";
  await editor.run("tutorLsp.end");
  assert.match(editor.messages.join("|"), /units pass/);
  await editor.run("tutorLsp.attempt");
  assert.match(editor.messages.at(-1) ?? "", /No exercise is open/);
});
