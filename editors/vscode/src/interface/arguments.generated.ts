// Made from the dataclasses of the server by `make interface`. Do not edit.

import type { Arguments, Position, Selection } from "./place.generated";

/** `tutor.start`. `resume` continues an exercise of the `node` that is begun and not passed, if there is one; `trust` agrees to running what came from elsewhere. */
export interface StartArguments extends Arguments {
  language?: string | null;
  node?: string | null;
  topic?: string | null;
  depth?: "D1" | "D2" | "D3" | null;
  backend?: string | null;
  fresh?: boolean;
  challenge?: boolean;
  errorCode?: string | null;
  from?: Selection | null;
  resume?: boolean;
  trust?: boolean;
}

/** `tutor.check`, `tutor.attempt` and `tutor.next`. `trust` is a yes to running what came from elsewhere. */
export interface RunArguments extends Arguments {
  trust?: boolean;
}

/** `tutor.open`. `test` is the name of one of the unit's tests, for the target `test`; `attempt` the number of one whose review is meant, for the target `coach`. */
export interface OpenArguments extends UnitArguments {
  test?: string | null;
  attempt?: number | null;
  target?: "lesson" | "stub" | "test" | "coach";
}

/** `tutor.hint`. */
export interface HintArguments extends UnitArguments {
  question?: string | null;
}

/** `tutor.ask`. */
export interface AskArguments extends Arguments {
  unit?: string | null;
  question?: string | null;
}

/** `tutor.reveal`. */
export interface RevealArguments extends UnitArguments {
  confirm?: boolean;
}

/** `tutor.compare`, and what each command about one unit takes: its name, or a position in its stub or one of its tests; neither for the unit in focus. */
export interface UnitArguments extends Arguments {
  unit?: string | null;
  position?: Position | null;
}

/** A command that needs nothing else. */
export interface NoArguments extends Arguments {
}

/** `tutor.choices`. `all` shows the topics that need a model, too. */
export interface ChoicesArguments extends Arguments {
  list?: "start" | "topics" | "sessions" | "units" | "own";
  language?: string | null;
  all?: boolean;
}

/** `tutor.curriculum`. */
export interface CurriculumArguments extends Arguments {
  language?: string | null;
}

/** `tutor.claim`. */
export interface ClaimArguments extends Arguments {
  node: string;
  known?: boolean;
}

/** `tutor.cancel`. */
export interface CancelArguments extends Arguments {
  jobId?: string | null;
}

/** `tutor.reset`. */
export interface ResetArguments extends Arguments {
  unit?: string | null;
  undo?: boolean;
}

/** `tutor.restore`. `record` is about the learner's record: true, or the day of a backup; `dismiss` accepts what was lost. */
export interface RestoreArguments extends Arguments {
  record?: boolean | string;
  dismiss?: boolean;
}
