import assert from "node:assert/strict";
import { test } from "node:test";
import { doneText, failureText, isOutdated } from "../src/results";
import { report, unit } from "./data";

const { tests } = report("failed", ["passed", "failed"]);
const FIRST = ["test_1"];

test("results are outdated where the unit's state says something else", () => {
  assert.equal(isOutdated(unit("ex-1", { tests: FIRST, state: "passing" }), tests), false);
  assert.equal(isOutdated(unit("ex-1", { tests: FIRST, state: "stale" }), tests), true);
  // It does not parse, so it was not run; or it was put back to the stub.
  assert.equal(isOutdated(unit("ex-1", { tests: FIRST, state: "failing" }), tests), true);
  assert.equal(isOutdated(unit("ex-1", { tests: FIRST, state: "todo" }), tests), true);
  assert.equal(isOutdated(unit("ex-2", { tests: ["test_2"], state: "failing" }), tests), false);
  assert.equal(isOutdated(unit("ex-3", { state: "todo" }), tests), false);
});

test("the server knows which results are of a text before", () => {
  const stale = { tests: FIRST, state: "stale" as const };
  assert.equal(isOutdated(unit("ex-1", { ...stale, old: false }), tests), false);
  assert.equal(isOutdated(unit("ex-2", { tests: ["test_2"], state: "failing", old: true }), tests), true);
});

test("how many units are done is said in the server's words", () => {
  const units = [unit("ex-1", { state: "stale", old: true, passed: true }), unit("ex-2")];
  assert.equal(doneText(units), "0 of 2");
  const standing = { progress: "begun" as const, withHelp: false, old: true };
  assert.equal(doneText(units, { ...standing, words: "1 of 2 before this edit" }), "1 of 2 before this edit");
});

test("a failure is told by its sentence, else by the test's name", () => {
  const [, failed] = tests;
  assert.ok(failed !== undefined);
  assert.equal(failureText({ ...failed, message: "gave 1, expected 2" }), "gave 1, expected 2");
  assert.equal(failureText(failed), "test_2 does not pass");
});
