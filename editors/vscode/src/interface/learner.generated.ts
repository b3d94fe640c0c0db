// Made from the dataclasses of the server by `make interface`. Do not edit.

import type { Choice } from "./choices.generated";
import type { Advice, Proof, Remedy, ToolStatus } from "./core.generated";
import type { StandingInfo, UnitInfo } from "./units.generated";

/** `tutor.status`. */
export interface Status {
  /** The selected session; null if none is open. */
  session: OpenSession | BrokenSession | null;
  /** Its units; null if none is open. */
  units: UnitInfo[] | null;
  /** Jobs that are running or have just ended, oldest first. */
  jobs: JobInfo[];
  /** The backend in use. */
  backend: BackendInfo;
  /** The tutor home, which contains exercises and record. */
  home: string;
  /** Version of tutor-lsp. */
  version: string;
  /** The setting of that name, `focused` or `mine`, from whichever source counts. */
  layout: string;
  /** The exercise to continue, as a row of a list: the selected one, else another that is begun unless one was named; null where there is none. */
  resume: Choice | null;
  /** Number of topics that are due for review. */
  due: number;
  /** That in words; empty for none. */
  dueWords: string;
}

/** The selected session, with its history. */
export interface OpenSession extends SessionInfo {
  /** What was executed before the learner saw the exercise. */
  proof: Proof;
  /** The last attempts, oldest first. */
  history: AttemptInfo[];
}

/** An attempt in a session's history. */
export interface AttemptInfo {
  /** 1 for the first. */
  number: number;
  /** ISO 8601 in UTC. */
  at: string;
  /** Identifies all the texts that it ran on. */
  textHash: string;
  /** As in a report. */
  outcome: string;
  /** Number of tests. */
  tests: number;
  /** Number of tests that passed. */
  testsPassing: number;
  /** `PASS` or `FAIL`; null without a review. */
  verdict: string | null;
  /** 0–100; null without a review. */
  score: number | null;
  /** One line: its local time, how many tests passed, and the review's verdict. */
  words: string;
}

/** Returned in place of a session that cannot be opened. */
export interface BrokenSession {
  /** Why it cannot be opened. */
  error: ErrorInfo;
}

/** A refusal or failure inside a result. */
export interface ErrorInfo {
  /** One or two sentences that end with a remedy. */
  message: string;
  /** An upper-case word, such as `NO_WORKSPACE`. */
  kind: string;
  /** The stage of a set-up that failed. */
  stage?: string;
  /** A machine-readable reason. */
  reason?: string;
  /** JSON data. */
  details?: Record<string, unknown>;
}

/** A job that is running or has just ended. */
export interface JobInfo {
  /** Its id. */
  jobId: string;
  /** What the job makes. */
  title: string;
  /** Id of the topic. */
  node: string | null;
  /** Id of the language. */
  language: string;
  /** Its state. */
  state: "running" | "done" | "failed" | "cancelled";
  /** Its current stage. */
  stage: string | null;
  /** 0–100; never decreases. */
  percent: number;
  /** Its current step. */
  message: string;
  /** Why it failed or was cancelled. */
  error: ErrorInfo | null;
  /** Id of its session; null until there is one. */
  sessionId: string | null;
}

/** The backend that provides exercises and answers. */
export interface BackendInfo {
  /** Such as `library`. */
  name: string;
  /** Why it was chosen, in one sentence. */
  why: string;
  /** Whether a model would answer a question about this session's code. */
  answersQuestions: boolean;
}

/** A row of `tutor.sessions`. */
export interface ListedSession extends SessionInfo {
  /** Whether it is the one that was last started or resumed. */
  active: boolean;
  /** Whether its folder is gone. */
  missing: boolean;
  /** Whether it can be continued: it has neither passed nor ended, and its folder exists. */
  continues: boolean;
  /** Name of its folder, which distinguishes copies of the same exercise. */
  folder: string;
  /** One line that says what was executed; empty if there is no record of it. */
  proven: string;
  /** Number of units, 0 if unknown. */
  units: number;
  /** Number of units that pass now. */
  unitsPassing: number;
}

/** `tutor.resume`, and `tutor/sessionReady`. */
export interface Ready extends StartedExercise {
  /** The job that made it, null after `tutor.resume`. */
  jobId: string | null;
  /** Id of the session. */
  sessionId: string;
  /** The files of the exercise, relative to the workspace. */
  files: string[];
  /** Its units. */
  units: UnitInfo[];
  /** What was executed before the learner saw it. */
  proof: Proof;
  /** Whether it is a challenge: its lesson has no more than the task. */
  challenge: boolean;
}

/** `tutor.end`. */
export interface Ended {
  /** How it went, in one or two sentences. */
  summary: string;
  /** What to do next, best first. */
  recommendations: Advice[];
}

