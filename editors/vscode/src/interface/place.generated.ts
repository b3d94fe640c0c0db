// Made from the dataclasses of the server by `make interface`. Do not edit.

/** A selection in one of the learner's own documents. */
export interface Selection {
  uri: string;
  range: Range;
}

/** An LSP range. */
export interface Range {
  start: Position;
  end: Position;
}

/** An LSP position: zero-based, in the unit that client and server agreed on. */
export interface Position {
  line: number;
  character: number;
}

/** What every command takes: which session is meant. */
export interface Arguments {
  session?: string | null;
  uri?: string | null;
}
