// The real server, spoken to as the extension does, so that protocol.ts and the server cannot
// drift apart unseen.
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
import { barOf, doctorText, readProblem, reportText } from "../src/messages";
import { COACH, RECORD } from "../src/paths";
import { browseRows, sessionRows, startRows, statusRows } from "../src/pickers";
import { type Progress, ProgressNotifications, type Token } from "../src/progress";
import { type Command, type Commands, NOTIFICATIONS, type SessionReady, type TestsRan } from "../src/protocol";
import { attemptText } from "../src/review";
import { initialOptions } from "../src/settings";
import { HERE, OPTIONS, SERVER, skip } from "./server";
import { focusUnit } from "../src/units";

/** Limit of any single answer, in milliseconds. */
const PATIENCE_MS = 30_000;

let home: string;
let child: ChildProcess;
let connection: ProtocolConnection;
const titles: string[] = [];
const messages: string[] = [];

function request<C extends Command>(
  command: C,
  argument: Commands[C]["argument"],
): Promise<Commands[C]["result"]> {
  return connection.sendRequest("workspace/executeCommand", { command, arguments: [argument] });
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
    (title) => titles.push(title),
    () => undefined,
  );
  connection.onRequest("workspace/configuration", () => [null]);
  connection.onRequest("window/workDoneProgress/create", () => null);
  connection.onRequest("window/showDocument", () => ({ success: true }));
  connection.onNotification("window/showMessage", ({ message }: { message: string }) => {
    messages.push(message);
  });
  connection.onNotification("$/progress", (params: { token: Token; value: Progress }) => {
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
    initializationOptions: initialOptions({ home, backend: "library" }, false),
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

test("the lists can be made from what the server sends", OPTIONS, async () => {
  const curriculum = await request("tutor.curriculum", {});
  assert.deepEqual(await request("tutor.sessions", {}), []);
  const rows = startRows(curriculum, [], "python", Date.now());
  const first = rows.find((row) => row.then?.do === "start");
  assert.match(first?.description ?? "", /^python · \d+ min · \S/);
  for (const language of curriculum.languages) {
    const all = browseRows(curriculum, [], language, true).filter((row) => row.heading !== true);
    const nodes = curriculum.nodes.filter((node) => node.language === language);
    assert.equal(all.length, nodes.length);
    // Topics may speak of undefined behaviour; a value that is missing stands alone.
    const hole = /NaN|undefined min|(?:"|· |\()undefined(?:"| ·|\))/;
    assert.ok(all.every((row) => !hole.test(JSON.stringify(row))));
  }
});

test(
  "a recommended exercise becomes ready, with progress that can be cancelled",
  OPTIONS,
  async () => {
    const curriculum = await request("tutor.curriculum", { language: "python" });
    const node = curriculum.recommended.python?.[0]?.node ?? "";
    const coming = notified<SessionReady>(NOTIFICATIONS.sessionReady);
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
  const rows = statusRows(status).filter((row) => row.then?.do === "unit");
  assert.equal(rows.length, ready.units.length);
  const bar = barOf({ server: "ready", units: status.units ?? [], backend: status.backend });
  assert.equal(bar?.text, `$(mortar-board) 0 of ${ready.units.length}`);

  const [row] = sessionRows(await request("tutor.sessions", {}), Date.now());
  assert.deepEqual(row?.then, { do: "resume", session: ready.sessionId });
  assert.match(row.description ?? "", /^python · 0 of \d+ done · just now · active$/);
  const resumed = await request("tutor.resume", { session: ready.sessionId });
  assert.equal(resumed.jobId, null);
  assert.equal(resumed.workspace, ready.workspace);
});

test("check, attempt and hint answer in the shapes that are shown", OPTIONS, async () => {
  const uri = `file://${ready.lesson}`;
  const telling = notified<TestsRan>(NOTIFICATIONS.testsRan);
  const report = await request("tutor.check", { uri });
  const told = await telling;
  assert.equal(told.sessionId, ready.sessionId);
  assert.deepEqual(told.report, report);
  assert.equal(report.outcome, "failed");
  assert.match(reportText(report), new RegExp(`^0 of ${report.tests.length} tests pass\\.$`));
  const attempt = await request("tutor.attempt", { uri });
  assert.equal(attempt.attempt, 1);
  assert.match(attemptText(attempt), /^Not yet: 0 of \d+ tests pass\.$/);
  const review = await request("tutor.review", { uri });
  const { improvementAt, answer, counterExample, cited, droppedFindings } = review ?? {};
  assert.deepEqual([answer, counterExample, cited, droppedFindings], [null, null, [], 0]);
  assert.notEqual(improvementAt, undefined);
  const { session } = await request("tutor.status", { uri });
  const kept = session !== null && "id" in session ? session.history : undefined;
  assert.deepEqual(kept?.map(({ number, testsPassing }) => [number, testsPassing]), [[1, 0]]);
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
  assert.deepEqual(await request("tutor.reset", {}), { files: [], kept: [] });
  assert.match(doctorText(await request("tutor.doctor", {})), /^✓ tutor-lsp \d/);
  assert.ok(existsSync((await request("tutor.report", {})).path));
  assert.deepEqual(await request("tutor.cancel", {}), { cancelled: false });
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
