import assert from "node:assert/strict";
import { test } from "node:test";
import { type Branch, curriculumTree, sessionsTree, sessionTree } from "../src/trees";
import type { SessionInfo } from "../src/protocol";
import { curriculum, node, report, review, session, unit } from "./data";

function all(branches: readonly Branch[]): Branch[] {
  return branches.flatMap((branch) => [branch, ...all(branch.children ?? [])]);
}

function find(branches: readonly Branch[], id: string): Branch {
  return all(branches).find((branch) => branch.id === id) ?? assert.fail(id);
}

/** What every row says: by the time of a click another exercise may be in front. */
const own = { session: "s1" };

const HISTORY: SessionInfo["history"] = [
  { number: 1, at: "", outcome: "failed", tests: 2, testsPassing: 1, verdict: "FAIL", score: 40 },
  { number: 2, at: "", outcome: "passed", tests: 2, testsPassing: 2, verdict: "PASS", score: 86 },
];

test("the exercise has its units with state in words, lesson and attempts, newest first", () => {
  const units = [unit("ex-1", { state: "passing" }), unit("ex-2", { focus: true })];
  const info = session("s1", { attempts: 2, history: HISTORY });
  const tree = sessionTree(info, units, report("failed", ["passed"]).tests);
  assert.equal(tree[0]?.description, "1 of 2");
  assert.equal(find(tree, "ex-1").spoken, "stub_ex1, ex-1, passes");
  assert.equal(find(tree, "ex-2").spoken, "stub_ex2, ex-2, to do, you are here");
  assert.equal(find(tree, "lesson").description, "About ex-2");
  assert.deepEqual(
    find(tree, "attempts").children?.map(({ spoken }) => spoken),
    [
      "Attempt 2, 2 of 2 tests pass, passed, score 86 of 100",
      "Attempt 1, 1 of 2 tests pass, not yet",
    ],
  );
});

test("an attempt that did not build tells no count of tests", () => {
  const first = { number: 1, at: "", tests: 0, testsPassing: 0, score: 0 };
  const history = [{ ...first, outcome: "build_error" as const, verdict: "FAIL" as const }];
  const tree = sessionTree(session("s1", { attempts: 1, history }), [unit("ex-1")], []);
  assert.equal(find(tree, "attempt 1").spoken, "Attempt 1, did not build, not yet");
});

test("the last review says what it found, and each row goes to its place", () => {
  const at = { file: "src/lib.rs", line: 4, endLine: 4, quote: "let x = 1;" };
  const counterExample = { unit: "ex-2", setup: [], call: "f(0)", expected: "0", gave: "1" };
  const finding = { ...at, line: 7, claim: "is read twice", evidence: "" };
  const last = review({ improvement: "Name `it`.", improvementAt: at, counterExample });
  const tree = sessionTree(session("s1"), [unit("ex-1")], [], {
    ...last,
    findings: [finding],
    question: "Why?",
  });
  assert.deepEqual(
    find(tree, "review").children?.map(({ spoken, command }) => [spoken, ...(command ?? [])]),
    [
      ["Still open, f(0) gave 1, expected 0.", "tutorLsp.openStub", { ...own, unit: "ex-2" }],
      ["Line 7, is read twice", "tutorLsp.place", { ...finding, ...own }],
      ["To improve, Name it.", "tutorLsp.place", { ...at, ...own }],
      ["A question, Why?", "tutorLsp.openCoach", own],
    ],
  );
  assert.equal(find(tree, "review").spoken, "Last review, passed, score 86 of 100");
});

test("a row of a test leads to where it fails, else to the test; an attempt to its review", () => {
  const tests = report("failed", ["failed"]).tests.map((result) => {
    return { ...result, file: "tests/a.py", line: 7 };
  });
  const unit1 = unit("ex-1", { tests: ["test_1", "test_2"], focus: true });
  const info = session("s1", { history: HISTORY });
  const tree = sessionTree(info, [unit1], tests);
  assert.deepEqual(find(tree, "ex-1/test_1").command, [
    "tutorLsp.place",
    { ...own, file: "tests/a.py", line: 7, endLine: 7, quote: "" },
  ]);
  const named = { ...own, unit: "ex-1", test: "test_2" };
  assert.deepEqual(find(tree, "ex-1/test_2").command, ["tutorLsp.openTest", named]);
  assert.deepEqual(find(tree, "attempt 1").command, ["tutorLsp.openCoach", { ...own, attempt: 1 }]);
  assert.deepEqual(find(tree, "lesson").command, ["tutorLsp.openLesson", { ...own, unit: "ex-1" }]);
});

test("no exercise, no tree: the view says what to do instead", () => {
  assert.deepEqual(sessionTree(null, [], []), []);
});

test("topics say their mastery in words, and what they build on as advice", () => {
  const nodes = [
    node("a", { mastery: 3 }),
    node("b", { missingPrerequisites: ["a"], offline: false, due: true }),
  ];
  const track = { id: "t", title: "Track", language: "rust", nodes: ["a"] };
  const tree = curriculumTree(curriculum(nodes, { tracks: [track], languages: ["rust"] }));
  assert.match(find(tree, "rust a").spoken, /^A, fluent, 12 min/);
  assert.match(find(tree, "rust a").description ?? "", /^●●● · 12 min/);
  assert.match(find(tree, "rust b").spoken, /not begun.*due for review.*needs a model, builds on A$/);
  assert.deepEqual(find(tree, "rust a").command?.[0], "tutorLsp.topic");
  assert.equal(find(tree, "t").children?.length, 1);
});

test("sessions can be resumed unless their folder is gone, and ended while they are open", () => {
  const sessions = [
    session("s1"),
    session("s2", { endedAt: "2026-03-01T10:00:00Z" }),
    session("s3", { missing: true }),
  ];
  const tree = sessionsTree(sessions, Date.now());
  assert.deepEqual(
    tree.map(({ kind, command }) => [kind, command?.[1]]),
    [
      ["session open", "s1"],
      ["session", "s2"],
      ["session", undefined],
    ],
  );
});

test("sessions of one title are told apart by how far they are and by their folder", () => {
  const title = "Movie night";
  const copies = [
    session("s1", { title, folder: "movie-night-2", unitsPassing: 3 }),
    session("s2", { title, folder: "movie-night", units: 0 }),
  ];
  const [second, first] = sessionsTree(copies, Date.parse(copies[0]?.updatedAt ?? ""));
  assert.equal(second?.spoken, "Movie night, python, 3 of 4 done, just now, movie-night-2");
  assert.equal(first?.spoken, "Movie night, python, just now, movie-night");
});

test("every icon has words beside it", () => {
  const tree = [
    ...sessionTree(session("s1"), [unit("ex-1")], []),
    ...curriculumTree(curriculum([node("a")])),
    ...sessionsTree([session("s1")], Date.now()),
  ];
  for (const branch of all(tree)) {
    assert.ok(branch.spoken.length >= branch.label.length, branch.id);
    assert.doesNotMatch(branch.spoken, /[○●]/);
  }
});
