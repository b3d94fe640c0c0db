// Two exercises in one window, and what the Testing view says of each: bundle, language client and
// real server; only the editor is a stand-in.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Branch } from "../src/views/trees";
import { activated, type Extension } from "./activated";
import { FakeEditor } from "./fake";
import type { Range } from "./fakeParts";
import { type Exports, turnedTo } from "./markdown";
import { OPTIONS, SERVER, skip } from "./server";

const HEADINGS = ["Handing back an answer", "Functions that use functions"];
const STUB = 'raise NotImplementedError("to_minutes")';

const editor = new FakeEditor();
let home: string;
/** The learner's file of each exercise. */
let movie: string;
let tour: string;
let exported: Exports;
let extension: Extension;

/** What the tutor's view calls the exercise. */
async function shown(): Promise<string | undefined> {
  const roots = (await editor.trees.get("tutorLsp.session")?.()) as Branch[] | undefined;
  return roots?.[0]?.label;
}

async function start(node: string): Promise<string> {
  const before = editor.active;
  await editor.run("tutorLsp.start", { node });
  await editor.eventually(`${node} is open`, () => editor.active !== before);
  return editor.active?.document.uri.fsPath ?? "";
}

/** Turns to the first line of a file that has this text. */
function goTo(file: string, text: string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  editor.show(
    file,
    lines.findIndex((line) => line.includes(text)),
  );
}

/** Text of the line that the cursor is on. */
function here(): string {
  const { document, selection } = editor.active ?? assert.fail("no editor");
  return document.getText().split("\n")[selection.active.line] ?? "";
}

function write(file: string, before: string, after: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace(before, after));
}

before(async () => {
  if (skip !== false) {
    return;
  }
  home = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  Object.assign(editor.settings, { command: SERVER, home, backend: "library" });
  editor.folders.push(home);
  extension = activated(editor, home);
  exported = extension.exported;
  movie = await start("python-functions");
  tour = await start("python-loops");
});

after(async () => {
  if (skip === false) {
    await extension.deactivate();
    rmSync(home, { recursive: true, force: true });
  }
});

test("bar, view and Testing view follow the tab from one exercise to the other", OPTIONS, async () => {
  await editor.eventually("the second is shown", async () => (await shown()) === "Bike tour");
  editor.show(movie);
  await editor.eventually("the first is shown", async () => (await shown()) === "Movie night");
  assert.match(editor.bar.tooltip, /^Movie night/);
  // Screen readers are told a description instead of the label.
  const [first] = editor.testing.items;
  assert.match(first?.label ?? "", /^ex-1 to_minutes · \S/);
  assert.equal(first?.description, undefined);
});

test("a run that is asked for in the Testing view is one of the exercise it shows", OPTIONS, async () => {
  write(movie, STUB, "return hours * 60 + minutes");
  const own = editor.testing.tests("ex-1");
  // The view has not followed the tab yet.
  editor.show(tour);
  await editor.testing.ask(own);
  assert.deepEqual(own.map(({ id }) => editor.testing.said.get(id)), ["passed", "passed", "passed"]);
  await editor.eventually("the second is shown", async () => (await shown()) === "Bike tour");
});

test("the lesson in front follows, too; what covers it was put there on purpose", OPTIONS, async () => {
  const lessons = (): string[] =>
    editor.executed
      .filter(({ id }) => id === "vscode.openWith")
      .map(({ args }) => (args[0] as { fsPath: string }).fsPath);
  const lessonOf = (file: string): string => join(file, "../../../LESSON.md");
  const turnTo = async (file: string, title: string): Promise<void> => {
    editor.show(file);
    await editor.eventually(`${title} is shown`, async () => (await shown()) === title);
  };
  await turnTo(tour, "Bike tour");
  editor.read(lessonOf(tour));
  await turnTo(movie, "Movie night");
  await editor.eventually("the lesson has followed", () => lessons().at(-1) === lessonOf(movie));
  editor.read(join(movie, "../../../.tutor/coach.md"));
  const before = lessons().length;
  await turnTo(tour, "Bike tour");
  assert.equal(lessons().length, before);
});

test("results of the exercise before are known again when its tab is", OPTIONS, async () => {
  for (const [file, title] of [
    [movie, "Movie night"],
    [tour, "Bike tour"],
    [movie, "Movie night"],
  ] as const) {
    editor.show(file);
    await editor.eventually(`${title} is shown`, async () => (await shown()) === title);
  }
  const roots = (await editor.trees.get("tutorLsp.session")?.()) as Branch[];
  const unit = roots[0]?.children?.[0];
  assert.deepEqual(unit?.children?.map(({ description }) => description), ["passes", "passes", "passes"]);
});

