import assert from "node:assert/strict";
import { test } from "node:test";
import {
  begunRows,
  browseRows,
  languageRows,
  nodeRow,
  recommended,
  resetRows,
  type Row,
  sessionRows,
  startRows,
  statusRows,
  unitRow,
} from "../src/pickers";
import type { Job } from "../src/protocol";
import { begunOn } from "../src/sessions";
import { curriculum, node, session, unit } from "./data";

const NOW = Date.parse("2026-03-01T12:00:00Z");

/** The list as text: headings in brackets. */
function outline(rows: Row<unknown>[]): string[] {
  return rows.map((row) => (row.heading ? `[${row.label}]` : row.label));
}

function only<T>(rows: Row<T>[], label: string): Row<T> {
  const [found, ...more] = rows.filter((row) => row.label.includes(label));
  assert.ok(found !== undefined && more.length === 0, `not exactly one row with ${label}`);
  return found;
}

const FIRST = curriculum([node("loops", { minutes: 8 })], {
  recommended: { rust: [{ node: "loops", title: "Loops", reason: "new" }] },
});

test("a first start has no Continue, recommends, and offers browsing and an own topic", () => {
  const rows = startRows(FIRST, [], undefined, NOW);
  assert.deepEqual(outline(rows), [
    "[Recommended]",
    "$(star) Loops",
    "[More]",
    "$(list-tree) Browse",
    "$(edit) Your own topic",
  ]);
});

test("a recommendation shows language, minutes and reason, and starts that node", () => {
  const row = only(startRows(FIRST, [], undefined, NOW), "Loops");
  assert.equal(row.description, "rust · 8 min · new");
  assert.deepEqual(row.then, { do: "start", argument: { node: "loops" } });
});

test("a topic that was begun says so in both lists, and can be gone on with or begun anew", () => {
  const how = { node: "loops", language: "rust", units: 4, unitsPassing: 1 };
  const open = session("s-1", { ...how, title: "Counting" });
  const row = only(startRows(FIRST, [open], undefined, NOW), "$(star) Loops");
  assert.equal(row.description, "rust · 8 min · begun · new");
  const topic = node("loops", { minutes: 8 });
  assert.equal(nodeRow(topic, new Map(), [open]).description, "begun · 8 min · works offline");
  const rows = begunRows(begunOn("loops", [open]), { node: "loops" }, NOW);
  assert.deepEqual(outline(rows), ["$(debug-continue) Counting", "$(add) A new exercise"]);
  assert.deepEqual(
    rows.map(({ then }) => then),
    [
      { do: "resume", session: open.id },
      { do: "start", argument: { node: "loops" } },
    ],
  );
});

test("Continue offers nothing that is finished", () => {
  const offered = [session("s-1", { passed: true }), session("s-2", { continues: false })];
  const rows = startRows(FIRST, [...offered, session("s-3")], undefined, NOW);
  assert.deepEqual(
    rows.flatMap(({ then }) => (then?.do === "resume" ? [then.session] : [])),
    ["s-3"],
  );
});

test("a topic that was passed with help is passed", () => {
  const topic = node("loops", { standing: "passed with help" });
  assert.match(nodeRow(topic, new Map()).description ?? "", /^passed with help/);
});

test("recommendations of all languages take turns, that of the open file first", () => {
  const list = (...ids: string[]) => ids.map((id) => ({ node: id, title: id, reason: "new" }));
  const data = curriculum([], {
    recommended: { rust: list("r1", "r2", "r3"), python: list("p1") },
  });
  const ids = (likely?: string) => recommended(data, likely).map((item) => item.node);
  assert.deepEqual(ids(), ["r1", "p1", "r2", "r3"]);
  assert.deepEqual(ids("python"), ["p1", "r1", "r2", "r3"]);
});

test("at most four recommendations are shown, and none is no section", () => {
  const many = ["d", "a", "c", "b", "e"].map((id) => ({ node: id, title: id, reason: "new" }));
  const stars = (data: ReturnType<typeof curriculum>) =>
    outline(startRows(data, [], undefined, NOW)).filter((label) => label.startsWith("$(star)"));
  assert.deepEqual(stars(curriculum([], { recommended: { rust: many } })), [
    "$(star) d",
    "$(star) a",
    "$(star) c",
    "$(star) b",
  ]);
  assert.deepEqual(stars(curriculum([])), []);
});

test("Continue lists sessions that are open and there, at most three, and resumes them", () => {
  const sessions = [
    session("gone", { missing: true }),
    session("ended", { endedAt: "2026-03-01T11:00:00Z" }),
    ...["a", "b", "c", "d"].map((id) => session(id)),
  ];
  const rows = startRows(curriculum([]), sessions, undefined, NOW);
  assert.deepEqual(outline(rows).slice(0, 5), [
    "[Continue]",
    "$(debug-continue) Session a",
    "$(debug-continue) Session b",
    "$(debug-continue) Session c",
    "[More]",
  ]);
  assert.equal(rows[1]?.description, "python · 1 of 4 done · 2 hours ago · a");
  assert.deepEqual(rows[1].then, { do: "resume", session: "a" });
});

test("missing prerequisites are advice by title, and the node still starts", () => {
  const titles = new Map([["closures", "Closures"]]);
  const row = nodeRow(node("iterators", { missingPrerequisites: ["closures", "unknown"] }), titles);
  assert.equal(row.detail, "Builds on Closures, unknown. You can start anyway.");
  assert.equal(row.then?.do, "start");
});

