// The real server, spoken to as the extension does, so that the two cannot drift apart unseen.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  createProtocolConnection,
  InitializeRequest,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { commandForm, type Palette } from "../src/commands/commandNames";
import { readProblem } from "../src/words/messages";
import { COACH, RECORD } from "../src/window/paths";
import { type Progress, ProgressNotifications } from "../src/server/progress";
import { type Command, type Interface, type Said, type SessionReady, type TestsRan } from "../src/server/protocol";
import { initialOptions } from "../src/server/settings";
import { manifest } from "./manifest";
import { HERE, OPTIONS, SERVER, skip } from "./server";
import { focusUnit } from "../src/exercises/units";

/** Limit of any single answer, in milliseconds. */
const PATIENCE_MS = 30_000;

const { contributes } = manifest() as { contributes: Palette };
const FORM = commandForm(contributes);

let home: string;
let child: ChildProcess;
let connection: ProtocolConnection;
const titles: string[] = [];
const messages: string[] = [];

/** Asks the server; what it says names no command as the protocol does. */
async function request<C extends Command>(
  command: C,
  argument: Interface[C]["argument"],
): Promise<Interface[C]["result"]> {
  const params = { command, arguments: [argument] };
  const result = await connection.sendRequest<Interface[C]["result"]>("workspace/executeCommand", params);
  if (result !== null && "say" in result) {
    const { title, oneLine, markdown } = result.say;
    assert.doesNotMatch([title, oneLine, markdown].join("\n"), /(?<![\w/.-])tutor\.[a-z]+(?![\w.])/);
    assert.ok(markdown.startsWith(`# ${title}`));
  }
  return result;
}

function notified<T>(method: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error(`${method} did not come`));
    }, PATIENCE_MS);
    connection.onNotification(method, (value: T) => {
      clearTimeout(late);
      resolve(value);
    });
  });
}

before(async () => {
  if (skip !== false) {
    return;
  }
  assert.ok(HERE, `${SERVER} is not there, and CI=true`);
  home = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  child = spawn(SERVER, ["serve", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  assert.ok(child.stdin !== null && child.stdout !== null);
  connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const progress = new ProgressNotifications(
    (title) => {
      titles.push(title);
      return { report: () => undefined, close: () => undefined };
    },
    () => undefined,
  );
  connection.onRequest("workspace/configuration", () => [null]);
  connection.onRequest("window/workDoneProgress/create", () => null);
  connection.onRequest("window/showDocument", () => ({ success: true }));
  connection.onNotification("window/showMessage", ({ message }: { message: string }) => {
    messages.push(message);
  });
  connection.onNotification("$/progress", (params: { token: string; value: Progress }) => {
    progress.handle(params.token, params.value, () => undefined);
  });
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the type still asks for it
    rootUri: null,
    capabilities: {
      window: { workDoneProgress: true, showDocument: { support: true }, showMessage: {} },
      workspace: { configuration: true, applyEdit: true },
    },
    initializationOptions: initialOptions({ home, backend: "library" }, false, FORM),
  });
  await connection.sendNotification("initialized", {});
});

after(async () => {
  if (skip !== false) {
    return;
  }
  await connection.sendRequest("shutdown");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await connection.sendNotification("exit");
  await ended;
  connection.dispose();
  rmSync(home, { recursive: true, force: true });
});

let ready: SessionReady;

test("lists lead to lists and to exercises", OPTIONS, async () => {
  assert.deepEqual(await request("tutor.sessions", {}), []);
  const rows = await request("tutor.choices", { list: "start" });
  const groups = rows.map(({ group }) => group);
  assert.ok(groups.includes("Recommended") && !groups.includes("Continue"));
  const topics = await request("tutor.choices", { list: "topics" });
  const { languages, nodes } = await request("tutor.curriculum", {});
  assert.deepEqual(topics.map(({ argument }) => argument.language), languages);
  for (const { argument } of topics) {
    const all = await request("tutor.choices", { list: "topics", all: true, ...argument });
    const own = nodes.filter(({ language }) => language === argument.language);
    assert.deepEqual(new Set(all.map((row) => row.argument.node)), new Set(own.map(({ id }) => id)));
  }
});