/** `tutor.curriculum`. */
export interface CurriculumInfo {
  /** Language ids; those whose tools do not work here come last. */
  languages: string[];
  /** Paths through the topics. */
  tracks: TrackInfo[];
  /** All topics. */
  nodes: NodeInfo[];
  /** Recommended next steps by language, best first. */
  recommended: Record<string, Advice[]>;
  /** Number of topics that need a model, by language. */
  withModel: Record<string, number>;
  /** The learner's own libraries, in the order of the setting. */
  libraries: LibraryInfo[];
}

/** A named path of topics. */
export interface TrackInfo {
  /** Its id. */
  id: string;
  /** Its title. */
  title: string;
  /** Id of its language. */
  language: string;
  /** Ids of its topics, in order. */
  nodes: string[];
}

/** A topic of the curriculum, and `tutor.claim`. */
export interface NodeInfo {
  /** Its id. */
  id: string;
  /** Its title. */
  title: string;
  /** What it is about. */
  summary: string;
  /** Id of its language. */
  language: string;
  /** Its intended depth. */
  depth: string;
  /** 0–3. */
  mastery: number;
  /** Whether it was passed at its intended depth. */
  passed: boolean;
  /** `not begun`, `begun`, `passed` or `passed with help`. */
  standing: string;
  /** Whether the learner said "I know this". */
  claimed: boolean;
  /** Ids of the topics that it builds on. */
  prerequisites: string[];
  /** Those not yet passed at their intended depth: advice, not a barrier. */
  missingPrerequisites: string[];
  /** Whether an exercise for it is bundled. */
  offline: boolean;
  /** Whether it can be started now, with the tools, exercises and models available. */
  openable: boolean;
  /** Whether it is due for review. */
  due: boolean;
  /** When it is next due, ISO 8601 in UTC. */
  dueAt: string | null;
  /** Whether it is a topic in the learner's own words. */
  own: boolean;
  /** Open misconceptions and how often each was seen. */
  misconceptions: Record<string, number>;
  /** About how long it takes. */
  minutes: number | null;
  /** Words by which it can be searched. */
  keywords: string[];
  /** Error codes that it gives practice in. */
  errorCodes: string[];
  /** Its bundled exercises. */
  exercises: BundledExercise[];
  /** Constructs that its passed exercises were about and the learner has not used, as words with their articles. */
  unpractised: string[];
}

/** An exercise that can be started without a model. */
export interface BundledExercise {
  /** Its id. */
  id: string;
  /** Its title. */
  title: string;
  /** `D1`, `D2` or `D3`. */
  depth: string;
  /** About how long it takes. */
  minutes: number | null;
  /** The folder of one of the learner's own; empty if it comes with the tutor. */
  folder: string;
}

/** A folder of the setting `libraries`. */
export interface LibraryInfo {
  /** The folder, absolute. */
  path: string;
  /** How many exercises in it are used. */
  exercises: number;
  /** One sentence for each exercise that is left out, and for whatever else cannot be used. */
  leftOut: string[];
}

/** `tutor.report`. */
export interface ReportPage {
  /** The HTML page, absolute. */
  path: string;
}

/** `tutor.doctor`. */
export interface Diagnosis {
  /** Every tool, whether it works, and how to fix it. */
  tools: ToolStatus[];
  /** The tutor home. */
  home: string;
  /** Number of sessions on record. */
  sessions: number;
  /** Number of exercises in the libraries. */
  exercises: number;
  /** Other problems, one sentence each. */
  problems: string[];
  /** The Python that runs the server. */
  executable: string;
  /** What can be mended by one press of what exercises need, as `say` numbers it. */
  remedies: Remedy[];
}

/** One learner's work on one exercise. */
export interface SessionInfo extends StartedExercise {
  /** Id of the session; a unique prefix also names it. */
  id: string;
  /** ISO 8601 in UTC. */
  createdAt: string;
  /** ISO 8601 in UTC. */
  updatedAt: string;
  /** ISO 8601 in UTC; null while it is open. */
  endedAt: string | null;
  /** Name of the backend that made the exercise. */
  backend: string;
  /** Whether it is worked on without the lesson. */
  challenge: boolean;
  /** Number of counted attempts. */
  attempts: number;
  /** The highest hint taken, 0–3. */
  hintLevelUsed: number;
  /** Whether an attempt passed. */
  passed: boolean;
  /** Number of tests, 0 if unknown. */
  tests: number;
  /** Number of tests that pass now. */
  testsPassing: number;
  /** Its standing; null if there is no record of its exercise. */
  standing: StandingInfo | null;
  /** `PASS` or `FAIL`: the verdict on the last reviewed attempt. */
  verdict: string | null;
}

/** An exercise in its folder. */
export interface StartedExercise {
  /** Id of the exercise. */
  exerciseId: string;
  /** Id of the topic. */
  node: string;
  /** Title of the exercise. */
  title: string;
  /** Id of the language. */
  language: string;
  /** `D1`, `D2` or `D3`. */
  depth: string;
  /** Folder of the exercise, absolute. */
  workspace: string;
  /** LESSON.md, absolute. */
  lesson: string;
}
