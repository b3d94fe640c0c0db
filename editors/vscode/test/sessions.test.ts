import assert from "node:assert/strict";
import { test } from "node:test";
import { agoText, begunOn, progressText } from "../src/sessions";
import { session } from "./data";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test("what is ended, passed, gone or on another topic is not gone on with", () => {
  const changes = [{ endedAt: "2026-03-01" }, { passed: true }, { missing: true }, { node: "b" }];
  const others = changes.map((change) => session("s-1", { node: "loops", ...change }));
  assert.deepEqual(begunOn("loops", others), []);
  assert.equal(begunOn("loops", [session("s-1", { node: "loops" })], "rust").length, 0);
});

test("how far a session is says so where it is of an older text", () => {
  const words = "3 of 4 before this edit";
  const standing = { progress: "begun" as const, withHelp: false, old: true, words };
  assert.equal(progressText(session("s-1", { standing })), words);
});

test("times are told in plain words, and an unreadable one not at all", () => {
  const ago = (ms: number) => agoText(new Date(NOW - ms).toISOString(), NOW);
  assert.equal(ago(20_000), "just now");
  assert.equal(ago(60_000), "1 minute ago");
  assert.equal(ago(3 * 3_600_000), "3 hours ago");
  assert.equal(ago(26 * 3_600_000), "1 day ago");
  assert.equal(agoText("yesterday-ish", NOW), "");
});
