import assert from "node:assert/strict";
import { test } from "node:test";
import { begunOn, isOpen } from "../src/exercises/sessions";
import { session } from "./data";

test("what cannot be gone on with, or is on another topic, is not gone on with", () => {
  const changes = [{ continues: false }, { node: "b" }];
  const others = changes.map((change) => session("s-1", { node: "loops", ...change }));
  assert.deepEqual(begunOn("loops", others), []);
  assert.equal(begunOn("loops", [session("s-1", { node: "loops" })], "rust").length, 0);
  assert.equal(begunOn("loops", [session("s-1", { node: "loops" })], "python").length, 1);
});

test("what has ended or is gone is not open", () => {
  assert.equal(isOpen(session("s-1")), true);
  assert.equal(isOpen(session("s-1", { endedAt: "2026-03-01" })), false);
  assert.equal(isOpen(session("s-1", { missing: true })), false);
});
