// The server's interface as it is used here. What commands and notifications carry is described in
// interface/, which is generated from the server's own types.
import type {
  AskResult,
  ChoicesArguments,
  HintResult,
  Interface,
  Notifications,
  OpenArguments,
  Said,
} from "../interface/index.generated";

export type * from "../interface/index.generated";

export type Command = keyof Interface;

/** Which session a command means; none of both: the server decides. */
export interface Which {
  session?: string;
  uri?: string;
}

export type Target = NonNullable<OpenArguments["target"]>;

/** The lists of `tutor.choices`. */
export type List = NonNullable<ChoicesArguments["list"]>;

/** A hint, with more where a question was asked. */
export type Hinted = Said<HintResult & Partial<AskResult>>;

/** Requests from the server: a question answered in words, and one for the editor's model. */
export const ASK = "tutor/ask";
export const MODEL = "tutor/model";

/** Tells the server whether the editor has a model, where that changes. */
export const MODEL_CHANGED = "tutor/modelChanged";

/** Notifications that are listened to; `tutor/reviewReady` says only what attempts answer, too. */
export const HEARD = ["sessionReady", "sessionFailed", "unitsChanged", "testsRan", "hintReady"] as const;

/** What is done with each of them. */
export type Heard = {
  [Name in (typeof HEARD)[number]]: (payload: Notifications[`tutor/${Name}`]) => unknown;
};
