import assert from "node:assert/strict";
import { test } from "node:test";
import { begunRows, choiceRows, resetRows, restoreRows, type Row, statusRows, topicRows } from "../src/exercises/rows";
import { choice, node, say } from "./data";

/** The list as text: headings in brackets. */
function outline(rows: Row<unknown>[]): string[] {
  return rows.map((row) => (row.heading ? `[${row.label}]` : row.label));
}

const UNITS = ["ex-1", "ex-2"].map((unit) => {
  const argument = { session: "s1", unit };
  return choice(`○ ${unit} stub`, { kind: "unit", command: "tutor.open", argument });
});

test("rows of the server stand under their headings, with all that it says", () => {
  const rows = choiceRows([
    choice("Continue: Bike tour", { group: "Continue" }),
    choice("Loops", { kind: "topic", group: "Recommended" }),
    choice("Maps", { kind: "topic", group: "Recommended" }),
    choice("Browse all topics", { kind: "list", group: "More" }),
  ]);
  assert.deepEqual(outline(rows), [
    "[Continue]",
    "$(debug-continue) Continue: Bike tour",
    "[Recommended]",
    "Loops",
    "Maps",
    "[More]",
    "$(list-tree) Browse all topics",
  ]);
  assert.equal(rows[1]?.detail, "about Continue: Bike tour");
});

test("a topic that was begun can be gone on with or begun anew", () => {
  const sessions = [choice("Counting"), choice("Other", { argument: { session: "s2" } })];
  const rows = begunRows(new Set(["s1"]), sessions, { node: "loops" });
  assert.deepEqual(outline(rows), ["$(debug-continue) Counting", "$(add) A new exercise"]);
  assert.deepEqual(rows.map(({ then }) => then?.command), ["tutor.resume", "tutor.start"]);
  assert.deepEqual(rows[1]?.then?.argument, { node: "loops" });
});

test("the status says all in its first row, then the units; without an exercise a way to one", () => {
  const status = { say: say("The status") };
  const rows = statusRows(status, UNITS);
  assert.deepEqual(outline(rows).slice(0, 3), [
    "$(info) The status as a title",
    "○ ex-1 stub",
    "○ ex-2 stub",
  ]);
  assert.equal(rows[0]?.detail, "The status in one line.");
  assert.equal(rows[0].then, "all");
  assert.equal(rows[1]?.then, UNITS[0]);
  const none = statusRows(status, []).map(({ then }) => (then === "all" ? then : then?.command));
  assert.deepEqual(none, ["all", "tutor.choices", "tutor.doctor"]);
});

test("reset offers each unit, everything, and to take the last one back", () => {
  assert.deepEqual(
    resetRows(UNITS).map((row) => row.then),
    [{ unit: "ex-1" }, { unit: "ex-2" }, {}, { undo: true }],
  );
});

test("restore offers what sentences of the server name: the record, and to dismiss its loss", () => {
  assert.deepEqual(
    restoreRows().map((row) => row.then),
    ["given", "record", "dismiss"],
  );
});

test("a topic can be started, and claimed or given back", () => {
  const rows = (claimed: boolean): unknown[] =>
    topicRows(node("loops", { language: "python", claimed })).map(({ then }) => {
      return [then?.command, then?.argument];
    });
  const start = ["tutor.start", { node: "loops", language: "python" }];
  assert.deepEqual(rows(false), [start, ["tutor.claim", { node: "loops", known: true }]]);
  assert.deepEqual(rows(true), [start, ["tutor.claim", { node: "loops", known: false }]]);
});
