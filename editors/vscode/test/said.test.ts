// Nothing that the server says is lost: one test per result, with a stand-in for editor and server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import type { Command } from "../src/server/protocol";
import { attempt, opened, report, review, say, unit } from "./data";
import type { FakeEditor } from "./fake";
import { type StandIn, STATUS } from "./standIn";
import { Window } from "./window";

const OPTIONS = { timeout: 60_000 };

let window: Window;
let editor: FakeEditor;
let server: StandIn;
let folder: string;

beforeEach(() => {
  window = new Window();
  ({ editor, server, folder } = window);
  window.exercise();
  window.begin();
  editor.show(window.write("src/a.py", "x = 1\n"));
});

afterEach(() => window.end());

/** What is seen: lists and messages, the status bar, and pages that are read. */
function seen(): string {
  const pages = editor.executed
    .filter(({ id }) => id === "markdown.showPreview" || id === "vscode.openWith")
    .map(({ args }) => args[0] as { fsPath: string; query: string })
    .map(({ fsPath, query }) => query || readFileSync(fsPath, "utf8"));
  return [...editor.messages, ...editor.rows, editor.bar.tooltip, ...pages].join("\n");
}

/** Results as the server sends them, and the command of the palette that asks for each. */
const SHOWN: [command: Command, id: string, result: object, argument?: object][] = [
  ["tutor.start", "start", { jobId: "j", node: "n", language: "python", depth: "D1" }, { node: "n" }],
  ["tutor.next", "next", { jobId: "j", node: "n", language: "python", depth: "D1", ended: "" }],
  ["tutor.check", "check", report("passed", ["passed"])],
  ["tutor.check", "check", report("failed", ["failed"])],
  ["tutor.check", "check", report("cancelled")],
  ["tutor.check", "check", report("build_error")],
  ["tutor.check", "check", report("not_run")],
  ["tutor.attempt", "attempt", attempt()],
  ["tutor.attempt", "attempt", attempt({ review: null })],
  ["tutor.attempt", "attempt", attempt({ report: report("cancelled") })],
  ["tutor.hint", "hint", { unit: "ex-1", level: 1, text: "Look.", code: null, verified: false }],
  ["tutor.review", "review", review()],
  ["tutor.reveal", "reveal", { unit: "ex-1", file: "src/a.py", solution: "x = 2" }],
  ["tutor.reset", "reset", { files: ["src/a.py"], kept: [], older: [], undone: false }],
  ["tutor.restore", "restore", { files: [], kept: [], older: [], undone: false }],
  ["tutor.status", "status", STATUS],
  ["tutor.end", "end", { summary: "", recommendations: [] }],
  ["tutor.cancel", "cancel", { cancelled: false }],
];

for (const [index, [command, id, result, argument]] of SHOWN.entries()) {
  test(`what ${command} says is shown (${index + 1})`, OPTIONS, async () => {
    server.answer("tutor.choices", []);
    server.answer(command, { ...result, say: say("This") });
    editor.press = (_message, buttons) => buttons.find((button) => button === "Details");
    await editor.run(`tutorLsp.${id}`, ...(argument === undefined ? [] : [argument]));
    await editor.eventually("it is shown", () => /This (in one line|as a whole)\./.test(seen()));
    assert.deepEqual(editor.errors, []);
    // What a message has no room for is behind its button.
    if (editor.offered.some((titles) => titles.includes("Details"))) {
      await editor.eventually("all is shown", () => seen().includes("This as a whole."));
    }
  });
}

test("what an answer says is shown, whether or not there is one", OPTIONS, async () => {
  for (const reason of ["NO_MODEL", "NO_ANSWER", null]) {
    const what = `About ${String(reason)}`;
    server.answer("tutor.hint", { unit: "ex-1", level: 1, text: "Look.", reason, say: say(what) });
    await editor.run("tutorLsp.ask");
    await editor.eventually("it is shown", () => seen().includes(`${what} in one line.`));
  }
});

