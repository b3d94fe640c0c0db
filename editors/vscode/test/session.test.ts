// A learner's first minutes, played with the bundle, the language client and the real server; only
// the editor is a stand-in.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { activated, type Extension } from "./activated";
import { FakeEditor } from "./fake";
import { type Exports, stepIn, turnedTo } from "./markdown";
import { OPTIONS, SERVER, skip } from "./server";
import { Storage } from "../src/window/storage";


const editor = new FakeEditor();
let home: string;
let exported: Exports;
let extension: Extension;

function previews(): string[] {
  return editor.executed
    .filter(({ id }) => id === "vscode.openWith")
    .map(({ args }) => (args[0] as { fsPath: string }).fsPath.replace(/^.*\//, ""));
}

before(() => {
  if (skip !== false) {
    return;
  }
  home = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  Object.assign(editor.settings, { command: SERVER, home, backend: "library" });
  // A window on the tutor's home: what is started opens in it.
  editor.folders.push(home);
  // A set-up that was left with this window long ago. It may call a model.
  const left = { argument: { topic: "left-long-ago" }, at: 0, folder: home, pid: 2 ** 30, tries: 1 };
  new Storage(join(home, "storage"), () => false).keepPending("left", left);
  extension = activated(editor, home);
  exported = extension.exported;
});

after(async () => {
  if (skip === false) {
    await extension.deactivate();
    rmSync(home, { recursive: true, force: true });
  }
});

test("a set-up that was left long ago is asked about, not begun", OPTIONS, async () => {
  await editor.eventually("it is asked about", () => editor.messages.join("|").includes('"left-long-ago"'));
  assert.deepEqual(editor.errors, []);
});

test("starting from the list opens the stub, and the lesson with its section marked", OPTIONS, async () => {
  // Python is where the server is; other toolchains may be missing.
  editor.choose = (items) => {
    return items.find(({ label }) => label.includes("Functions and return values"));
  };
  await editor.run("tutorLsp.start");
  await editor.eventually("the lesson is shown", () => previews().includes("LESSON.md"));
  assert.deepEqual(editor.errors, []);
  assert.ok(editor.active?.document.uri.fsPath.startsWith(home));
  const lesson = editor.executed.find(({ id }) => id === "vscode.openWith");
  assert.equal((lesson?.args[2] as { preserveFocus: boolean }).preserveFocus, true);
  const file = (lesson?.args[0] as { fsPath: string }).fsPath;
  const headings = readFileSync(file, "utf8").match(/(?<=^#+ ).+/gm) ?? [];
  // It begins at its beginning, where a line leads to the step's section.
  assert.equal(turnedTo(exported, file, headings), undefined);
  const step = stepIn(exported, file, headings);
  assert.ok(step !== undefined && headings.findIndex((heading) => heading === step) > 0, step);
  assert.equal(editor.progress.length, 1);
  await editor.eventually("the status bar counts", () =>
    /\$\(mortar-board\) 0 of \d/.test(editor.bar.text),
  );
});

test("a check saves what was changed and stays out of the way", OPTIONS, async () => {
  assert.ok(editor.active !== undefined);
  editor.active.document.isDirty = true;
  await editor.run("tutorLsp.check");
  assert.equal(editor.active.document.saves, 1);
  assert.match(editor.messages.join("|"), /Tutor: Not yet: 0 of \d+ tests pass\./);
  assert.deepEqual(editor.errors, []);
});

test("what is told of the stub is shown on it, in the words of the palette", OPTIONS, async () => {
  const shown = (): string[] =>
    (editor.diagnostics.get(editor.active?.document.uri.fsPath ?? "") ?? []).map(
      ({ message }) => message,
    );
  await editor.eventually("the first step is marked", () => shown().length > 0);
  assert.ok(shown().every((message) => message !== "" && !/(?<![\w/.-])tutor\.[a-z]/.test(message)));
  assert.doesNotMatch(editor.log.join("|"), /diagnostic queue failed/);
});

test("a hint is shown rendered beside the code", OPTIONS, async () => {
  await editor.run("tutorLsp.hint");
  assert.deepEqual(previews().at(-1), "coach.md");
  assert.match(editor.messages.join("|"), /Hint 1/);
});

test("where no model answers, that is said before a question is written", OPTIONS, async () => {
  await editor.run("tutorLsp.ask");
  assert.match(editor.messages.at(-1) ?? "", /^Questions about your code need a model/);
  // A code action, as the server sends it.
  const before = editor.messages.length;
  await editor.run("tutor.ask", {});
  assert.match(editor.messages.slice(before).join("|"), /^Questions about your code need a model[^|]*$/);
  editor.press = (_, buttons) => buttons[1];
  await editor.run("tutorLsp.ask");
  editor.press = () => undefined;
  const [section] = editor.executed.filter(({ id }) => id.endsWith("openSettings")).map(({ args }) => args[0]);
  assert.equal(section, "tutor.backend");
});

test("an attempt says where things stand and offers a hint", OPTIONS, async () => {
  await editor.run("tutorLsp.attempt");
  assert.match(editor.messages.join("|"), /Not yet: 0 of \d+ tests pass\./);
  assert.deepEqual(editor.errors, []);
});

test("a server command from a lens takes the same way", OPTIONS, async () => {
  const before = previews().length;
  await editor.run("tutor.hint", {});
  assert.equal(previews().slice(before).join(), "coach.md");
  await editor.run("tutor.open", { target: "lesson" });
  assert.equal(previews().at(-1), "LESSON.md");
  await editor.run("tutorLsp.openTest");
  assert.match(editor.active?.document.uri.fsPath ?? "", /tests\//);
});

test("tests and lesson are put back after asking, not before", OPTIONS, async () => {
  const isLesson = ({ args }: { args: unknown[] }): boolean =>
    (args[0] as { fsPath?: string } | undefined)?.fsPath?.endsWith("LESSON.md") === true;
  const file = (editor.executed.find(isLesson)?.args[0] as { fsPath: string }).fsPath;
  const given = readFileSync(file, "utf8");
  writeFileSync(file, "my notes");
  editor.confirms = false;
  editor.choose = (items) => items.find(({ label }) => label.includes("Tests and lesson"));
  await editor.run("tutorLsp.restore");
  assert.equal(readFileSync(file, "utf8"), "my notes");
  editor.confirms = true;
  await editor.run("tutorLsp.restore");
  assert.equal(readFileSync(file, "utf8"), given);
  assert.deepEqual(editor.errors, []);
});

test("the solution is shown after asking, not before", OPTIONS, async () => {
  editor.confirms = false;
  await editor.run("tutorLsp.reveal");
  assert.match(editor.messages.at(-1) ?? "", /^Show the solution of \w+\?$/);
  assert.ok(editor.bar.text.includes("0 of"));
  const before = previews().length;
  editor.confirms = true;
  await editor.run("tutorLsp.reveal");
  assert.equal(previews().length, before + 1);
  assert.deepEqual(editor.errors, []);
});

test("a session is resumed from the list", OPTIONS, async () => {
  editor.choose = (items) => items.find(({ kind }) => kind === undefined);
  const before = previews().length;
  await editor.run("tutorLsp.sessions");
  assert.equal(previews().slice(before).join(), "LESSON.md");
  assert.doesNotMatch(editor.active?.document.uri.fsPath ?? "", /tests\//);
});

test("a topic is claimed by a click on its row, and given back from the row's menu", OPTIONS, async () => {
  const topic = { id: "python-recursion", title: "Recursion", language: "python", claimed: false };
  const seen: unknown[] = [];
  editor.choose = (items, title) => {
    seen.push([title, ...items.map(({ label }) => label)]);
    return items[1];
  };
  await editor.run("tutorLsp.topic", topic);
  const row = { id: topic.id, label: topic.title, subject: { ...topic, claimed: true } };
  await editor.run("tutorLsp.topic", row);
  assert.deepEqual(seen, [
    ["Recursion", "$(play) Start", "$(pass) I know this"],
    ["Recursion", "$(play) Start", "$(circle-outline) I would rather learn this"],
  ]);
  assert.deepEqual(editor.errors, []);
});

test("what the server refuses is said in its own words", OPTIONS, async () => {
  await editor.run("tutorLsp.start", { node: "no-such-node" });
  assert.match(editor.errors.join("|"), /^[^|]*no-such-node[^|]*$/);
});

test("after a restart the session is still there", OPTIONS, async () => {
  await editor.run("tutorLsp.restart");
  await editor.run("tutorLsp.end");
  assert.match(editor.messages.join("|"), /units pass, 1 attempt/);
});
