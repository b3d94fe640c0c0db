// Made from the dataclasses of the server by `make interface`. Do not edit.

import type { Advice, Review, TestReport } from "./core.generated";
import type { Way } from "./units.generated";

/** A result in words, written once by the server. */
export interface Say {
  /** A few words for a heading or a notification. */
  title: string;
  /** One or two sentences for a message or a status line: at most 200 characters, no line break. */
  oneLine: string;
  /** The whole result, in Markdown that also reads well as plain text. Its first line is `# ` and the title, so a client that shows the title elsewhere can omit it. */
  markdown: string;
}

/** `tutor.start`: the job is running; `tutor/sessionReady` or `tutor/sessionFailed` follows. */
export interface Started {
  /** Id of the job, for `tutor.cancel` and as in the notification that follows. */
  jobId: string;
  /** Id of the topic; null for a topic in the learner's own words. */
  node: string | null;
  /** Id of the language. */
  language: string;
  /** `D1`, `D2` or `D3`. */
  depth: string;
  /** Title of the topic; empty for one in the learner's own words. */
  title: string;
}

/** `tutor.next`: like `tutor.start`, after ending the previous session. */
export interface NextStarted extends Started {
  /** How the previous session ended, in one or two sentences. */
  ended: string;
}

/** `tutor.open`: a place in the workspace, shown if the client can show it. */
export interface FilePlace {
  /** File, relative to the workspace. */
  file: string;
  /** 1-based line. */
  line: number;
}

/** `tutor.attempt`: a run that counts, and its review. */
export interface AttemptResult {
  /** Its number; null if it was not counted. */
  attempt: number | null;
  /** The result of the run. */
  report: TestReport;
  /** The review; null if there is none (yet). */
  review: Review | null;
  /** Why there is no review; the next attempt on the same text requests it again. */
  reviewError: string | null;
  /** Mastery of the topic. */
  mastery: MasteryStep;
  /** Recommended next steps, best first. */
  next: Advice[];
  /** What the verdict does not say: why the attempt was not counted, that the text has changed since, what was left out, why a pass does not count in full, or what a challenge showed. */
  note: string | null;
  /** Topics that count as known because of it. */
  claimed: string[];
  /** Local time (`14:03`) at which the text that this is about was read; null if that is still the one on disk. */
  textOf: string | null;
  /** Title of the topic; its id if the curriculum no longer has it. */
  topic: string;
}

/** Mastery of the topic before and after an attempt. */
export interface MasteryStep {
  /** Id of the topic. */
  node: string;
  /** 0–3. */
  before: number;
  /** 0–3. */
  after: number;
}

/** `tutor.hint`. */
export interface HintResult {
  /** Id of the unit. */
  unit: string;
  /** 1 (a nudge) to 3 (the answer in words). */
  level: number;
  /** The hint, in Markdown. */
  text: string;
  /** Code to show with the text, if any. */
  code: string | null;
  /** Whether the fix behind the hint was executed and made a test pass, and all that the hint states was executed, too. */
  verified: boolean;
  /** Whether a model would answer a question about the code; false below level 3. */
  answersQuestions: boolean;
  /** Name of the unit's function. */
  stub: string;
  /** Language of the code. */
  language: string;
  /** The ways on after a hint of level 3, best offered as buttons; empty before. */
  actions: Way[];
  /** The known mistake that the code makes, or where it is wrong, which hints of level 1 begin with; null where neither is known. */
  mistake: KnownMistake | null;
  /** Whose words it is in: those of the exercise's author with the facts of the tests, or a model's. */
  source: "author" | "model";
  /** Whether all that it states was executed: see `verified`, a known mistake, or what mends it. */
  tried: boolean;
  /** What of a model's words was executed, in a sentence to show beside them; empty for nothing. */
  triedOut: string;
}

/** A mistake that is known in an exercise, as the code of its unit makes it, or else where that code is wrong. */
export interface KnownMistake {
  /** The misconception behind it; empty where it has no name. */
  tag: string;
  /** What the code does, in one sentence, or where it is wrong. */
  says: string;
  /** Whether it is known and can be nothing else; otherwise only the place is known. */
  sure: boolean;
}

/** `tutor.ask`, and `tutor.hint` with a question. */
export interface AskResult extends HintResult {
  /** A heading, because the answer need not be a hint. */
  title: string;
  /** Whether the question was answered; if not, the text is the best help available without an answer. */
  answered: boolean;
  /** Why it was not: no model was available, or a model gave no usable answer. */
  reason: "NO_MODEL" | "NO_ANSWER" | null;
}

/** `tutor.reveal`: one way to write a unit. */
export interface Revealed {
  /** Id of the unit. */
  unit: string;
  /** File of the stub, relative to the workspace. */
  file: string;
  /** The code. */
  solution: string;
  /** Name of the unit's function. */
  stub: string;
}

/** `tutor.compare`: a unit beside its reference. */
export interface Comparison {
  /** Id of the unit. */
  unit: string;
  /** File of the stub, relative to the workspace. */
  file: string;
  /** The learner's own file, as an absolute path. */
  yours: string;
  /** A read-only copy of that file, with this unit replaced by the reference. */
  reference: string;
  /** The unit's difference as a unified diff; empty if both are equal. */
  diff: string;
  /** Name of the unit's function. */
  stub: string;
}

/** `tutor.cancel`. */
export interface Cancelled {
  /** Whether anything was running. */
  cancelled: boolean;
}

/** `tutor.reset`, and `tutor.restore` of an exercise. */
export interface PutBack {
  /** Files that were put back, relative to the workspace. */
  files: string[];
  /** Those whose text was kept, so that `tutor.reset` with `undo` brings it back. */
  kept: string[];
  /** Those of `kept` that had been deleted: the last text seen was kept. */
  older: string[];
  /** Whether it undid an earlier reset. */
  undone: boolean;
  /** Whether what it undid was the last undo, since there is nothing else to undo. */
  redone: boolean;
}

/** `tutor.restore` with `record`. */
export interface RecordRestored {
  /** Name of the backup; null if none was needed. */
  backup: string | null;
  /** Number of restored sessions. */
  sessions: number;
  /** Number of restored topics. */
  topics: number;
  /** Number of restored events. */
  events: number;
  /** Number of exercises added back from their folders. */
  adopted: number;
  /** Path of the copy of the previous record; null if none was made. */
  aside: string | null;
  /** Whether the learner chose to continue without what was lost. */
  dismissed: boolean;
  /** Always empty: exercise files do not change. */
  files: string[];
}
