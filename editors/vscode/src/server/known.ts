// What the extension remembers of what the server said. Types only.
import type { OpenSession, Review, Said, TestResult, UnitInfo } from "./protocol";

/** What has changed: units and tests, or also the learner's record. */
export type Change = "units" | "record";

/** What the server last said of the exercise that this window means. */
export interface Known {
  info: OpenSession | null;
  units: readonly UnitInfo[];
  tests: readonly TestResult[];
  /** Of the last attempt that has one. */
  review: Said<Review> | null;
}