test(
  "a recommended exercise becomes ready, with progress that can be cancelled",
  OPTIONS,
  async () => {
    const curriculum = await request("tutor.curriculum", { language: "python" });
    const node = curriculum.recommended.python?.[0]?.node ?? "";
    const coming = notified<Said<SessionReady>>("tutor/sessionReady");
    const started = await request("tutor.start", { node });
    assert.equal(started.node, node);
    ready = await coming;
    assert.equal(ready.jobId, started.jobId);
    assert.ok(ready.workspace.startsWith(home), "the home from the settings is used");
    assert.ok(existsSync(join(ready.workspace, RECORD)));
    assert.ok(existsSync(ready.lesson));
    const unit = focusUnit(ready.units);
    assert.ok(unit !== undefined && existsSync(join(ready.workspace, unit.file)));
    assert.ok(unit.line > 0 && unit.lesson.heading !== "");
    assert.equal(titles.length, 1);
  },
);

test("status, sessions and resuming speak of that session", OPTIONS, async () => {
  const status = await request("tutor.status", {});
  assert.ok(status.session !== null && "id" in status.session);
  assert.equal(status.session.id, ready.sessionId);
  assert.equal(status.session.standing?.words, `0 of ${ready.units.length}`);
  const units = await request("tutor.choices", { list: "units" });
  assert.deepEqual(units.map(({ argument }) => argument.unit), ready.units.map(({ id }) => id));
  const [row] = await request("tutor.choices", { list: "sessions" });
  assert.deepEqual([row?.command, row?.argument], ["tutor.resume", { session: ready.sessionId }]);
  assert.match(row?.detail ?? "", /^Python · /);
  const resumed = await request("tutor.resume", { session: ready.sessionId });
  assert.equal(resumed.jobId, null);
  assert.equal(resumed.workspace, ready.workspace);
});

test("check, attempt and hint answer in the shapes that are shown", OPTIONS, async () => {
  const uri = `file://${ready.lesson}`;
  const telling = notified<Said<TestsRan>>("tutor/testsRan");
  const report = await request("tutor.check", { uri });
  const told = await telling;
  assert.equal(told.sessionId, ready.sessionId);
  assert.deepEqual({ ...told.report, say: told.say }, report);
  assert.equal(report.outcome, "failed");
  assert.match(report.say.oneLine, new RegExp(`0 of ${report.tests.length} tests pass\\.`));
  const attempt = await request("tutor.attempt", { uri });
  assert.equal(attempt.attempt, 1);
  assert.match(attempt.say.oneLine, /Not yet: 0 of \d+ tests pass\./);
  const review = await request("tutor.review", { uri });
  const { improvementAt, answer, counterExample, cited, droppedFindings } = review ?? {};
  assert.deepEqual([answer, counterExample, cited, droppedFindings], [null, null, [], 0]);
  assert.notEqual(improvementAt, undefined);
  const { session } = await request("tutor.status", { uri });
  const kept = session !== null && "id" in session ? session.history : undefined;
  assert.deepEqual(kept?.map(({ number, testsPassing }) => [number, testsPassing]), [[1, 0]]);
  assert.match(kept[0]?.words ?? "", /0 of \d+ tests pass · not yet/);
  const hint = await request("tutor.hint", { uri });
  assert.equal(hint.level, 1);
  assert.ok(existsSync(join(ready.workspace, COACH)), "hints can be read beside the code");
});

test("a refusal to reveal says that it can be confirmed", OPTIONS, async () => {
  const refused = await request("tutor.reveal", {}).then(
    () => assert.fail("the solution was shown without asking"),
    (error: unknown) => readProblem(error),
  );
  assert.deepEqual(refused.confirmable, { unit: ready.units[0]?.id, stub: ready.units[0]?.stub });
  const shown = await request("tutor.reveal", { confirm: true });
  assert.equal(shown.unit, ready.units[0]?.id);
});

test("places, reset, doctor, report and the end", OPTIONS, async () => {
  const place = await request("tutor.open", { target: "test" });
  assert.ok(existsSync(join(ready.workspace, place.file)));
  assert.deepEqual((await request("tutor.reset", {})).files, []);
  assert.match((await request("tutor.doctor", {})).say.markdown, /✓ tutor-lsp \d/);
  assert.ok(existsSync((await request("tutor.report", {})).path));
  assert.equal((await request("tutor.cancel", {})).cancelled, false);
  const ended = await request("tutor.end", {});
  assert.notEqual(ended.summary, "");
  assert.notEqual(ended.recommendations[0]?.reason ?? "", "");
});

test("a wrong command is refused with its kind", OPTIONS, async () => {
  const wrong = await request("tutor.start", { node: "no-such-node" }).then(
    () => assert.fail("an unknown topic was started"),
    (error: unknown) => readProblem(error),
  );
  assert.equal(wrong.kind, "NO_NODE");
  assert.match(wrong.message, /no-such-node/);
});

test("the server leaves messages to the extension", OPTIONS, () => {
  assert.deepEqual(messages, []);
});
