// Made from the dataclasses of the server by `make interface`. Do not edit.

/** A row of `tutor.choices`. */
export interface Choice {
  /** What the row is: `list` opens another list, `ask` first asks the learner for text. */
  kind: "session" | "topic" | "language" | "unit" | "list" | "ask";
  /** Its text, a few words. */
  label: string;
  /** Further information, parts separated by ` · `; may be empty. */
  detail: string;
  /** The heading above it; rows of one group are adjacent. */
  group: string;
  /** The command that picking it runs; `tutor.choices` for another list. */
  command: string;
  /** The argument of that command. In a row of kind `ask`, one value is empty: the learner's answer to `detail` replaces it. */
  argument: Record<string, unknown>;
  /** Id of the language that it is about; empty where it is about none or several. */
  language: string;
}
