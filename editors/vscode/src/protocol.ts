// What the server's custom commands and notifications carry. This file mirrors the interface of
// tutor-lsp and holds nothing else; fields the server may leave out are optional here.

export type Outcome = "passed" | "failed" | "build_error" | "timeout" | "not_run" | "cancelled";
export type TestOutcome = "passed" | "failed" | "errored" | "timeout" | "not_run" | "todo";
export type UnitState = "todo" | "failing" | "passing" | "stale";
export type Target = "lesson" | "stub" | "test" | "coach";

export interface Position {
  line: number;
  character: number;
}

/** Which session a command means; none of both: the server decides. */
export interface Which {
  session?: string;
  uri?: string;
}

export interface Unit {
  id: string;
  stub: string;
  file: string;
  line: number;
  firstPrinciple: string;
  lesson: { heading: string; line: number };
  tests: string[];
  state: UnitState;
  /** The state in words; an older server does not say it, nor what follows. */
  words?: string;
  /** Whether its results are of a text before the one that is saved; then `passed` is of that text. */
  old?: boolean;
  passed?: boolean;
  focus: boolean;
  hintLevel: number;
}

export interface SessionReady {
  jobId: string | null;
  sessionId: string;
  exerciseId: string;
  node: string;
  title: string;
  language: string;
  depth: string;
  workspace: string;
  lesson: string;
  files: string[];
  units: Unit[];
}

export interface SessionFailed {
  jobId: string;
  stage?: string | null;
  reason?: string | null;
  message: string;
  details?: unknown;
}

/** How far an exercise is, as the server tells it everywhere. */
export interface Standing {
  progress: "not begun" | "begun" | "passed";
  withHelp: boolean;
  /** Such as "3 of 4" or "3 of 4 before this edit". */
  words: string;
  old: boolean;
}

export interface UnitsChanged {
  sessionId: string;
  units: Unit[];
  standing?: Standing;
}

export interface TestsRan {
  sessionId: string;
  report: Report;
}

export interface TestResult {
  name: string;
  unit: string | null;
  stub: string | null;
  outcome: TestOutcome;
  message: string | null;
  expected?: string | null;
  actual?: string | null;
  file?: string | null;
  line?: number | null;
  output?: string;
  durationMs?: number;
}

export interface BuildError {
  file: string;
  line: number;
  column: number;
  message: string;
}

export interface Report {
  runId: string;
  outcome: Outcome;
  tests: TestResult[];
  buildErrors: BuildError[];
  durationMs: number;
  command: string;
  reason?: string | null;
  /** Identifies everything that it ran on. */
  textHash?: string;
  /** One line on what an attempt leaves out, or empty. */
  note?: string;
}

/** Lines of the learner's code as they were when they were quoted; 1-based. */
export interface Place {
  file: string;
  line: number;
  endLine: number;
  quote: string;
}

export interface Finding extends Place {
  claim: string;
  evidence: string;
}

/** An input that was executed: the reference gave `expected`, the learner's code did not. */
export interface CounterExample {
  unit: string;
  setup: string[];
  call: string;
  expected: string;
  /** What it gave, or a clause on how it ended, which begins with a backtick. */
  gave: string;
}

export interface Review {
  verdict: "PASS" | "FAIL";
  score: number;
  summary: string;
  findings: Finding[];
  improvement: string | null;
  improvementAt?: Place | null;
  question: string | null;
  /** To the question, known by execution. */
  answer?: { at: Place; setup: string[]; call: string; value: string } | null;
  counterExample?: CounterExample | null;
  /** Misconceptions, and for each where it shows. */
  tags: string[];
  cited?: { tag: string; at: Place; test: string }[];
  /** How many findings were left out, since what they quote does not stand there. */
  droppedFindings?: number;
}

export interface Recommendation {
  node: string;
  title: string;
  reason: string;
}

export interface Started {
  /** Null where a session was resumed instead. */
  jobId: string | null;
  node: string | null;
  language: string;
  depth: string;
}

export interface AttemptResult {
  attempt: number | null;
  report: Report;
  review: Review | null;
  reviewError: string | null;
  mastery: { node: string; before: number; after: number };
  next: Recommendation[];
  /** What is to be known beside the verdict. */
  note?: string | null;
  /** Time of day of the text that it is about, if that is not the one on the disk any more. */
  textOf?: string | null;
  /** Topics that count as known because of it. */
  claimed?: string[];
}

export interface HintReady {
  sessionId: string;
  hint: HintResult;
  /** False for what is there at once, while a model is asked for a better one. */
  final: boolean;
}

export interface HintResult {
  unit: string;
  level: number;
  text: string;
  code: string | null;
  verified: boolean;
  /** What came of a question has a heading of its own: it need not be a hint. */
  title?: string;
  /** Why a question was not answered. */
  reason?: "NO_MODEL" | "NO_ANSWER" | null;
}

/** A passed unit beside its reference, both as absolute paths of files. */
export interface Comparison {
  unit: string;
  file: string;
  yours: string;
  reference: string;
}

export interface Solution {
  unit: string;
  file: string;
  solution: string;
}

export interface Job {
  jobId: string;
  title: string;
  state: string;
  percent: number;
  message: string;
  error: { message: string } | null;
}

