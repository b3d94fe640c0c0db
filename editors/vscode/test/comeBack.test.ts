// An exercise's window that comes up with no editor: stub and lesson are opened, and nothing where
// there is one. The bundle in a stand-in for the editor, with a stand-in for the server.
import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Storage } from "../src/window/storage";
import { opened, unit } from "./data";
import type { FakeEditor } from "./fake";
import { STATUS, type StandIn } from "./standIn";
import { Window } from "./window";

const OPTIONS = { timeout: 60_000 };

let window: Window;
let editor: FakeEditor;
let server: StandIn;
let root: string;
let storage: Storage;

beforeEach(() => {
  window = new Window();
  ({ editor, server, folder: root } = window);
  window.exercise();
  window.write("LESSON.md", "# Loops\n");
  for (const name of ["lib.rs", "later.rs"]) {
    window.write(join("src", name), "\n".repeat(20));
  }
  const units = [unit("ex-1", { state: "passing" }), unit("ex-2", { focus: true, file: "src/later.rs" })];
  server.answer("tutor.status", { ...STATUS, session: { ...opened("s"), workspace: root }, units });
  storage = new Storage(join(root, "storage"), () => false);
  editor.tabGroups.all = [{ tabs: [] }];
});

afterEach(() => window.end());

/** Files that are shown, code first. */
function shown(): string[] {
  const read = editor.executed.filter(({ id }) => id === "vscode.openWith");
  const files = [editor.active?.document.uri.fsPath, ...read.map(({ args }) => (args[0] as { fsPath: string }).fsPath)];
  return files.filter((file) => file !== undefined).map((file) => file.slice(root.length + 1));
}

async function begin(): Promise<void> {
  window.begin();
  await editor.eventually("the status is known", () => editor.isReady && server.asked.length > 0);
  await editor.run("tutorLsp.refresh");
}

/** What the window before has left. */
function leave(): void {
  const lesson = join(root, "LESSON.md");
  const file = join(root, "src", "lib.rs");
  storage.leaveArrival({ folder: root, root, file, line: 3, lesson, heading: undefined, made: false });
}

test("an exercise's window without any editor is led to its stub and lesson", OPTIONS, async () => {
  await begin();
  await editor.eventually("both are shown", () => shown().length === 2);
  assert.deepEqual(shown(), ["src/later.rs", "LESSON.md"]);
});

test("where something is open nothing else is opened", OPTIONS, async () => {
  editor.openText(join(root, "src", "lib.rs"));
  await begin();
  assert.deepEqual(shown(), []);
});

test("where the learner arranges windows an empty one stays so", OPTIONS, async () => {
  editor.settings.layout = "mine";
  await begin();
  assert.deepEqual(shown(), []);
});

test("what was left for a window is shown again where the editor had not kept it, and once only", OPTIONS, async () => {
  leave();
  storage.takeArrival(root);
  await begin();
  await editor.eventually("both are shown", () => shown().length === 2);
  assert.deepEqual(shown(), ["src/lib.rs", "LESSON.md"]);
});

test("what was left for a window stays unseen where the editor has kept what was open", OPTIONS, async () => {
  leave();
  storage.takeArrival(root);
  editor.openText(join(root, "src", "later.rs"));
  await begin();
  assert.deepEqual(shown(), []);
  assert.equal(storage.takeArrival(root), undefined);
});

test("a lesson that the editor had not kept comes back beside the stub", OPTIONS, async () => {
  leave();
  storage.takeArrival(root);
  editor.openText(join(root, "src", "lib.rs"));
  await begin();
  await editor.eventually("it is shown", () => shown().length > 0);
  assert.deepEqual(shown(), ["LESSON.md"]);
});
