import assert from "node:assert/strict";
import { test } from "node:test";
import {
  barOf,
  doctorText,
  endText,
  failureOf,
  hintText,
  isCalm,
  missingServer,
  readProblem,
  reportText,
  startFailed,
} from "../src/messages";
import { report, unit } from "./data";

test("a server that is nowhere: the message says how to get it", () => {
  const problem = missingServer({ found: false, setting: "", tried: [] });
  assert.match(problem.message, /pipx install tutor-lsp/);
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
  const failed = { jobId: "j", stage: "scaffold", message: "The model did not answer." };
  assert.deepEqual(failureOf({ ...failed, reason: "EXECUTION_FAILED" }), {
    kind: "EXECUTION_FAILED",
    message: "The model did not answer.",
    remedies: ["retry", "log"],
  });
  assert.deepEqual(failureOf({ ...failed, reason: "CANCELLED" }).remedies, []);
});

test("runs are counted in words", () => {
  assert.equal(reportText(report("passed", ["passed", "passed"])), "All 2 tests pass.");
  assert.equal(reportText(report("passed", ["passed"])), "The test passes.");
  assert.equal(
    reportText(report("failed", ["passed", "failed", "todo", "errored"])),
    "1 of 4 tests pass.",
  );
  assert.equal(reportText(report("failed", [])), "0 of 0 tests pass.");
});

test("runs without a result say why", () => {
  const broken = report("build_error");
  broken.buildErrors = [{ file: "src/lib.rs", line: 4, column: 2, message: "expected `;`" }];
  assert.equal(reportText(broken), "It does not build yet: expected `;` (src/lib.rs, line 4).");
  assert.equal(reportText(report("build_error")), "It does not build yet.");
  assert.match(
    reportText(report("timeout", ["passed", "timeout"])),
    /^test_2 did not come to an end/,
  );
  assert.equal(
    reportText({ ...report("not_run"), reason: "cargo is missing." }),
    "cargo is missing.",
  );
});

test("a hint says its level, and that its code was tried only if it was", () => {
  const hint = { unit: "ex-2", level: 2, text: "Look.", code: "x", verified: true };
  assert.equal(hintText(hint), "Hint 2 for ex-2. Its code was tried against the tests.");
  assert.equal(hintText({ ...hint, verified: false }), "Hint 2 for ex-2.");
  assert.equal(hintText({ ...hint, code: null, title: "Answer · ex-2" }), "Answer · ex-2.");
  assert.equal(hintText({ ...hint, code: null }), "Hint 2 for ex-2.");
});

test("the end of a session names what could be next, if anything", () => {
  assert.equal(endText("4 of 4 done.", undefined), "4 of 4 done.");
  const next = { node: "n", title: "Closures", reason: "new" };
  assert.equal(endText("4 of 4 done.", next), "4 of 4 done. Next: Closures (new).");
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

test("the status bar counts the units that pass and names the focus", () => {
  const units = [
    unit("ex-1", { state: "passing" }),
    unit("ex-2", { state: "failing", focus: true }),
    unit("ex-3", { state: "stale" }),
  ];
  const bar = barOf({ server: "ready", title: "Split the bill", units });
  assert.equal(bar?.text, "$(mortar-board) 1 of 3");
  assert.equal(bar.tooltip, "Split the bill: 1 of 3 done\nNow: stub_ex2 (principle of ex-2)");
  assert.doesNotMatch(bar.label, /\$\(/);
});

test("the status bar says that results are of a text before", () => {
  const units = [unit("ex-1", { state: "stale" }), unit("ex-2", { focus: true })];
  const words = "1 of 2 before this edit";
  const standing = { progress: "begun" as const, withHelp: false, old: true, words };
  const bar = barOf({ server: "ready", title: "Split the bill", units, standing });
  assert.equal(bar?.text, `$(mortar-board) ${words}`);
  assert.match(bar.tooltip, /^Split the bill: 1 of 2 before this edit\n/);
});

test("what is open is not said before it is known, and sentences end once", () => {
  const known = { server: "ready" as const, backend: null };
  assert.match(barOf({ ...known, untold: true })?.label ?? "", /Starting the tutor/);
  const backend = { name: "library", why: "built in" };
  const bar = barOf({ ...known, untold: false, backend });
  assert.match(bar?.label ?? "", /Click to choose one\. Answers come from/);
});

test("where all is done there is no step that one is at", () => {
  const bar = barOf({ server: "ready", units: [unit("ex-1", { state: "passing", focus: true })] });
  assert.doesNotMatch(bar?.tooltip ?? "", /Now:/);
});

test("being offline is said in the tooltip only", () => {
  const bar = barOf({ server: "ready", backend: { name: "library", why: "no model was found" } });
  assert.equal(bar?.text, "$(mortar-board) Tutor");
  assert.match(bar.tooltip, /library \(offline, no model was found\)/);
  const online = barOf({ server: "ready", backend: { name: "codex", why: "found" } });
  assert.doesNotMatch(online?.tooltip ?? "", /Offline/);
});

test("work in the background and a dead server can be told apart without colours", () => {
  const working = barOf({ server: "ready", working: "Getting your exercise ready" });
  assert.equal(working?.label, "Tutor: Getting your exercise ready");
  const failed = barOf({ server: "failed", working: "Getting your exercise ready" });
  assert.equal(failed?.warning, true);
  assert.match(failed.label, /not running/);
});

test("the doctor gives a remedy only for what does not work", () => {
  const text = doctorText({
    tools: [
      { name: "cargo", found: true, works: true, version: "1.90", remedy: "unused" },
      { name: "codex", found: true, works: false, version: "0.1", remedy: "codex login" },
      { name: "gcc", found: false, works: false, version: null, remedy: null },
    ],
    home: "/home/ann/tutor-lsp",
    problems: ["`colour` is no setting."],
  });
  assert.deepEqual(text.split("\n"), [
    "✓ cargo 1.90: works",
    "– codex 0.1: does not work",
    "    codex login",
    "– gcc: not found",
    "Your exercises and your record: /home/ann/tutor-lsp",
    "– `colour` is no setting.",
  ]);
});
