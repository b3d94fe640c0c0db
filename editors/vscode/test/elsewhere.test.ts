// A window on a project, while the exercise is open elsewhere: with the real server.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { activated, type Extension } from "./activated";
import { FakeEditor } from "./fake";
import { focused, WRAPPED } from "../src/window/folderSettings";
import { OPTIONS, SERVER, skip } from "./server";

const ASKED = "Your exercise “Movie night” is not open in this window.";

const editor = new FakeEditor();
let folder: string;
let extension: Extension;

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
  editor.folders.push(join(folder, "project"));
  extension = activated(editor, folder);
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
  // The editor asks there whether the folder of all exercises is trusted.
  assert.equal(roots().at(-1), join(folder, "home", "exercises"));
  assert.deepEqual(editor.messages.slice(0, 1), [ASKED]);
  assert.equal(opened(), before + 1);
  assert.doesNotMatch(editor.messages.join("|"), /tests pass/);
  editor.confirms = "Continue Anyway";
  await editor.run("tutorLsp.attempt");
  assert.match(editor.messages.join("|"), /0 of 11 tests pass/);
});

/** Where it is kept what was set in which exercise. */
function layouts(): string {
  return join(folder, "storage", "layouts");
}

test("its window has settings of its own, which come once", OPTIONS, async () => {
  const settings = join(roots().at(-1) ?? "", ".vscode", "settings.json");
  assert.deepEqual(JSON.parse(readFileSync(settings, "utf8")), { ...focused(), ...WRAPPED });
  rmSync(settings);
  const before = opened();
  editor.confirms = true;
  await editor.run("tutorLsp.attempt");
  assert.equal(opened(), before + 1);
  assert.equal(existsSync(settings), false);
});

test("lines are not wrapped where the learner has said how they are shown", OPTIONS, async () => {
  const settings = join(roots().at(-1) ?? "", ".vscode", "settings.json");
  rmSync(layouts(), { recursive: true });
  editor.settings.wordWrap = "off";
  await editor.run("tutorLsp.attempt");
  delete editor.settings.wordWrap;
  assert.deepEqual(JSON.parse(readFileSync(settings, "utf8")), focused());
});

test("a window that is the learner's own gets none", OPTIONS, async () => {
  const settings = join(roots().at(-1) ?? "", ".vscode", "settings.json");
  rmSync(layouts(), { recursive: true });
  rmSync(settings);
  editor.settings.layout = "mine";
  await editor.run("tutorLsp.attempt");
  delete editor.settings.layout;
  assert.equal(existsSync(settings), false);
});

test("an exercise opens, too, where its folder takes no settings", OPTIONS, async () => {
  const folder = join(roots().at(-1) ?? "", ".vscode");
  rmSync(layouts(), { recursive: true, force: true });
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "mine");
  const before = opened();
  await editor.run("tutorLsp.attempt");
  assert.equal(opened(), before + 1);
  assert.match(editor.log.join("|"), /window's settings could not be written/);
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
  editor.confirms = "Continue Anyway";
  await editor.run("tutorLsp.end");
  assert.match(editor.messages.join("|"), /units pass/);
  await editor.run("tutorLsp.attempt");
  assert.match(editor.messages.at(-1) ?? "", /No exercise is open/);
});