test("a node shows its level, minutes, and what is special about it", () => {
  const row = nodeRow(
    node("x", { mastery: 2, due: true, claimed: true, offline: false }),
    new Map(),
  );
  assert.equal(row.label, "●●○ X");
  assert.equal(row.description, "working · 12 min · due for review · you know this · needs a model");
  assert.equal(nodeRow(node("y", { minutes: null }), new Map()).description, "not begun · works offline");
  assert.equal(nodeRow(node("z", { mastery: 9 }), new Map()).label, "●●● Z");
});

const BROWSED = curriculum(
  [
    node("b"),
    node("a"),
    node("model", { offline: false, openable: false }),
    node("loose"),
    node("python-x", { language: "python" }),
  ],
  {
    tracks: [
      { id: "t1", title: "First steps", language: "rust", nodes: ["a", "model", "b"] },
      { id: "t2", title: "Again", language: "rust", nodes: ["b"] },
      { id: "t3", title: "Python", language: "python", nodes: ["python-x"] },
    ],
  },
);

test("browsing follows the tracks, names each node once, and keeps to the language", () => {
  assert.deepEqual(outline(browseRows(BROWSED, [], "rust", false)), [
    "[First steps]",
    "○○○ A",
    "○○○ B",
    "[Other topics]",
    "○○○ LOOSE",
    "[With a model]",
    "$(ellipsis) 1 more with a model",
  ]);
  assert.deepEqual(outline(browseRows(BROWSED, [], "python", false)), ["[Python]", "○○○ PYTHON-X"]);
});

test("the row of the rest opens all of them", () => {
  const last = browseRows(BROWSED, [], "rust", false).at(-1);
  assert.deepEqual(last?.then, { do: "all" });
  assert.deepEqual(outline(browseRows(BROWSED, [], "rust", true)), [
    "[First steps]",
    "○○○ A",
    "○○○ MODEL",
    "○○○ B",
    "[Other topics]",
    "○○○ LOOSE",
  ]);
});

test("the language of the open file is offered first", () => {
  const labels = languageRows(["python", "rust"], "rust").map((row) => row.label);
  assert.deepEqual(labels, ["rust", "python"]);
  assert.deepEqual(
    languageRows(["python", "rust"], "go").map((row) => row.then),
    ["python", "rust"],
  );
});

test("sessions say their state in words; one without its folder cannot be resumed", () => {
  const rows = sessionRows(
    [
      session("a", { attempts: 1, active: true }),
      session("b", { attempts: 3, endedAt: "2026-03-01T10:30:00Z", passed: true }),
      session("c", { missing: true, units: 0 }),
    ],
    NOW,
  );
  assert.deepEqual(
    rows.map((row) => row.description),
    [
      "python · 1 of 4 done · 2 hours ago · 1 attempt · active",
      "python · 1 of 4 done · 2 hours ago · 3 attempts · passed · ended",
      "python · 2 hours ago · folder is gone",
    ],
  );
  assert.deepEqual(rows[1]?.then, { do: "resume", session: "b" });
  assert.equal(rows[2]?.then?.do, "gone");
});

test("a unit's state is an icon and a word", () => {
  const row = unitRow(unit("ex-2", { state: "failing", focus: true }));
  assert.equal(row.label, "$(error) stub_ex2");
  assert.equal(row.description, "ex-2 · not yet · you are here");
  assert.equal(row.detail, "principle of ex-2");
});

function job(title: string, over: Partial<Job>): Job {
  return { jobId: title, title, state: "done", percent: 0, message: "", error: null, ...over };
}

const STATUS = {
  session: session("s", { title: "Movie night", attempts: 2 }),
  units: [unit("ex-1", { state: "passing" }), unit("ex-2")],
  jobs: [],
  backend: { name: "library", why: "no model was found" },
  home: "/home/ann/tutor-lsp",
  version: "0.1.0",
};

test("the status lists the units and who answers", () => {
  const rows = statusRows(STATUS);
  assert.deepEqual(outline(rows), [
    "[Movie night · 2 attempts]",
    "$(pass) stub_ex1",
    "$(circle-outline) stub_ex2",
    "[About]",
    "$(info) Answers come from: library",
  ]);
  assert.deepEqual(rows[2]?.then, { do: "unit", unit: "ex-2" });
  assert.equal(rows.at(-1)?.description, "no model was found");
});

test("the status without a session offers one, and tells of jobs and their errors", () => {
  const rows = statusRows({
    ...STATUS,
    session: null,
    units: null,
    jobs: [
      job("Loops", { state: "running", percent: 40, message: "tests 1/3" }),
      job("Maps", { state: "failed", message: "tests 1/3", error: { message: "No answer." } }),
    ],
  });
  assert.deepEqual(rows[0]?.then, { do: "start" });
  assert.equal(only(rows, "Loops").description, "40 % · tests 1/3");
  assert.equal(only(rows, "Maps").description, "failed · No answer.");
});

test("an exercise that cannot be opened is said in the status", () => {
  const rows = statusRows({ ...STATUS, session: { error: { message: "The folder is gone." } } });
  assert.equal(rows[0]?.detail, "The folder is gone.");
});

test("reset offers each unit, everything, and to take the last one back", () => {
  const rows = resetRows([unit("ex-1"), unit("ex-2")]);
  assert.deepEqual(
    rows.map((row) => row.then),
    [{ unit: "ex-1" }, { unit: "ex-2" }, {}, { undo: true }],
  );
});
