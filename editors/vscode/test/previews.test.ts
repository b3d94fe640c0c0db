// VS Code's preview in its bad moments: one that was drawn before the newest text was read, and a window
// that does not know it yet. The bundle in a stand-in, with a stand-in for the server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import type { Extension } from "./activated";
import { review } from "./data";
import type { FakeEditor } from "./fake";
import { turnOf } from "./markdown";
import { Window } from "./window";

const HEADING = "Review of attempt 1: passed";

let window: Window;
let editor: FakeEditor;
let coach: string;
let extension: Extension;

beforeEach(() => {
  window = new Window({ "tutor.review": review(), "tutor.open": { file: ".tutor/coach.md", line: 3 } });
  ({ editor } = window);
  window.exercise();
  coach = window.write(".tutor/coach.md", `# The newest\n\n## ${HEADING}\n`);
  extension = window.begin();
  editor.show(window.write("a.py", "x = 1\n"));
});

afterEach(() => window.end());

function drawn(): number {
  return editor.executed.filter(({ id }) => id === "markdown.preview.refresh").length;
}

test("what the editor has read already is drawn once", async () => {
  editor.read(coach);
  await editor.run("tutorLsp.review");
  await editor.eventually("it is drawn", () => drawn() === 1);
});

test("what it has yet to read is drawn once more after that", async () => {
  editor.read(coach);
  const held = editor.document(coach);
  let text = "# Older\n";
  held.getText = () => text;
  await editor.run("tutorLsp.review");
  await editor.eventually("it is drawn as it is", () => drawn() === 1);
  text = readFileSync(coach, "utf8");
  await editor.eventually("it is drawn anew", () => drawn() === 2);
});

test("what is asked for twice within a moment is turned to twice", async (t) => {
  t.mock.method(Date, "now", () => 1000);
  const turns: number[] = [];
  for (let time = 0; time < 2; time += 1) {
    await editor.run("tutorLsp.openCoach", { attempt: 1 });
    turns.push(turnOf(extension.exported, coach, HEADING));
  }
  assert.ok(Number(turns[1]) > Number(turns[0]), turns.join());
});

test("what is read is never left as raw text", async () => {
  let late = 2;
  editor.commands.set("vscode.openWith", () => {
    if (late > 0) {
      late -= 1;
      editor.openText(coach);
    } else {
      editor.read(coach);
    }
  });
  await editor.run("tutorLsp.review");
  await editor.eventually("it is rendered", () => editor.isRead(coach));
  assert.equal(editor.closed, 2);
  assert.deepEqual(editor.errors, []);
});
