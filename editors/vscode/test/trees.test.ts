import assert from "node:assert/strict";
import { test } from "node:test";
import { type Branch, curriculumTree, sessionsTree, sessionTree } from "../src/views/trees";
import type { AttemptInfo } from "../src/server/protocol";
import { choice, node, opened, report, review, session, unit } from "./data";

function all(branches: readonly Branch[]): Branch[] {
  return branches.flatMap((branch) => [branch, ...all(branch.children ?? [])]);
}

function find(branches: readonly Branch[], id: string): Branch {
  return all(branches).find((branch) => branch.id === id) ?? assert.fail(id);
}

/** What every row says: by the time of a click another exercise may be in front. */
const own = { session: "s1" };

const AT = { at: "", textHash: "", outcome: "passed", tests: 2, testsPassing: 2 };
const HISTORY: AttemptInfo[] = [
  { ...AT, number: 1, verdict: "FAIL", score: 40, words: "not yet" },
  { ...AT, number: 2, verdict: "PASS", score: 86, words: "passed · 86 of 100" },
];

test("the exercise has its units with state in words, lesson and attempts, newest first", () => {
  const words = "not yet · 1 of 2";
  const units = [unit("ex-1", { state: "failing", words }), unit("ex-2", { focus: true })];
  const tree = sessionTree(opened("s1", HISTORY), units, report("failed", ["passed"]).tests);
  assert.equal(tree[0]?.description, "1 of 4");
  assert.equal(find(tree, "ex-1").spoken, "stub_ex1, ex-1, not yet, 1 of 2");
  assert.equal(find(tree, "ex-2").spoken, "stub_ex2, ex-2, to do, you are here");
  assert.equal(find(tree, "ex-2").description, "you are here");
  assert.equal(find(tree, "ex-2").tooltip, "stub_ex2 · ex-2 · to do · you are here\nprinciple of ex-2");
  assert.equal(find(tree, "lesson").description, "About ex-2");
  assert.deepEqual(
    find(tree, "attempts").children?.map(({ spoken }) => spoken),
    ["Attempt 2, passed, 86 of 100", "Attempt 1, not yet"],
  );
});

test("the last review says what it found, and each row goes to its place", () => {
  const at = { file: "src/lib.rs", line: 4, endLine: 4, quote: "let x = 1;" };
  const counterExample = { unit: "ex-2", setup: [], call: "f(0)", expected: "0", gave: "1" };
  const finding = { ...at, line: 7, claim: "is read twice", evidence: "" };
  const last = review({ improvement: "Name `it`.", improvementAt: at, counterExample });
  const tree = sessionTree(opened("s1"), [unit("ex-1")], [], {
    ...last,
    findings: [finding],
    question: "Why?",
  });
  assert.deepEqual(
    find(tree, "review").children?.map(({ spoken, command }) => [spoken, ...(command ?? [])]),
    [
      ["Still open, The review in one line.", "tutorLsp.openStub", { ...own, unit: "ex-2" }],
      ["Line 7, is read twice", "tutorLsp.place", { ...finding, ...own }],
      ["To improve, Name it.", "tutorLsp.place", { ...at, ...own }],
      ["A question, Why?", "tutorLsp.openCoach", own],
    ],
  );
  assert.equal(find(tree, "review").spoken, "Last review, The review as a title");
});

test("a row of a test leads to where it fails, else to the test; an attempt to its review", () => {
  const tests = report("failed", ["failed"]).tests.map((result) => {
    return { ...result, file: "tests/a.py", line: 7 };
  });
  const unit1 = unit("ex-1", { tests: ["test_1", "test_2"], focus: true });
  const tree = sessionTree(opened("s1", HISTORY), [unit1], tests);
  assert.deepEqual(find(tree, "ex-1/test_1").command, [
    "tutorLsp.place",
    { ...own, file: "tests/a.py", line: 7, endLine: 7, quote: "" },
  ]);
  const named = { ...own, unit: "ex-1", test: "test_2" };
  assert.deepEqual(find(tree, "ex-1/test_2").command, ["tutorLsp.openTest", named]);
  assert.deepEqual(find(tree, "attempt 1").command, ["tutorLsp.openCoach", { ...own, attempt: 1 }]);
  assert.deepEqual(find(tree, "lesson").command, ["tutorLsp.openLesson", { ...own, unit: "ex-1" }]);
});

test("a row of a test is called in words, and its tooltip by the name", () => {
  const tests = ["test_tip_of_nothing", "test_tip_rounds_up"];
  const tree = sessionTree(opened("s1"), [unit("ex-1", { stub: "tip", tests })], []);
  const row = find(tree, "ex-1/test_tip_rounds_up");
  assert.deepEqual([row.label, row.description], ["rounds up", ""]);
  assert.equal(row.spoken, "rounds up, test, not run yet");
  assert.equal(row.tooltip, "test_tip_rounds_up · not run yet");
});

test("no exercise, no tree: the view says what to do instead", () => {
  assert.deepEqual(sessionTree(null, [], []), []);
});

function topic(id: string, label: string): ReturnType<typeof choice> {
  const argument = { language: "rust", node: id };
  return choice(label, { kind: "topic", group: "Track", command: "tutor.start", argument });
}

test("topics stand below language and track in the server's words, their marks are only seen", () => {
  const nodes = [node("a", { mastery: 3 }), node("b", { due: true })];
  const language = choice("rust", { kind: "language", detail: "2 topics open now" });
  const topics = [topic("a", "●●● A"), topic("b", "○○○ B")];
  const tree = curriculumTree([{ language, topics }], nodes);
  assert.equal(tree[0]?.spoken, "rust, 2 topics open now");
  assert.deepEqual(tree[0].children?.map(({ spoken }) => spoken), ["Track, track"]);
  assert.equal(find(tree, "rust a").label, "●●● A");
  assert.equal(find(tree, "rust a").spoken, "A, about ●●● A");
  assert.deepEqual(find(tree, "rust b").command, ["tutorLsp.topic", nodes[1]]);
  const only = curriculumTree([{ language: undefined, topics }], nodes);
  assert.deepEqual(only.map(({ label }) => label), ["Track"]);
});

test("sessions can be resumed unless their folder is gone, and ended while they are open", () => {
  const sessions = [session("s1"), session("s2", { endedAt: "2026-03-01T10:00:00Z" })];
  const rows = [
    choice("One", { detail: "python · 3 of 4 · in use" }),
    choice("Two", { argument: { session: "s2" } }),
    choice("Three", { command: "tutor.start", argument: { node: "n", language: "python" } }),
  ];
  const tree = sessionsTree(rows, sessions);
  assert.deepEqual(
    tree.map(({ kind, command }) => [kind, command?.[1]]),
    [
      ["session open", "s1"],
      ["session", "s2"],
      ["session", undefined],
    ],
  );
  assert.equal(tree[0]?.spoken, "One, python, 3 of 4, in use");
  assert.equal(tree[0].tooltip, sessions[0]?.workspace);
});
