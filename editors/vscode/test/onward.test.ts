import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { keepOnward, keptOnward, NOTHING, onwardOf, onwardTree } from "../src/exercises/onward";
import { Storage } from "../src/window/storage";

const RESUME = {
  kind: "session" as const,
  label: "Continue: Movie night, 3 of 4",
  detail: "",
  group: "Continue",
  command: "tutor.resume",
  argument: { session: "s1" },
  language: "",
};
const WAITS = { resume: RESUME, due: 2, dueWords: "2 topics are due for review" };

test("what waits is kept from window to window", () => {
  const folder = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  const storage = new Storage(folder, () => false);
  assert.deepEqual(keptOnward(storage), NOTHING);
  keepOnward(storage, onwardOf(WAITS));
  assert.deepEqual(keptOnward(storage), onwardOf(WAITS));
  keepOnward(storage, NOTHING);
  assert.deepEqual(keptOnward(storage), NOTHING);
  rmSync(folder, { recursive: true });
});

test("the view offers what waits, and a new exercise beside it", () => {
  const rows = onwardTree(onwardOf(WAITS));
  assert.deepEqual(
    rows.map(({ spoken, command }) => [spoken, ...(command ?? [])]),
    [
      ["Continue: Movie night, 3 of 4", "tutorLsp.resume", "s1"],
      ["2 topics are due for review", "tutorLsp.start"],
      ["Start Exercise", "tutorLsp.start"],
    ],
  );
});

test("where nothing waits the view's own welcome is shown", () => {
  assert.deepEqual(onwardTree(onwardOf({ resume: null, due: 0, dueWords: "" })), []);
});
