import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptOffers, differsAt, linesOf } from "../src/exercises/review";
import type { CounterExample, Place } from "../src/server/protocol";
import { attempt, report, review } from "./data";

const CASE: CounterExample = {
  unit: "ex-2",
  setup: [],
  call: "count('')",
  expected: "0",
  gave: "1",
};

const PLACE: Place = { file: "src/a.py", line: 3, endLine: 4, quote: "x = 1\ny = 2" };

test("all green and not passed leads to the open case", () => {
  const green = attempt({ review: review({ verdict: "FAIL", counterExample: CASE }) });
  assert.deepEqual(attemptOffers(green), [{ title: "Go There", id: "tutorLsp.openStub", argument: { unit: "ex-2" } }]);
});

test("a pass offers the next exercise and its improvement, a failing run a hint", () => {
  const next = [{ node: "n", title: "Closures", reason: "new" }];
  const improved = review({ improvement: "Shorter.", improvementAt: PLACE });
  assert.deepEqual(attemptOffers(attempt({ next, review: improved })), [
    { title: "Next: Closures", id: "tutorLsp.next" },
    { title: "What to Improve", id: "tutorLsp.place", argument: PLACE },
  ]);
  assert.deepEqual(attemptOffers(attempt()), []);
  const failing = attempt({ report: report("failed", ["failed"]), review: null });
  assert.deepEqual(attemptOffers(failing), [{ title: "Hint", id: "tutorLsp.hint" }]);
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