test("a text that does not build marks what passed before as outdated", OPTIONS, async () => {
  assert.deepEqual(editor.testing.outdated, []);
  write(movie, "return hours * 60 + minutes", "return hours * (");
  await editor.run("tutorLsp.check");
  await editor.eventually("all are marked", () => editor.testing.outdated.includes("all"));
  write(movie, "return hours * (", "return hours * 60 + minutes");
  await editor.run("tutorLsp.check");
  const marked = editor.testing.outdated.length;
  await editor.eventually("the bar counts", () => editor.bar.text.includes('1 of 4'));
  assert.equal(editor.testing.outdated.length, marked);
});

test("what is compared, revealed and opened is the step under the cursor, not the next", OPTIONS, async () => {
  goTo(movie, "return hours * 60 + minutes");
  const diff = (): unknown[] | undefined =>
    editor.executed.find(({ id }) => id === "vscode.diff")?.args;
  await editor.run("tutorLsp.compare");
  assert.equal(diff(), undefined);
  assert.equal(editor.messages.at(-1), "Your code and the reference are the same.");

  write(movie, "hours * 60 + minutes", "minutes + hours * 60");
  await editor.run("tutorLsp.check");
  goTo(movie, "return minutes + hours * 60");
  const at = editor.active?.selection.active.line;
  await editor.run("tutorLsp.compare");
  assert.deepEqual(editor.errors, []);
  assert.equal(diff()?.[2], "ex-1 to_minutes: yours ↔ reference");
  assert.equal((diff()?.[3] as { selection: Range }).selection.start.line, at);

  goTo(movie, "def catches_bus");
  editor.confirms = false;
  await editor.run("tutorLsp.reveal");
  assert.ok(editor.messages.includes("Show the solution of catches_bus?"));
  await editor.run("tutorLsp.openLesson");
  const lesson = join(movie, "../../../LESSON.md");
  const headings = ["Movie night", "Handing back an answer", "Yes or no"];
  assert.equal(turnedTo(exported, lesson, headings), "Yes or no");
  await editor.run("tutorLsp.openTest");
  assert.match(here(), /def test_catches_bus/);
});

test("from a test to its stub; from a stub to the one that is next", OPTIONS, async () => {
  goTo(join(movie, "../../../tests/test_movie.py"), "def test_plan");
  await editor.run("tutorLsp.openStub");
  assert.match(here(), /NotImplementedError\("plan"\)/);
  await editor.run("tutorLsp.openStub");
  assert.match(here(), /NotImplementedError\("ends_at"\)/);
});

test("each row of a test leads to that test", OPTIONS, async () => {
  const roots = (await editor.trees.get("tutorLsp.session")?.()) as Branch[];
  for (const unit of roots[0]?.children?.slice(0, 2) ?? []) {
    for (const { command, label } of unit.children ?? []) {
      await editor.run(...(command ?? assert.fail(label)));
      const before = readFileSync(editor.active?.document.uri.fsPath ?? "", "utf8")
        .split("\n")
        .slice(0, (editor.active?.selection.active.line ?? 0) + 1);
      assert.match(before.filter((line) => line.startsWith("def ")).at(-1) ?? "", new RegExp(label.replaceAll(" ", "_")));
    }
  }
});

test("a step that passes brings its lesson before the hint of the step before", OPTIONS, async () => {
  const lesson = join(movie, "../../../LESSON.md");
  editor.show(movie);
  await editor.eventually("the first is shown", async () => (await shown()) === "Movie night");
  editor.read(join(movie, "../../../.tutor/coach.md"), lesson);
  const shows = (): unknown[] =>
    editor.executed.filter(({ id, args }) => {
      return id === "vscode.openWith" && (args[0] as { fsPath: string }).fsPath === lesson;
    });
  const before = shows().length;
  write(movie, "return minutes + hours * 60", STUB);
  await editor.run("tutorLsp.check");
  await editor.eventually("the bar counts", () => editor.bar.text.includes("0 of 4"));
  write(movie, STUB, "return hours * 60 + minutes");
  await editor.run("tutorLsp.check");
  await editor.eventually("the lesson is shown", () => {
    return shows().length > before && turnedTo(exported, lesson, HEADINGS) === HEADINGS[1];
  });
});
