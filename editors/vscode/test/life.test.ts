// The life of the server, with a stand-in for it: what happens when it dies, and behind buttons.
import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { say } from "./data";
import type { Extension } from "./activated";
import type { FakeEditor } from "./fake";
import { Position } from "./fakeParts";
import { STATUS, type StandIn } from "./standIn";
import { Window } from "./window";

const OPTIONS = { timeout: 60_000 };

let window: Window;
let editor: FakeEditor;
let server: StandIn;
let extension: Extension;

beforeEach(() => {
  // A window on something else, where nothing starts by itself.
  window = new Window({
    "tutor.sessions": [],
    "tutor.choices": { error: { code: -32000, message: "There are no topics." } },
  });
  ({ editor, server } = window);
  editor.choose = () => undefined;
  extension = window.begin();
});

afterEach(() => window.end());

async function kill(): Promise<void> {
  const { starts } = server;
  process.kill(starts.at(-1) ?? 0, "SIGKILL");
  await editor.eventually("it is started again", () => server.starts.length > starts.length);
}

test("a server that is killed is started again, and answers", OPTIONS, async () => {
  await editor.run("tutorLsp.status");
  await kill();
  await editor.eventually("it is ready", () => editor.isReady);
  await editor.run("tutorLsp.status");
  assert.equal(server.starts.length, 2);
  assert.deepEqual(editor.errors, []);
});

test("what the editor asks while the server is going is not said to have failed", OPTIONS, async () => {
  await editor.run("tutorLsp.status");
  const [provider] = editor.hovers;
  assert.ok(provider !== undefined);
  const file = window.write("a.py", "");
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({}) };
  const hover = provider.provideHover(editor.document(file), new Position(0, 0), token);
  await extension.deactivate();
  assert.ok(!(await hover));
  assert.deepEqual(editor.log.filter((line) => line.includes("failed")), []);
});

test("settings that come late and name what runs already start nothing anew", OPTIONS, async () => {
  await editor.run("tutorLsp.status");
  editor.configure({ ...server.settings, backend: "library" });
  await editor.eventually("the server is told", () => server.told.length > 0);
  assert.deepEqual(server.told, [{ tutor: { backend: "library" } }]);
  assert.equal(server.starts.length, 1);
  editor.configure({ args: [...server.settings.args, "--other"] });
  await editor.eventually("it is started anew", () => server.starts.length === 2 && editor.isReady);
  assert.deepEqual([editor.errors, editor.messages], [[], []]);
});

test("a server keeps its home for life, so another one starts it anew", OPTIONS, async () => {
  await editor.run("tutorLsp.status");
  editor.configure({ home: join(window.folder, "elsewhere") });
  await editor.eventually("it is started anew", () => server.starts.length === 2 && editor.isReady);
  assert.deepEqual([editor.errors, editor.messages], [[], []]);
});

test("a model that the editor has later is told, and nothing started anew", OPTIONS, async () => {
  await editor.run("tutorLsp.status");
  editor.offerModel();
  await editor.eventually("the server is told", () => server.heard.length > 0);
  editor.offerModel();
  await editor.run("tutorLsp.status");
  assert.deepEqual(server.heard, [{ available: true }]);
  assert.equal(server.starts.length, 1);
});

test("a job whose end was told is not shown as running by an older answer", OPTIONS, async () => {
  const job = { jobId: "j-1", title: "Loops", state: "running", percent: 0, message: "" };
  await editor.run("tutorLsp.refresh");
  await editor.eventually("it is ready", () => editor.isReady);
  server.answer("tutor.status", { ...STATUS, jobs: [job] });
  await editor.run("tutorLsp.refresh");
  assert.equal(editor.bar.tooltip, "Loops");
  const params = { jobId: "j-1", reason: "CANCELLED", message: "“Loops” was cancelled.", say: say("The end") };
  const tells = [{ method: "tutor/sessionFailed", params }];
  server.answer("tutor.status", { ...STATUS, jobs: [job], tells });
  await editor.run("tutorLsp.refresh");
  assert.match(editor.bar.tooltip, /^No exercise is open here\./);
  // The answer to a start that ended before it came.
  const started = { jobId: "j-1", node: "loops", language: "rust", depth: "D1" };
  server.answer("tutor.start", { ...started, say: say("The start") });
  await editor.run("tutorLsp.start", { node: "loops" });
  assert.match(editor.bar.tooltip, /^No exercise is open here\./);
});

test("a question that nobody answered is there when it is asked again", OPTIONS, async () => {
  server.answer("tutor.hint", { text: "Nobody answered.", reason: "NO_ANSWER", say: say("Nothing") });
  await editor.run("tutorLsp.ask");
  assert.deepEqual(editor.drafts, [""]);
  server.answer("tutor.hint", { text: "Because.", level: null, say: say("The answer") });
  await editor.run("tutorLsp.ask");
  await editor.run("tutorLsp.ask");
  assert.deepEqual(editor.drafts, ["", "why?", ""]);
});

test("a start that settings overtake is not talked about", OPTIONS, async () => {
  const asked = editor.run("tutorLsp.status");
  editor.configure({ args: [...server.settings.args, "--other"] });
  await asked;
  assert.equal(server.starts.length, 1);
  await editor.eventually("it is ready", () => editor.isReady);
  assert.deepEqual([editor.errors, editor.messages], [[], []]);
});

test("where starting it again fails that is said, and the next command starts it", OPTIONS, async () => {
  await editor.run("tutorLsp.status");
  server.broken = true;
  await kill();
  await editor.eventually("it is said", () => editor.errors.length > 0);
  assert.match(editor.errors.join("|"), /^[^|]*could not be started[^|]*$/);
  assert.match(editor.bar.text, /warning/);
  server.broken = false;
  await editor.run("tutorLsp.status");
  await editor.eventually("it is ready", () => editor.isReady);
  assert.equal(server.starts.length, 3);
  assert.equal(editor.errors.length, 1);
});

test("a server that keeps dying is given up until it is asked for", OPTIONS, async () => {
  await editor.run("tutorLsp.status");
  for (let time = 0; time < 4; time += 1) {
    await kill();
    await editor.eventually("it is ready", () => editor.isReady);
  }
  process.kill(server.starts.at(-1) ?? 0, "SIGKILL");
  await editor.eventually("it is said", () => editor.errors.length > 0);
  assert.match(editor.errors.join("|"), /several times in a row\.$/);
  assert.match(editor.bar.text, /warning/);
  await editor.run("tutorLsp.status");
  await editor.eventually("it is ready", () => editor.isReady);
  assert.equal(server.starts.length, 6);
});

test("what goes wrong behind a button is said", OPTIONS, async () => {
  editor.press = (message, buttons) =>
    message.includes("no sessions yet") ? buttons[0] : undefined;
  await editor.run("tutorLsp.sessions");
  await editor.eventually("it is said", () => editor.errors.length > 0);
  assert.match(editor.errors.join("|"), /^[^|]*There are no topics[^|]*$/);
});
