// The buttons under a set-up that failed: each mends what it can, and leads back to the list.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { FakeEditor } from "./fake";
import type { StandIn } from "./standIn";
import { Window } from "./window";

const OPTIONS = { timeout: 60_000 };

let window: Window;
let editor: FakeEditor;
let server: StandIn;

beforeEach(() => {
  // A window on something else, where nothing starts by itself.
  window = new Window({ "tutor.choices": [] });
  ({ editor, server } = window);
  window.begin();
});

afterEach(() => window.end());

function asksForTheList(): boolean {
  return server.asked.some(({ command }) => command === "tutor.choices");
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
  await editor.run("tutorLsp.mend", "reinstall");
  const opened = editor.executed.filter(({ id }) => id === "extension.open").map(({ args }) => args);
  assert.deepEqual(opened, [["someone.tutor-lsp"]]);
});

test("what is typed for the learner is not run", OPTIONS, async () => {
  await editor.run("tutorLsp.type", "codex login\r\u0003");
  assert.deepEqual(editor.typed, ["codex login  "]);
});
