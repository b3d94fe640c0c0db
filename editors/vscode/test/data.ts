// Payloads as the server sends them, with what a test wants to be different.
import type {
  AttemptResult,
  Curriculum,
  ListedSession,
  Node,
  Report,
  Review,
  TestOutcome,
  Unit,
} from "../src/protocol";

export function unit(id: string, over: Partial<Unit> = {}): Unit {
  return {
    id,
    stub: `stub_${id.replace("-", "")}`,
    file: "src/lib.rs",
    line: 10,
    firstPrinciple: `principle of ${id}`,
    lesson: { heading: `About ${id}`, line: 5 },
    tests: [`test_${id}`],
    state: "todo",
    focus: false,
    hintLevel: 0,
    ...over,
  };
}

export function node(id: string, over: Partial<Node> = {}): Node {
  return {
    id,
    title: id.toUpperCase(),
    language: "rust",
    depth: "D1",
    mastery: 0,
    claimed: false,
    missingPrerequisites: [],
    offline: true,
    openable: true,
    due: false,
    minutes: 12,
    ...over,
  };
}

export function curriculum(nodes: Node[], over: Partial<Curriculum> = {}): Curriculum {
  return { languages: ["rust", "python"], tracks: [], nodes, recommended: {}, ...over };
}

export function session(id: string, over: Partial<ListedSession> = {}): ListedSession {
  return {
    id,
    title: `Session ${id}`,
    language: "python",
    node: "python-lists",
    workspace: `/home/ann/tutor-lsp/python/${id}`,
    attempts: 0,
    updatedAt: "2026-03-01T10:00:00.000+00:00",
    endedAt: null,
    passed: false,
    missing: false,
    active: false,
    folder: id,
    units: 4,
    unitsPassing: 1,
    proven: "",
    ...over,
  };
}

export function report(outcome: Report["outcome"], tests: TestOutcome[] = []): Report {
  return {
    runId: "run-1",
    outcome,
    tests: tests.map((result, index) => ({
      name: `test_${index + 1}`,
      unit: "ex-1",
      stub: "stub",
      outcome: result,
      message: null,
    })),
    buildErrors: [],
    durationMs: 120,
    command: "cargo test",
  };
}

export function review(over: Partial<Review> = {}): Review {
  return {
    verdict: "PASS",
    score: 86,
    summary: "Clear.",
    findings: [],
    improvement: null,
    question: null,
    tags: [],
    ...over,
  };
}

export function attempt(over: Partial<AttemptResult> = {}): AttemptResult {
  return {
    attempt: 1,
    report: report("passed", ["passed", "passed"]),
    review: review(),
    reviewError: null,
    mastery: { node: "n", before: 1, after: 1 },
    next: [],
    ...over,
  };
}
