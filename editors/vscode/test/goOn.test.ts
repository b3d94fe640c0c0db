// Which set-ups of long ago go on without a question.
import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { STATUS } from "./standIn";
import { Window } from "./window";
import { Storage } from "../src/window/storage";

const OPTIONS = { timeout: 60_000 };
const LIBRARY = { name: "library", why: "it is one", answersQuestions: false };

let window: Window;

afterEach(() => window.end());

/** Whether a set-up of `node`, left long ago, is asked about; otherwise it was begun. */
async function isAsked(node: string, serving = LIBRARY.name, settings: object = {}): Promise<boolean> {
  window = new Window({
    "tutor.curriculum": { nodes: [{ id: "bundled", exercises: [{ depth: "D1" }] }, { id: "bare", exercises: [] }] },
    "tutor.start": { error: { code: -32000, message: "It was begun." } },
  });
  const { editor, server, folder } = window;
  server.answer("tutor.status", { ...STATUS, backend: { ...LIBRARY, name: serving } });
  Object.assign(editor.settings, settings);
  const left = { argument: { node }, at: 0, folder, pid: 2 ** 30, tries: 1 };
  new Storage(join(folder, "storage"), () => false).keepPending("left", left);
  window.begin();
  const asked = (): boolean => editor.messages.join("|").includes(`"${node}"`);
  const begun = (): boolean => server.asked.some(({ command }) => command === "tutor.start");
  await editor.eventually("it is asked about or begun", () => asked() || begun());
  return asked() && !begun();
}

test("a set-up that the library serves goes on", OPTIONS, async () => {
  assert.equal(await isAsked("bundled"), false);
});

test("where the library or the automatic choice is set, it goes on too", OPTIONS, async () => {
  assert.equal(await isAsked("bundled", "library", { backend: "auto" }), false);
});

test("where the editor's settings choose a model it is asked about", OPTIONS, async () => {
  assert.equal(await isAsked("bundled", "library", { backend: "codex" }), true);
});

test("where the server's own settings choose a model it is asked about", OPTIONS, async () => {
  assert.equal(await isAsked("bundled", "codex"), true);
});

test("a topic without a bundled exercise, or that is not known, is asked about", OPTIONS, async () => {
  assert.equal(await isAsked("bare"), true);
  await window.end();
  assert.equal(await isAsked("unknown"), true);
});
