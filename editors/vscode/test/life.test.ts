// The life of the server, with a stand-in for it: what happens when it dies, and behind buttons.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { FakeEditor } from "./fake";
import { STATUS, StandIn } from "./standIn";

const ROOT = join(__dirname, "..", "..");
const PACKAGE: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const OPTIONS = { timeout: 60_000 };

let editor: FakeEditor;
let server: StandIn;
let storage: string;
let extension: { activate: (context: object) => void; deactivate: () => Promise<void> };

beforeEach(() => {
  editor = new FakeEditor();
  editor.choose = () => undefined;
  storage = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  server = new StandIn({
    "tutor.sessions": [],
    "tutor.curriculum": { error: { code: -32000, message: "There are no topics." } },
  });
  // A window on something else, where nothing starts by itself.
  editor.folders.push(storage);
  Object.assign(editor.settings, server.settings);
  extension = editor.load(join(ROOT, "dist", "extension.js")) as typeof extension;
  extension.activate(editor.extension(PACKAGE, join(storage, "storage")));
});

afterEach(async () => {
  await extension.deactivate();
  server.remove();
  rmSync(storage, { recursive: true });
});

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
  editor.configure({ home: join(storage, "elsewhere") });
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
  const params = { jobId: "j-1", reason: "CANCELLED", message: "“Loops” was cancelled." };
  const tells = [{ method: "tutor/sessionFailed", params }];
  server.answer("tutor.status", { ...STATUS, jobs: [job], tells });
  await editor.run("tutorLsp.refresh");
  assert.match(editor.bar.tooltip, /^No exercise is open here\./);
  // The answer to a start that ended before it came.
  server.answer("tutor.start", { jobId: "j-1", node: "loops", language: "rust", depth: "D1" });
  await editor.run("tutorLsp.start", { node: "loops" });
  assert.match(editor.bar.tooltip, /^No exercise is open here\./);
});

test("a question that nobody answered is there when it is asked again", OPTIONS, async () => {
  server.answer("tutor.hint", { text: "Nobody answered.", reason: "NO_ANSWER" });
  await editor.run("tutorLsp.ask");
  assert.deepEqual(editor.drafts, [""]);
  server.answer("tutor.hint", { text: "Because.", level: null });
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
  assert.match(editor.errors.join("|"), /several times in a row/);
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