test("the doctor's page is filled anew where it is open, and names the problems", OPTIONS, async () => {
  for (const problem of ["The disk is full.", "The clock is slow."]) {
    server.answer("tutor.doctor", { tools: [], home: "/", problems: [problem], say: say("This") });
    await editor.run("tutorLsp.doctor");
    await editor.eventually("it is shown", () => editor.pages.join().includes(problem));
  }
  assert.equal(editor.pages.length, 1);
  assert.match(editor.pages[0] ?? "", /<h1>This as a title<\/h1>/);
});

test("a hint and a review are read where they are kept", OPTIONS, async () => {
  window.write(".tutor/coach.md", "# Hints and reviews\n\nLook.\n");
  const hint = { unit: "ex-1", level: 1, text: "Look.", code: null, verified: false };
  server.answer("tutor.hint", { ...hint, say: say("A hint") });
  await editor.run("tutorLsp.hint");
  await editor.eventually("it is read", () => /A hint in one line[^]*Look\./.test(seen()));
});

test("the last hint leads on by buttons", OPTIONS, async () => {
  window.write(".tutor/coach.md", "# Hints and reviews\n\nLook.\n");
  const argument = { session: "s1", unit: "ex-1", confirm: true };
  const actions = [{ title: "Show the solution", command: "tutor.reveal", argument }];
  server.answer("tutor.hint", { unit: "ex-1", level: 3, text: "Look.", actions, say: say("A hint") });
  editor.press = (_message, buttons) => buttons.find((button) => button === "Show the solution");
  await editor.run("tutorLsp.hint");
  await editor.eventually("it is followed", () => editor.executed.some(({ id }) => id === "tutor.reveal"));
  assert.deepEqual(editor.executed.find(({ id }) => id === "tutor.reveal")?.args, [argument]);
});

test("an easier exercise is begun by its own command, once the last hint has led to it", OPTIONS, async () => {
  const session = { ...opened("s1"), workspace: folder };
  const status = (actions: object[]): void => {
    server.answer("tutor.status", { ...STATUS, session, units: [unit("ex-1", { focus: true, actions } as never)] });
  };
  const argument = { language: "python", node: "python-values" };
  server.answer("tutor.start", { jobId: "j", node: "python-values", language: "python", depth: "D1", say: say("Start") });
  status([]);
  await editor.run("tutorLsp.refresh");
  await editor.run("tutorLsp.easier");
  assert.equal(editor.messages.at(-1), "An easier exercise is offered after the last hint, if there is one.");
  assert.ok(!server.asked.some(({ command }) => command === "tutor.start"));
  const reveal = { title: "Show the solution", command: "tutor.reveal", argument: {} };
  status([reveal, { title: "Take an easier exercise first: Values", command: "tutor.start", argument }]);
  await editor.run("tutorLsp.refresh");
  await editor.run("tutorLsp.easier");
  const asked = server.asked.find(({ command }) => command === "tutor.start");
  assert.deepEqual(asked?.arguments, [argument]);
});

test("a key undoes the last reset without a list", OPTIONS, async () => {
  server.answer("tutor.reset", { files: [], kept: [], older: [], undone: true, say: say("Undone") });
  await editor.run("tutorLsp.reset", { undo: true });
  const asked = server.asked.find(({ command }) => command === "tutor.reset");
  assert.equal((asked?.arguments[0] as { undo?: boolean }).undo, true);
  assert.deepEqual(editor.rows, []);
});

test("a comparison has the title that the server gives it; a difference that is none is said", OPTIONS, async () => {
  const reference = window.write("reference.py", "x = 2\n");
  const files = { unit: "ex-1", file: "src/a.py", yours: join(folder, "src/a.py"), diff: "" };
  server.answer("tutor.compare", { ...files, reference, say: say("Both") });
  await editor.run("tutorLsp.compare");
  const diff = editor.executed.find(({ id }) => id === "vscode.diff");
  assert.equal(diff?.args[2], "Both as a title");
  const shown = diff.args[1] as { fsPath: string; query: string };
  assert.deepEqual([shown.fsPath, shown.query], ["/reference/a.py", "x = 2\n"]);
  window.write("reference.py", "x = 1\n");
  await editor.run("tutorLsp.compare");
  assert.equal(editor.messages.at(-1), "Both in one line.");
});

