import assert from "node:assert/strict";
import { test } from "node:test";
import { focusUnit, testLabels, unitAt } from "../src/exercises/units";
import { unit } from "./data";

test("the unit to open: the focus, else the first open one, else the first", () => {
  const done = unit("ex-1", { state: "passing" });
  const open = unit("ex-2", { state: "failing" });
  const focus = unit("ex-3", { focus: true });
  assert.equal(focusUnit([done, open, focus])?.id, "ex-3");
  assert.equal(focusUnit([done, open])?.id, "ex-2");
  assert.equal(focusUnit([done])?.id, "ex-1");
  assert.equal(focusUnit([]), undefined);
});

test("the unit at a line is the last stub of that file that has begun", () => {
  const units = [unit("ex-2", { line: 20 }), unit("ex-1", { line: 10 }), unit("ex-3", { file: "src/b.py", line: 1 })];
  const { file } = unit("ex-1");
  const at = (line: number): string | undefined => unitAt(units, file, line)?.id;
  assert.deepEqual([8, 9, 18, 19, 99].map(at), [undefined, "ex-1", "ex-1", "ex-2", "ex-2"]);
  assert.equal(unitAt(units, "src/b.py", 99)?.id, "ex-3");
});

test("tests are told as words without what all of a unit's begin with, where that names each", () => {
  const labels = (stub: string, ...tests: string[]) => [...testLabels({ stub, tests }).values()];
  const named = labels("to_minutes", "test_to_minutes_adds_hours", "test_to_minutes_of_0", "test_midnight");
  assert.deepEqual(named, ["adds hours", "of 0", "midnight"]);
  assert.deepEqual(labels("Player::Tick", "test_tick_moves_on"), ["moves on"]);
  // Not the beginning of a longer word.
  assert.deepEqual(labels("plan", "test_planned_is_1"), ["planned is 1"]);
  assert.deepEqual(labels("plan", "test_plan", "testPlanEnds"), ["plan", "testPlanEnds"]);
  assert.deepEqual(labels("plan", "test_plan_ends", "test_ends"), ["test_plan_ends", "test_ends"]);
});
