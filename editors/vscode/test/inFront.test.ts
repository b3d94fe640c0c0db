// Two exercises in one window: answers and buttons stay with the one that was asked about, though
// the other is in front by then. With a stand-in for the server.
import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { AttemptResult } from "../src/server/protocol";
import { attempt, report, review } from "./data";
import type { FakeEditor } from "./fake";
import { Uri } from "./fakeParts";
import type { StandIn } from "./standIn";
import { Window } from "./window";

const OPTIONS = { timeout: 60_000 };
const PLACE = { file: "src/a.py", line: 1, endLine: 1, quote: "x = 1" };

let window: Window;
let editor: FakeEditor;
let server: StandIn;
let folder: string;
/** The learner's file of each exercise. */
let first: string;
let second: string;

function exercise(name: string): string {
  window.exercise(name);
  window.write(join(name, ".tutor", "coach.md"), "# Hints");
  return window.write(join(name, "src", "a.py"), "x = 1\n");
}

beforeEach(() => {
  window = new Window();
  ({ editor, server, folder } = window);
  first = exercise("first");
  second = exercise("second");
});

afterEach(() => window.end());

function begin(answers: Record<string, unknown>): void {
  for (const [command, result] of Object.entries(answers)) {
    server.answer(command, result);
  }
  window.begin();
  editor.show(first);
}

/** What the server was asked, once it was. */
async function asked(command: string): Promise<object | undefined> {
  const find = (): { arguments: object[] } | undefined =>
    server.asked.find((one) => one.command === command);
  await editor.eventually(`${command} is asked`, () => find() !== undefined);
  return find()?.arguments[0];
}

/** Attempts the first exercise; a button of the message is pressed on the other's tab. */
async function pressed(button: string, result: AttemptResult, more: object = {}): Promise<void> {
  begin({ "tutor.attempt": result, ...more });
  editor.press = (_message, buttons) => {
    if (buttons.includes(button)) {
      editor.show(second);
      return button;
    }
    return undefined;
  };
  await editor.run("tutorLsp.attempt");
}

test("Next ends the exercise that was attempted, not the one in front", OPTIONS, async () => {
  const next = [{ node: "n", title: "Closures", reason: "new" }];
  await pressed("Next: Closures", attempt({ next }));
  assert.deepEqual(await asked("tutor.next"), { uri: pathToFileURL(first).toString() });
});

test("a hint that a message offers is one for its exercise", OPTIONS, async () => {
  const failing = attempt({ report: report("failed", ["failed"]), review: null });
  await pressed("Hint", failing, { "tutor.hint": { unit: "ex-1", level: 1, text: "Look." } });
  assert.deepEqual(await asked("tutor.hint"), { uri: pathToFileURL(first).toString() });
});

test("the open case is one of its exercise", OPTIONS, async () => {
  const counterExample = { unit: "ex-2", setup: [], call: "f(0)", expected: "0", gave: "1" };
  const not = review({ verdict: "FAIL", counterExample });
  await pressed("Go There", attempt({ review: not }), { "tutor.open": { file: "src/a.py", line: 1 } });
  const uri = pathToFileURL(first).toString();
  assert.deepEqual(await asked("tutor.open"), { uri, unit: "ex-2", target: "stub" });
});

test("what can be improved is shown in its exercise", OPTIONS, async () => {
  await pressed(
    "What to Improve",
    attempt({ review: review({ improvement: "Shorter.", improvementAt: PLACE }) }),
  );
  await editor.eventually("it is shown", () => editor.active?.document.uri.fsPath === first);
});

test("an answer that arrives on the other's tab is shown from the exercise asked about", OPTIONS, async () => {
  begin({ "tutor.reveal": { unit: "ex-1", file: "src/a.py", solution: "x = 2" } });
  const answer = editor.run("tutorLsp.reveal");
  editor.show(second);
  await answer;
  const read = editor.executed.filter(({ id }) => id === "vscode.openWith");
  const files = read.map(({ args }) => (args[0] as { fsPath: string }).fsPath);
  assert.deepEqual(files, [join(folder, "first/.tutor/coach.md")]);
});

test("what an attempt looks at is saved, whichever exercise is in front", OPTIONS, async () => {
  begin({ "tutor.attempt": attempt() });
  editor.document(first).isDirty = true;
  editor.show(second);
  await editor.run("tutorLsp.attempt", { uri: pathToFileURL(first).toString() });
  assert.equal(editor.document(first).saves, 1);
});

test("a button of an editor is about that editor's exercise", OPTIONS, async () => {
  begin({ "tutor.check": report("passed") });
  await editor.run("tutorLsp.check", Uri.file(second));
  assert.deepEqual(await asked("tutor.check"), { uri: pathToFileURL(second).toString() });
});

test("keys and buttons are there in files of an exercise, and in no others", OPTIONS, () => {
  const lesson = join(folder, "first/LESSON.md");
  editor.read(lesson, join(folder, "notes.md"));
  begin({});
  assert.deepEqual(editor.contextKey("tutorLsp.folders"), [join(folder, "first")]);
  editor.read(second);
  assert.deepEqual(editor.contextKey("tutorLsp.folders"), [join(folder, "second/src")]);
  editor.read();
  assert.deepEqual(editor.contextKey("tutorLsp.folders"), []);
});
