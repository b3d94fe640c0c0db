import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptOffers, attemptText, caseText, differsAt, linesOf } from "../src/review";
import type { CounterExample, Place } from "../src/protocol";
import { attempt, report, review } from "./data";

const CASE: CounterExample = {
  unit: "ex-2",
  setup: [],
  call: "count('')",
  expected: "0",
  gave: "1",
};

const PLACE: Place = { file: "src/a.py", line: 3, endLine: 4, quote: "x = 1\ny = 2" };

test("an attempt that passes says score and level, and why it does not count in full", () => {
  const mastery = { node: "n", before: 1, after: 2 };
  const text = "Done: all 2 tests pass. Score 86 of 100. Your level here: 1 → 2.";
  assert.equal(attemptText(attempt({ mastery })), text);
  assert.equal(attemptText(attempt({ mastery, note: "Once more." })), `${text} Once more.`);
});

test("an attempt that does not pass yet never says FAIL", () => {
  const not = review({ verdict: "FAIL", score: 60, summary: "All 2 tests pass. One is open." });
  const some = attempt({ report: report("failed", ["passed", "failed"]), review: not });
  assert.equal(attemptText(some), "Not yet: 1 of 2 tests pass.");
  assert.equal(
    attemptText(attempt({ review: not })),
    "Not yet: all 2 tests pass. One is open.",
  );
});

test("an attempt that does not build says so once, in the server's words", () => {
  const note = "This attempt was not counted: the code does not build, see src/a.py line 3.";
  const broken = attempt({ attempt: null, report: report("build_error"), review: null, note });
  assert.equal(attemptText(broken), note);
});

test("all green and not passed says the open case, and nothing twice", () => {
  const summary = "All 2 tests pass. One case is still open: `count('')` gave 1, expected 0.";
  const green = attempt({ review: review({ verdict: "FAIL", summary, counterExample: CASE }) });
  assert.equal(
    attemptText(green),
    "Not yet: all 2 tests pass, but count('') gave 1, expected 0.",
  );
  assert.deepEqual(attemptOffers(green), [{ title: "Go There", then: "stub", unit: "ex-2" }]);
});

test("a case says what went before it, and how it ended", () => {
  assert.equal(
    caseText({ ...CASE, setup: ["a = []", "a.append(1)"] }),
    "after a = []; a.append(1), count('') gave 1, expected 0.",
  );
  assert.equal(
    caseText({ ...CASE, gave: "`count('')` raised ValueError" }),
    "count('') raised ValueError; expected 0.",
  );
});

test("an attempt without its review says that asking again is free", () => {
  const text = attemptText(attempt({ review: null, reviewError: "no answer" }));
  assert.equal(
    text,
    "All 2 tests pass. The review is missing (no answer); attempting again asks for it.",
  );
});

test("a pass offers the next exercise and its improvement, a failing run a hint", () => {
  const next = [{ node: "n", title: "Closures", reason: "new" }];
  const improved = review({ improvement: "Shorter.", improvementAt: PLACE });
  assert.deepEqual(attemptOffers(attempt({ next, review: improved })), [
    { title: "Next: Closures", then: "next" },
    { title: "What to Improve", then: "improve", at: PLACE },
  ]);
  assert.deepEqual(attemptOffers(attempt()), []);
  const failing = attempt({ report: report("failed", ["failed"]), review: null });
  assert.deepEqual(attemptOffers(failing), [{ title: "Hint", then: "hint" }]);
  assert.deepEqual(attemptOffers(attempt({ report: report("build_error"), review: null })), []);
});

test("what a review quotes is found where it stands now, else where it stood", () => {
  assert.deepEqual(linesOf("a\nb\nx = 1\ny = 2\n", PLACE), [3, 4]);
  assert.deepEqual(linesOf("a\nnew\nb\nx = 1\ny = 2\n", PLACE), [4, 5]);
  assert.deepEqual(linesOf("x = 1\n\n\n  x = 1\ny = 2", PLACE), [4, 5]);
  assert.deepEqual(linesOf("gone\n", PLACE), [2, 2]);
});

test("two texts differ from a line on, or are the same but for their line ends", () => {
  assert.equal(differsAt("a\nb\nc\n", "a\nB\nc\n"), 2);
  assert.equal(differsAt("a\n", "a\nb\n"), 2);
  assert.equal(differsAt("a\r\nb", "a\nb"), undefined);
});
