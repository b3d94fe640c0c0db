import assert from "node:assert/strict";
import { test } from "node:test";
import {
  barOf,
  failureOf,
  isCalm,
  missingServer,
  readProblem,
  startFailed,
} from "../src/words/messages";

test("a window without an exercise offers the one to continue, before its server runs", () => {
  const onward = { label: "Continue: Movie night, 3 of 4", session: "s1" };
  for (const server of ["off", "starting", "ready"] as const) {
    const bar = barOf({ server, onward });
    assert.equal(bar?.text, "$(mortar-board) Continue: Movie night, 3 of 4");
    assert.deepEqual(bar.command, ["tutorLsp.resume", "s1"]);
  }
  assert.equal(barOf({ server: "ready", onward, progress: "1 of 3" })?.text, "$(mortar-board) 1 of 3");
  assert.equal(barOf({ server: "failed", onward })?.warning, true);
  assert.equal(barOf({ server: "off", onward: "start" }), null);
  assert.deepEqual(barOf({ server: "ready", onward: "start" })?.command, ["tutorLsp.start"]);
});

test("a server that is nowhere: the message says how to get it", () => {
  const problem = missingServer({ found: false, setting: "", tried: [] });
  assert.match(problem.message, /Install it with pipx, from a clone or its wheel/);
  assert.match(problem.message, /tutor\.server\.command/);
  assert.deepEqual(problem.remedies, ["settings", "log"]);
});

test("a wrong setting is quoted, and installing is not what is advised", () => {
  const problem = missingServer({ found: false, setting: "/opt/gone", tried: [] });
  assert.match(problem.message, /"\/opt\/gone"/);
  assert.doesNotMatch(problem.message, /install/);
});

test("a server is offered where the extension has one, for a wrong setting and a broken program too", () => {
  for (const canInstall of [true, false]) {
    const problems = [
      missingServer({ found: false, setting: "", tried: [] }, canInstall),
      missingServer({ found: false, setting: "/opt/gone", tried: [] }, canInstall),
      startFailed("/opt/broken", canInstall),
    ];
    for (const { remedies } of problems) {
      assert.equal(remedies.includes("install"), canInstall);
    }
  }
});

test("the server's refusals keep their text and get a fitting button", () => {
  const read = (kind: string) => readProblem({ code: -32000, message: "No.", data: { kind } });
  assert.equal(read("NO_SESSION").message, "No.");
  assert.deepEqual(read("NO_SESSION").remedies, ["start"]);
  assert.deepEqual(read("TOOLCHAIN_MISSING").remedies, ["doctor"]);
  assert.deepEqual(read("BAD_ARGUMENT").remedies, []);
});

test("where the record cannot be written the first button leads to the setting of its folder", () => {
  const read = (reason?: string) =>
    readProblem({ code: -32006, message: "No.", data: { kind: "STORE", reason } }).remedies;
  assert.deepEqual(read("forbidden"), ["home", "doctor", "log"]);
  assert.deepEqual(read("locked"), ["doctor", "log"]);
  assert.deepEqual(read(), ["doctor", "log"]);
});

test("a cancelled request is no failure, whichever way it is said", () => {
  assert.equal(readProblem({ code: -32800, message: "x" }).kind, "CANCELLED");
  assert.equal(readProblem({ name: "Canceled", message: "x" }).kind, "CANCELLED");
  assert.equal(readProblem({ code: -32001, data: { kind: "CANCELLED" } }).kind, "CANCELLED");
});

test("a server that ends in the middle of a request is said without jargon", () => {
  const problem = readProblem({ code: -32097, message: "Pending response rejected" });
  assert.match(problem.message, /try again/);
  assert.equal(problem.remedies[0], "restart");
  assert.doesNotMatch(problem.message, /rejected/);
});

test("anything else is said with the log at hand", () => {
  assert.deepEqual(readProblem(new Error("pipe closed")), {
    kind: "UNEXPECTED",
    message: "pipe closed",
    remedies: ["log"],
  });
  assert.match(
    readProblem({ code: -32603, message: "boom" }).message,
    /server had a problem: boom/,
  );
});

test("a set-up that failed can be tried again, one that was cancelled is left in peace", () => {
  const failed = { jobId: "j", stage: "scaffold", message: "The model did not answer.", details: {} };
  assert.deepEqual(failureOf({ ...failed, reason: "EXECUTION_FAILED" }), {
    kind: "EXECUTION_FAILED",
    message: "The model did not answer.",
    remedies: ["retry", "log"],
  });
  assert.deepEqual(failureOf({ ...failed, reason: "CANCELLED" }).remedies, []);
});

test("a refusal is an answer, not an alarm, and may be overruled where the server says so", () => {
  const refused = (details: object) =>
    readProblem({ code: -32007, message: "Ask.", data: { kind: "REFUSED", details } });
  assert.equal(isCalm(refused({})), true);
  assert.equal(refused({}).confirmable, undefined);
  const about = { unit: "ex-1", stub: "f" };
  assert.deepEqual(refused({ runsLeft: 2, confirm: true, ...about }).confirmable, about);
  assert.equal(isCalm(readProblem(new Error("pipe closed"))), false);
});

test("the status bar is hidden without a server and quiet with one", () => {
  assert.equal(barOf({ server: "off" }), null);
  const idle = barOf({ server: "ready" });
  assert.equal(idle?.text, "$(mortar-board) Tutor");
  assert.equal(idle.warning, false);
});

test("the status bar counts and tells in the server's words", () => {
  const said = "Split the bill: 1 of 3 units pass. Now: tip (rounding).";
  const bar = barOf({ server: "ready", progress: "1 of 3", said });
  assert.deepEqual(bar, {
    text: "$(mortar-board) 1 of 3",
    tooltip: said,
    warning: false,
  });
});

test("what is open is not said before it is known", () => {
  assert.match(barOf({ server: "ready", untold: true })?.tooltip ?? "", /Starting the tutor/);
  assert.match(barOf({ server: "ready", untold: false })?.tooltip ?? "", /Click to choose one/);
});

test("work in the background and a dead server can be told apart without colours", () => {
  const working = barOf({ server: "ready", working: "Getting your exercise ready" });
  assert.equal(working?.tooltip, "Getting your exercise ready");
  const failed = barOf({ server: "failed", working: "Getting your exercise ready" });
  assert.equal(failed?.warning, true);
  assert.match(failed.tooltip, /not running/);
});
