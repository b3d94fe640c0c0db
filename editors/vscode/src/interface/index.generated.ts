// Made from the dataclasses of the server by `make interface`. Do not edit.

import type { AskArguments, CancelArguments, ChoicesArguments, ClaimArguments, CurriculumArguments, HintArguments, NoArguments, OpenArguments, ResetArguments, RestoreArguments, RevealArguments, RunArguments, StartArguments, UnitArguments } from "./arguments.generated";
import type { Choice } from "./choices.generated";
import type { Review, TestReport } from "./core.generated";
import type { CurriculumInfo, Diagnosis, Ended, ListedSession, NodeInfo, Ready, ReportPage, Status } from "./learner.generated";
import type { HintReady, ReviewReady, SessionFailed, SessionReady, TestsRan, TextsTranslated, UnitsChanged } from "./notifications.generated";
import type { AskResult, AttemptResult, Cancelled, Comparison, FilePlace, HintResult, NextStarted, PutBack, RecordRestored, Revealed, Say, Started } from "./results.generated";

export type * from "./arguments.generated";
export type * from "./choices.generated";
export type * from "./core.generated";
export type * from "./learner.generated";
export type * from "./notifications.generated";
export type * from "./place.generated";
export type * from "./results.generated";
export type * from "./units.generated";

/** A result or notification with its words. */
export type Said<T> = T & { say: Say };

/** Every command with its argument and its result. */
export interface Interface {
  "tutor.start": { argument: StartArguments; result: Said<Started> };
  "tutor.next": { argument: RunArguments; result: Said<NextStarted> };
  "tutor.open": { argument: OpenArguments; result: Said<FilePlace> };
  "tutor.check": { argument: RunArguments; result: Said<TestReport> };
  "tutor.attempt": { argument: RunArguments; result: Said<AttemptResult> };
  "tutor.hint": { argument: HintArguments; result: Said<HintResult | AskResult> };
  "tutor.ask": { argument: AskArguments; result: Said<HintResult | AskResult> };
  "tutor.reveal": { argument: RevealArguments; result: Said<Revealed> };
  "tutor.compare": { argument: UnitArguments; result: Said<Comparison> };
  "tutor.review": { argument: NoArguments; result: Said<Review> | null };
  "tutor.status": { argument: NoArguments; result: Said<Status> };
  "tutor.sessions": { argument: NoArguments; result: ListedSession[] };
  "tutor.choices": { argument: ChoicesArguments; result: Choice[] };
  "tutor.resume": { argument: NoArguments; result: Said<Ready> };
  "tutor.end": { argument: NoArguments; result: Said<Ended> };
  "tutor.curriculum": { argument: CurriculumArguments; result: Said<CurriculumInfo> };
  "tutor.claim": { argument: ClaimArguments; result: Said<NodeInfo> };
  "tutor.cancel": { argument: CancelArguments; result: Said<Cancelled> };
  "tutor.reset": { argument: ResetArguments; result: Said<PutBack> };
  "tutor.restore": { argument: RestoreArguments; result: Said<PutBack | RecordRestored> };
  "tutor.report": { argument: NoArguments; result: Said<ReportPage> };
  "tutor.doctor": { argument: NoArguments; result: Said<Diagnosis> };
}

/** Every notification of the server. */
export interface Notifications {
  "tutor/sessionReady": Said<SessionReady>;
  "tutor/sessionFailed": Said<SessionFailed>;
  "tutor/unitsChanged": Said<UnitsChanged>;
  "tutor/testsRan": Said<TestsRan>;
  "tutor/hintReady": Said<HintReady>;
  "tutor/reviewReady": Said<ReviewReady>;
  "tutor/texts": TextsTranslated;
}
