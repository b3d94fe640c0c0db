// What buttons and menus of the manifest ask of a window. With a stand-in for the server.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { opened } from "./data";
import { STATUS } from "./standIn";
import { Window } from "./window";

const OPTIONS = { timeout: 60_000 };

let window: Window;

afterEach(() => window.end());

test("a window whose exercise is closed has none", OPTIONS, async () => {
  window = new Window();
  const { editor, folder, server } = window;
  window.exercise();
  server.answer("tutor.status", { ...STATUS, session: { ...opened("s"), workspace: folder }, units: [] });
  window.begin();
  await editor.eventually("it has one", () => editor.contextKey("tutorLsp.exercise") === true);
  assert.deepEqual([editor.contextKey("tutorLsp.serverRan"), editor.contextKey("tutorLsp.work")], [true, true]);
  editor.closeFolder(folder);
  assert.equal(editor.contextKey("tutorLsp.exercise"), false);
});

test("a window has work before its server runs, and none where there is no exercise", OPTIONS, async () => {
  window = new Window();
  const { editor, server } = window;
  server.broken = true;
  window.exercise();
  window.begin();
  await editor.eventually("the server failed", () => editor.contextKey("tutorLsp.serverFailed") === true);
  assert.deepEqual([editor.contextKey("tutorLsp.serverRan"), editor.contextKey("tutorLsp.work")], [undefined, true]);
  await window.end();
  window = new Window();
  window.begin();
  assert.equal(window.editor.contextKey("tutorLsp.work"), false);
});
