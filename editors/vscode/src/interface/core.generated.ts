// Made from the dataclasses of the server by `make interface`. Do not edit.

/** One run. `reason` explains outcomes without test results. `textHash` identifies everything that the run ran on, "" if unknown (records of earlier versions). `note` is one line on what an attempt ignores, "" if nothing. */
export interface TestReport {
  /** Identifies the run. */
  runId: string;
  /** How it ended as a whole. */
  outcome: "passed" | "failed" | "build_error" | "timeout" | "not_run" | "cancelled";
  /** Every test, in the order of the files. */
  tests: TestResult[];
  /** Why it does not build. */
  buildErrors: BuildError[];
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** What was executed. */
  command: string;
  /** Why there are no test results, in one sentence. */
  reason: string | null;
  /** Identifies everything that it ran on; empty where that is not known. */
  textHash: string;
  /** One line on what an attempt leaves out; empty if nothing. */
  note: string;
  /** Units pass all their tests without these constructs, which they are about; null where that was not looked for. */
  unpractised: Unpractised[] | null;
}

/** One test as editors and scripts see it. */
export interface TestResult {
  /** Name of the test. */
  name: string;
  /** Id of the unit that it tests; null if it tests none. */
  unit: string | null;
  /** Name of the function that it tests. */
  stub: string | null;
  /** `todo` is a failing test of a stub that nobody has started. */
  outcome: "passed" | "failed" | "errored" | "timeout" | "not_run" | "todo";
  /** Why it did not pass, in one sentence. */
  message: string | null;
  /** What was expected, as source text. */
  expected: string | null;
  /** What came instead, as source text. */
  actual: string | null;
  /** File of the assertion, relative to the workspace. */
  file: string | null;
  /** 1-based line of the assertion. */
  line: number | null;
  /** What the learner's code printed, capped. */
  output: string;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** Why it was not built, if only the unit's own file or test file does not build. */
  buildError: BuildError | null;
}

/** A build or syntax error with its span: 1-based lines, 1-based code point columns. */
export interface BuildError {
  /** File, relative to the workspace. */
  file: string;
  /** 1-based line. */
  line: number;
  /** 1-based column in code points. */
  column: number;
  /** 1-based line of its end. */
  endLine: number;
  /** 1-based column of its end, exclusive. */
  endColumn: number;
  /** The compiler's code for it. */
  code: string | null;
  /** What is wrong, as the compiler says it. */
  message: string;
}

/** A construct that a unit is about, and that its code does not use, though it passes. */
export interface Unpractised {
  /** Id of the unit. */
  unit: string;
  /** Name of the construct in exercise.toml. */
  construct: string;
  /** Id of the language that has it. */
  language: string;
}

/** A verdict after the verdict rules were applied. `score` is 0–100. Every quote in it is at its place; `droppedFindings` counts those that were not. `cited` has one citation for each of `tags`. */
export interface Review {
  /** `PASS` or `FAIL`; people never read the word FAIL. */
  verdict: string;
  /** 0–100. */
  score: number;
  /** The verdict in words. */
  summary: string;
  /** Remarks on lines of the code. */
  findings: Finding[];
  /** One thing to improve. */
  improvement: string | null;
  /** One thing to think about. */
  question: string | null;
  /** Misconceptions seen. */
  tags: string[];
  /** For each tag, where it shows. */
  cited: Citation[];
  /** The place the improvement is about. */
  improvementAt: Place | null;
  /** The answer to the question. */
  answer: Answer | null;
  /** An input on which the code differs from the reference. */
  counterExample: CounterExample | null;
  /** How many remarks were dropped because their quote was not found. */
  droppedFindings: number;
}

/** A reviewer's remark anchored to a quote at `file`:`line` (1-based). */
export interface Finding {
  /** File, relative to the workspace. */
  file: string;
  /** 1-based line. */
  line: number;
  /** Last 1-based line. */
  endLine: number;
  /** The lines it is about. */
  quote: string;
  /** The remark. */
  claim: string;
  /** Its evidence; may be empty. */
  evidence: string;
}

/** Where a misconception shows: lines that the learner wrote, and a test. */
export interface Citation {
  /** The misconception. */
  tag: string;
  /** The place where it shows. */
  at: Place;
  /** The test that shows it. */
  test: string;
}

