// Made from the dataclasses of the server by `make interface`. Do not edit.

/** A way on from where the learner is: a command to offer, with its argument. */
export interface Way {
  /** Its text, a few words. */
  title: string;
  /** The command. */
  command: string;
  /** The argument of that command. */
  argument: Record<string, unknown>;
}

/** An exercise's standing. Counts are for the saved text: 0 if the results are old. */
export interface StandingInfo {
  /** The learner's progress. */
  progress: "not begun" | "begun" | "passed";
  /** Whether the learner took a last hint or a solution. */
  withHelp: boolean;
  /** Number of units. */
  units: number;
  /** Number of units that pass now. */
  unitsPassing: number;
  /** Number of tests. */
  tests: number;
  /** Number of tests that pass now. */
  testsPassing: number;
  /** Whether the results are for an older text, or the exercise was begun but has none on record. */
  old: boolean;
  /** Units that pass, as `3 of 4`, `3 of 4 before this edit` or `not run yet`. */
  words: string;
  /** The same for tests. */
  testsWords: string;
}

/** One unit of an exercise. */
export interface UnitInfo {
  /** Its id, such as `ex-1`. */
  id: string;
  /** Name of its function. */
  stub: string;
  /** File of the stub, relative to the workspace. */
  file: string;
  /** 1-based line of the stub. */
  line: number;
  /** Where its body is, without comments: the placeholder at first. */
  body: Lines;
  /** The idea that it teaches, in a few words. */
  firstPrinciple: string;
  /** Its section of the lesson. */
  lesson: Heading;
  /** Names of its tests. */
  tests: string[];
  /** Its state. `stale`: its results are for a text other than the saved one. */
  state: "todo" | "failing" | "passing" | "stale";
  /** The state in words, with how many of its tests pass. */
  words: string;
  /** Whether its results are for a text older than the saved one. */
  old: boolean;
  /** Whether all its tests passed when they last ran, even if on an older text. */
  passed: boolean;
  /** Whether it is the unit that the learner is working on. */
  focus: boolean;
  /** Level of the last hint for it that still counts, 0–3. */
  hintLevel: number;
  /** What it asks for: the body of its stub, to `declare` or `repair` what `stub` names, to write a `test` of it, or to `predict` what a program gives, in answers the first of which is `stub`. The file of such a unit is its own, and `line` is that of its first comment where nothing of that name, or no test, is declared. */
  kind: "body" | "declare" | "repair" | "test" | "predict";
  /** After the last hint, the ways on from it: its solution, a question where a model would answer it, an easier exercise. */
  actions: Way[];
}

/** Lines of a file. */
export interface Lines {
  /** The first, 1-based. */
  line: number;
  /** The last. */
  endLine: number;
}

/** A heading of LESSON.md. */
export interface Heading {
  /** Its text. */
  heading: string;
  /** Its 1-based line. */
  line: number;
}
