// Payloads as the server sends them, with what a test wants to be different.
import type {
  AttemptInfo,
  AttemptResult,
  Choice,
  ListedSession,
  NodeInfo,
  OpenSession,
  Review,
  Said,
  Say,
  StandingInfo,
  TestReport,
  TestResult,
  UnitInfo,
} from "../src/server/protocol";

export function say(what: string): Say {
  const oneLine = `${what} in one line.`;
  return { title: `${what} as a title`, oneLine, markdown: `# ${what} as a title\n\n${what} as a whole.` };
}

export function unit(id: string, over: Partial<UnitInfo> = {}): UnitInfo {
  return {
    id,
    stub: `stub_${id.replace("-", "")}`,
    file: "src/lib.rs",
    line: 10,
    body: { line: 14, endLine: 14 },
    firstPrinciple: `principle of ${id}`,
    lesson: { heading: `About ${id}`, line: 5 },
    tests: [`test_${id}`],
    state: "todo",
    words: "to do",
    old: false,
    passed: false,
    focus: false,
    hintLevel: 0,
    kind: "body",
    actions: [],
    ...over,
  };
}

export function node(id: string, over: Partial<NodeInfo> = {}): NodeInfo {
  return {
    id,
    title: id.toUpperCase(),
    summary: `About ${id}.`,
    language: "rust",
    depth: "D1",
    mastery: 0,
    passed: false,
    standing: "not begun",
    claimed: false,
    prerequisites: [],
    missingPrerequisites: [],
    offline: true,
    openable: true,
    due: false,
    dueAt: null,
    own: false,
    misconceptions: {},
    unpractised: [],
    minutes: 12,
    keywords: [],
    errorCodes: [],
    exercises: [],
    ...over,
  };
}

export function standing(words: string): StandingInfo {
  return {
    progress: "begun",
    withHelp: false,
    units: 4,
    unitsPassing: 1,
    tests: 8,
    testsPassing: 2,
    old: false,
    words,
    testsWords: "2 of 8",
  };
}

export function session(id: string, over: Partial<ListedSession> = {}): ListedSession {
  return {
    id,
    exerciseId: "python-lists-1",
    title: `Session ${id}`,
    language: "python",
    node: "python-lists",
    depth: "D1",
    workspace: `/home/ann/tutor-lsp/python/${id}`,
    lesson: `/home/ann/tutor-lsp/python/${id}/LESSON.md`,
    backend: "library",
    challenge: false,
    attempts: 0,
    hintLevelUsed: 0,
    createdAt: "2026-03-01T10:00:00.000+00:00",
    updatedAt: "2026-03-01T10:00:00.000+00:00",
    endedAt: null,
    passed: false,
    tests: 8,
    testsPassing: 2,
    standing: standing("1 of 4"),
    verdict: null,
    missing: false,
    continues: true,
    active: false,
    folder: id,
    units: 4,
    unitsPassing: 1,
    proven: "",
    ...over,
  };
}

export function opened(id: string, history: AttemptInfo[] = []): OpenSession {
  const proof = {
    ok: true,
    builds: true,
    tests: 8,
    failOnStub: 8,
    passOnReference: 8,
    stableRuns: 1,
    unitMap: {},
    needs: {},
    lessonBlocks: {},
    codes: {},
    fails: {},
    mistakes: {},
    repairs: 0,
    accepts: {},
    mutants: {},
    at: "",
  };
  return { ...session(id), attempts: history.length, proof, history };
}

export function choice(label: string, over: Partial<Choice> = {}): Choice {
  const argument = { session: "s1" };
  return {
    kind: "session",
    label,
    detail: `about ${label}`,
    group: "Sessions",
    command: "tutor.resume",
    argument,
    language: "",
    ...over,
  };
}

export function report(
  outcome: TestReport["outcome"],
  tests: TestResult["outcome"][] = [],
): TestReport {
  return {
    runId: "run-1",
    outcome,
    tests: tests.map((result, index) => ({
      name: `test_${index + 1}`,
      unit: "ex-1",
      stub: "stub",
      outcome: result,
      message: null,
      expected: null,
      actual: null,
      file: null,
      line: null,
      output: "",
      durationMs: 1,
      buildError: null,
    })),
    buildErrors: [],
    durationMs: 120,
    command: "cargo test",
    reason: null,
    textHash: "",
    note: "",
    unpractised: [],
  };
}

export function review(over: Partial<Review> = {}): Said<Review> {
  return {
    verdict: "PASS",
    score: 86,
    summary: "Clear.",
    findings: [],
    improvement: null,
    question: null,
    tags: [],
    cited: [],
    improvementAt: null,
    answer: null,
    counterExample: null,
    droppedFindings: 0,
    say: say("The review"),
    ...over,
  };
}

export function attempt(over: Partial<AttemptResult> = {}): Said<AttemptResult> {
  return {
    attempt: 1,
    topic: "A topic",
    report: report("passed", ["passed", "passed"]),
    review: review(),
    reviewError: null,
    mastery: { node: "n", before: 1, after: 1 },
    next: [],
    note: null,
    claimed: [],
    textOf: null,
    say: say("The attempt"),
    ...over,
  };
}