/** One of the attempts that the session keeps. */
export interface AttemptInfo {
  number: number;
  at: string;
  outcome: Outcome;
  tests: number;
  testsPassing: number;
  verdict: "PASS" | "FAIL" | null;
  score: number | null;
}

export interface SessionInfo {
  id: string;
  title: string;
  language: string;
  node: string;
  workspace: string;
  attempts: number;
  updatedAt: string;
  endedAt: string | null;
  passed: boolean;
  standing?: Standing | null;
  /** In the status only. */
  history?: AttemptInfo[];
}

export interface ListedSession extends SessionInfo {
  /** Whether the folder is gone. */
  missing: boolean;
  /** Whether it can be gone on with: neither passed nor ended, its folder is there. */
  continues?: boolean;
  active: boolean;
  /** Name of the folder, which tells copies of one exercise apart. */
  folder: string;
  /** How many units there are, 0 where that is not known, and how many pass. */
  units: number;
  unitsPassing: number;
  /** One line on what was executed before anybody saw it; empty where nothing is known. */
  proven: string;
}

export interface Status {
  session: SessionInfo | { error: { message: string } } | null;
  units: Unit[] | null;
  jobs: Job[];
  /** An older server does not say whether a question about the code would be answered. */
  backend: { name: string; why: string; answersQuestions?: boolean } | null;
  home: string;
  version: string;
}

export interface Node {
  id: string;
  title: string;
  language: string;
  depth: string;
  /** 0–3 */
  mastery: number;
  /** "not begun", "begun", "passed" or "passed with help". */
  standing?: string;
  claimed: boolean;
  missingPrerequisites: string[];
  /** Whether an exercise for it is bundled. */
  offline: boolean;
  /** Whether it can be started now, with what is there. */
  openable: boolean;
  due: boolean;
  minutes: number | null;
}

export interface Track {
  id: string;
  title: string;
  language: string;
  nodes: string[];
}

export interface Curriculum {
  languages: string[];
  tracks: Track[];
  nodes: Node[];
  /** Per language, best first. */
  recommended: Record<string, Recommendation[]>;
}

export interface Tool {
  name: string;
  found: boolean;
  works: boolean;
  version: string | null;
  remedy: string | null;
}

export interface Diagnosis {
  tools: Tool[];
  home: string;
  problems: string[];
}

export interface StartArgument {
  language?: string;
  node?: string;
  topic?: string;
  depth?: string;
  backend?: string;
  fresh?: boolean;
  challenge?: boolean;
  /** A code of another tool, to practise what it is about. */
  errorCode?: string;
}

/** Every server command this extension uses, with its argument and its result. */
export interface Commands {
  "tutor.start": { argument: StartArgument; result: Started };
  "tutor.next": { argument: Which; result: Started & { ended: string } };
  "tutor.open": {
    argument: Which & { unit?: string; position?: Position; target: Target; test?: string };
    result: { file: string; line: number };
  };
  "tutor.check": { argument: Which; result: Report };
  "tutor.attempt": { argument: Which; result: AttemptResult };
  "tutor.hint": {
    argument: Which & { position?: Position; unit?: string; question?: string };
    result: HintResult;
  };
  "tutor.ask": { argument: Which & { unit?: string; question?: string }; result: HintResult };
  "tutor.reveal": {
    argument: Which & { unit?: string; position?: Position; confirm?: boolean };
    result: Solution;
  };
  "tutor.review": { argument: Which; result: Review | null };
  "tutor.status": { argument: Which; result: Status };
  "tutor.sessions": { argument: Which; result: ListedSession[] };
  "tutor.resume": { argument: { session?: string }; result: SessionReady };
  "tutor.end": {
    argument: Which;
    result: { summary: string; recommendations: Recommendation[] };
  };
  "tutor.curriculum": { argument: { language?: string }; result: Curriculum };
  "tutor.claim": { argument: { node: string; known: boolean }; result: Node };
  "tutor.compare": {
    argument: Which & { unit?: string; position?: Position };
    result: Comparison;
  };
  "tutor.cancel": { argument: { jobId?: string }; result: { cancelled: boolean } };
  "tutor.reset": {
    argument: Which & { unit?: string; undo?: boolean };
    result: { files: string[]; undone?: boolean };
  };
  "tutor.restore": { argument: Which; result: { files: string[] } };
  "tutor.report": { argument: Which; result: { path: string } };
  "tutor.doctor": { argument: Which; result: Diagnosis };
}

export type Command = keyof Commands;

/** Requests from the server: a question answered in words, and one for the editor's model. */
export const ASK = "tutor/ask";
export const MODEL = "tutor/model";

/** Tells the server whether the editor has a model, where that changes. */
export const MODEL_CHANGED = "tutor/modelChanged";

/** Notifications that are listened to; `tutor/reviewReady` says only what attempts answer, too. */
export const NOTIFICATIONS = {
  sessionReady: "tutor/sessionReady",
  sessionFailed: "tutor/sessionFailed",
  unitsChanged: "tutor/unitsChanged",
  testsRan: "tutor/testsRan",
  hintReady: "tutor/hintReady",
} as const;