test("a session that is resumed, a topic that is claimed, a place that is opened", OPTIONS, async () => {
  const { id: sessionId, ...info } = opened("s1");
  const ready = { ...info, jobId: null, sessionId, workspace: folder, files: [], units: [unit("ex-1", { file: "src/a.py" })] };
  server.answer("tutor.resume", { ...ready, lesson: window.write("LESSON.md", "# One\n"), say: say("Ready") });
  await editor.run("tutorLsp.resume", "s1");
  await editor.eventually("it is said", () => seen().includes("Ready in one line."));
  server.answer("tutor.claim", { ...unit("ex-1"), say: say("Known") });
  editor.choose = (items) => items[1];
  await editor.run("tutorLsp.topic", { id: "n", title: "N", language: "python", claimed: false });
  await editor.eventually("it is said", () => seen().includes("Known in one line."));
  server.answer("tutor.open", { file: "LESSON.md", line: 1, say: say("Place") });
  await editor.run("tutorLsp.openLesson");
  await editor.eventually("it is read", () => seen().includes("# One"));
});

test("what a row asks for is sent with its command", OPTIONS, async () => {
  const ask = { kind: "ask", label: "python", detail: "What would you like to learn?", group: "Own" };
  const row = { ...ask, command: "tutor.start", argument: { language: "python", topic: "" } };
  server.answer("tutor.choices", [row]);
  const started = { jobId: "j", node: null, language: "python", depth: "D1" };
  server.answer("tutor.start", { ...started, say: say("The start") });
  await editor.run("tutorLsp.start");
  const asked = server.asked.find(({ command }) => command === "tutor.start");
  assert.deepEqual(asked?.arguments, [{ language: "python", topic: "why?" }]);
});

test("the report is opened, and where it cannot be that is said", OPTIONS, async () => {
  editor.opensExternally = false;
  server.answer("tutor.report", { path: "/r.html", say: say("The report") });
  await editor.run("tutorLsp.report");
  await editor.eventually("it is said", () => seen().includes("The report in one line."));
});

test("on another machine the report is a page of the editor: a browser would look for the file here", OPTIONS, async () => {
  editor.remoteName = "ssh-remote";
  const path = window.write("r.html", "<html><head></head><body>Your learning</body></html>");
  server.answer("tutor.report", { path, say: say("The report") });
  await editor.run("tutorLsp.report");
  assert.match(editor.pages.join(), /Your learning/);
  assert.equal(editor.openedOutside, 0);
});

test("units that change and tests that ran are told in bar and Testing view", OPTIONS, async () => {
  const session = { ...opened("s1"), workspace: folder };
  const own = { session, units: [unit("ex-1")], say: say("The status") };
  server.answer("tutor.status", { ...STATUS, ...own });
  await editor.run("tutorLsp.refresh");
  assert.equal(editor.bar.text, "$(mortar-board) 1 of 4");
  assert.equal(editor.bar.tooltip, "The status in one line.");
  const about = { sessionId: "s1", workspace: folder };
  const tells = [
    { method: "tutor/unitsChanged", params: { ...about, units: own.units, standing: { words: "2 of 4" }, say: say("Units") } },
    { method: "tutor/testsRan", params: { ...about, report: report("failed", ["failed"]), say: say("The run") } },
  ];
  server.answer("tutor.cancel", { cancelled: true, say: say("Cancel"), tells });
  await editor.run("tutorLsp.cancel");
  await editor.eventually("the bar tells", () => editor.bar.tooltip === "Session s1: Units in one line.");
  assert.equal(editor.bar.text, "$(mortar-board) 2 of 4");
  await editor.eventually("the view tells", () => editor.testing.output.includes("The run as a whole."));
});