/** A quote at `file`:`line`..`endLine` (1-based). */
export interface Place {
  /** File, relative to the workspace. */
  file: string;
  /** 1-based line. */
  line: number;
  /** Last 1-based line. */
  endLine: number;
  /** The lines as quoted. */
  quote: string;
}

/** The answer to a reviewer's question, determined by execution, and the place it is about. */
export interface Answer {
  /** The place the question is about. */
  at: Place;
  /** Lines to execute first. */
  setup: string[];
  /** The expression. */
  call: string;
  /** Its value. */
  value: string;
}

/** An executed input for which the reference returned `expected` and the learner's code did not. `gave` is what it returned, or a clause on how it ended, which begins with a backtick. */
export interface CounterExample {
  /** Id of the unit. */
  unit: string;
  /** Lines to execute first. */
  setup: string[];
  /** The expression. */
  call: string;
  /** The reference's result. */
  expected: string;
  /** The code's result, or a clause on how it ended, which begins with a backtick. */
  gave: string;
}

/** A topic to do next, as displayed. */
export interface Advice {
  /** Id of the topic. */
  node: string;
  /** Its title. */
  title: string;
  /** Why it is recommended, in a few words. */
  reason: string;
}

/** Figures of the proof. Counts are numbers of tests; `at` is ISO 8601. `accepts` has, for each unit with a domain, how many neighbours of its tests' inputs were tried and how many accepted. */
export interface Proof {
  /** Whether every step passed. */
  ok: boolean;
  /** Whether the stubs build. */
  builds: boolean;
  /** How many tests there are. */
  tests: number;
  /** How many fail on the stubs. */
  failOnStub: number;
  /** How many pass on the reference. */
  passOnReference: number;
  /** How often that came out the same. */
  stableRuns: number;
  /** The tests of each unit. */
  unitMap: Record<string, string[]>;
  /** The earlier units that each unit needs. */
  needs: Record<string, string[]>;
  /** How many blocks of the lesson were run, and how many are right. */
  lessonBlocks: Record<string, number>;
  /** How many repairs it took. */
  repairs: number;
  /** For each unit with a file of its own that is not built at first, what the build says. */
  codes: Record<string, string[]>;
  /** For each unit that asks to mend a program, the tests that it does not pass as it is given. */
  fails: Record<string, string[]>;
  /** Per unit how many neighbouring inputs were tried and how many accepted. */
  accepts: Record<string, Record<string, number>>;
  /** Per unit how many known mistakes its tests notice. */
  mistakes: Record<string, number>;
  /** How many wrong versions that code makes were tried, noticed, and found equivalent. */
  mutants: Record<string, number>;
  /** When, in ISO 8601 in UTC. */
  at: string;
}

/** One tool as `tutor.doctor` shows it; `remedy` says how to fix what does not work. */
export interface ToolStatus {
  /** Its name. */
  name: string;
  /** Whether it is there. */
  found: boolean;
  /** Whether it can be used. */
  works: boolean;
  /** Its version, or another word on it. */
  version: string | null;
  /** How to mend what does not work. */
  remedy: string | null;
  /** False for a tool of a language that was neither begun nor set. */
  needed: boolean;
  /** Whether all exercises can be done without it, as with a model that no setting names. */
  optional: boolean;
  /** What of `remedy` can be done by pressing a button. */
  mends: Mend[];
}

/** A way to mend something, as a client can offer it on a button; which field is set is said by `kind`. */
export interface Mend {
  /** `setting`: it is opened; `page`: its address is; `line`: it is typed in a terminal, where the learner presses Enter; `command`: one of the tutor is run; `file`: it is opened. */
  kind: "setting" | "page" | "line" | "command" | "file";
  /** Key of the setting, without the section, such as `codex.command`. */
  setting: string | null;
  /** Address of the page. */
  url: string | null;
  /** Line for a terminal. */
  line: string | null;
  /** Name of the command. */
  command: string | null;
  /** Its argument. */
  argument: Record<string, unknown>;
  /** Path of the file, absolute. */
  file: string | null;
}

/** One way to mend something that exercises need. */
export interface Remedy {
  /** What is wrong, or how to mend it, in a sentence: that of the tool, or of the problem. */
  message: string;
  /** What can be done by pressing a button. */
  mend: Mend;
}
