import assert from "node:assert/strict";
import { test } from "node:test";
import { focusUnit, unitText } from "../src/units";
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

test("a unit that was not run since the last change says so", () => {
  const stale = unit("ex-1", { state: "stale", words: "not run yet" });
  assert.equal(unitText(stale), "ex-1 · not run yet");
});