test("an exercise that is ready after a while, and one that failed", OPTIONS, async () => {
  const { id: sessionId, ...info } = opened("s1");
  const ready = { ...info, jobId: "j", sessionId, workspace: folder, files: [], units: [], say: say("Ready") };
  const params = { jobId: "k", stage: null, reason: "FAILED", message: "It failed.", details: {}, say: say("Failed") };
  const tells = [
    { method: "tutor/sessionReady", params: ready },
    { method: "tutor/sessionFailed", params },
  ];
  server.answer("tutor.cancel", { cancelled: true, say: say("Cancel"), tells });
  await editor.run("tutorLsp.cancel");
  await editor.eventually("it is offered", () => seen().includes("Ready in one line."));
  await editor.eventually("it is said", () => editor.errors.includes("It failed."));
});

test("a closer hint comes where the first is read, else it is offered, and the first not again", OPTIONS, async () => {
  const coach = window.write(".tutor/coach.md", "# Hints and reviews\n\nAt once.\n");
  const lesson = window.write("LESSON.md", "# A lesson\n");
  const session = { ...opened("s1"), workspace: folder };
  server.answer("tutor.status", { ...STATUS, session, units: [unit("ex-1", { focus: true })] });
  await editor.run("tutorLsp.refresh");
  const hint = { unit: "ex-1", level: 1, text: "At once.", code: null, verified: false };
  const params = { sessionId: "s1", hint, final: false, say: say("At once") };
  const read = (): number =>
    editor.executed.filter(({ id, args }) => id === "vscode.openWith" && (args[0] as { fsPath: string }).fsPath === coach)
      .length;
  const hinted = async (source: string, inFront: string): Promise<[offered: boolean, inBar: boolean]> => {
    editor.read(lesson);
    const before = read();
    const said = `${source} ${inFront === coach ? "read" : "left"}`;
    server.released = false;
    const tells = [{ method: "tutor/hintReady", params }];
    server.answer("tutor.hint", { ...hint, source, say: say(said), held: true, tells });
    const asked = editor.run("tutorLsp.hint");
    await editor.eventually("the first is read", () => read() > before);
    editor.read(inFront);
    await new Promise((resolve) => setTimeout(resolve, 50)); // what was shown has come to rest
    const shown = read();
    server.released = true;
    await asked;
    assert.equal(read(), shown, "nothing comes in front");
    return [editor.messages.includes(`${said} in one line.`), seen().includes(`Tutor: ${said} in one line.`)];
  };
  assert.deepEqual(await hinted("model", coach), [false, true]);
  assert.deepEqual(await hinted("model", lesson), [true, false]);
  assert.deepEqual(await hinted("author", lesson), [false, false]);
});

test("an answer that grows is shown as it comes, until the learner turns away from it", OPTIONS, async () => {
  const coach = window.write(".tutor/coach.md", "# Hints and reviews\n\nOne …\n");
  const lesson = window.write("LESSON.md", "# A lesson\n");
  const session = { ...opened("s1"), workspace: folder };
  server.answer("tutor.status", { ...STATUS, session, units: [unit("ex-1", { focus: true })] });
  await editor.run("tutorLsp.refresh");
  const answer = { unit: "ex-1", level: 1, text: "One …", code: null, verified: false };
  const params = { sessionId: "s1", hint: answer, final: false, say: say("Answer") };
  const read = (): number =>
    editor.executed.filter(({ id, args }) => id === "vscode.openWith" && (args[0] as { fsPath: string }).fsPath === coach)
      .length;
  const grows = async (): Promise<void> => {
    server.answer("tutor.cancel", { cancelled: false, say: say("Cancel"), tells: [{ method: "tutor/hintReady", params }] });
    await editor.run("tutorLsp.cancel");
    await new Promise((resolve) => setTimeout(resolve, 50));
  };
  editor.read(lesson);
  const before = read();
  await grows();
  await editor.eventually("it is read", () => read() === before + 1);
  editor.read(lesson);
  await grows();
  assert.equal(read(), before + 1, "nothing comes in front");
});
