// Made from the dataclasses of the server by `make interface`. Do not edit.

import type { Review, TestReport } from "./core.generated";
import type { Ready } from "./learner.generated";
import type { AskResult, HintResult } from "./results.generated";
import type { StandingInfo, UnitInfo } from "./units.generated";

/** An exercise is ready to be worked on. */
export interface SessionReady extends Ready {
}

/** A set-up failed or was cancelled; nothing of it is left. */
export interface SessionFailed {
  /** Id of the job. */
  jobId: string;
  /** The stage that failed. */
  stage: string | null;
  /** An upper-case word, such as `EXECUTION_FAILED` or `CANCELLED`. */
  reason: string;
  /** What happened and what to do. */
  message: string;
  /** JSON data. */
  details: Record<string, unknown>;
}

/** Units of an open exercise changed state. */
export interface UnitsChanged {
  /** Id of the session. */
  sessionId: string;
  /** Folder of the exercise, absolute. */
  workspace: string;
  /** All its units. */
  units: UnitInfo[];
  /** The exercise's standing. */
  standing: StandingInfo;
}

/** A run has ended; sent only if `initializationOptions.reports` is true. */
export interface TestsRan {
  /** Id of the session. */
  sessionId: string;
  /** The result of the run. */
  report: TestReport;
}

/** A hint is available; a model may still be working on a better one. Also an answer that is still being written, as far as it goes: the next one has more of it. */
export interface HintReady {
  /** Id of the session. */
  sessionId: string;
  /** The hint, or the answer by now. */
  hint: HintResult | AskResult;
  /** False if a better one may follow, or more of an answer. */
  final: boolean;
}

/** The review of an attempt is available. */
export interface ReviewReady {
  /** Id of the session. */
  sessionId: string;
  /** Number of the attempt. */
  attempt: number;
  /** The review. */
  review: Review;
}

/** Translations of what the plugins for Neovim and Emacs say themselves; sent once, as the first message after `initialized`, only if `initializationOptions.texts` is true and the learner's language is not English. */
export interface TextsTranslated {
  /** The language, such as `de`. */
  language: string;
  /** Each translation by the English text; places such as `{name}` are in both. */
  texts: Record<string, string>;
}
