// Where in a stub its failure is said, at the end of a line, and how much of it. Lines are 0-based. Pure.

/** Between the end of a line and what is said behind it, in columns. */
const GAP = 3;
/** How many tests fail, which the lens says, too. */
const COUNT = / \(\d+ [^()]*\)/;
/** What is said is not cut to less than this, in columns. */
const LEAST = 16;

export interface Stub {
  /** Line of the name. */
  name: number;
  /** First and last line of the body. */
  first: number;
  last: number;
}

/** What is said behind a line. */
export interface Said {
  line: number;
  text: string;
  /** Whether something of it is missing. */
  cut: boolean;
}

/**
 * The line that a failure belongs to: where the learner wrote last in the body, else its last line.
 * `typed`: lines in which something was written, latest first.
 */
export function home({ first, last }: Stub, typed: readonly number[]): number {
  return typed.find((line) => line >= first && line <= last) ?? last;
}

/**
 * Places `text` behind the line `at`, or where it has no room there behind the nearest one of the
 * stub that has, below first: its body's, and the one after it. `widths` are the columns of the file's
 * lines, `columns` how many can be seen.
 */
export function place(
  text: string,
  at: number,
  { name, last }: Stub,
  widths: readonly number[],
  columns: number,
): Said {
  const room = (line: number): number => columns - (widths[line] ?? 0) - GAP;
  const lines = Array.from({ length: last + 2 - name }, (_, index) => name + index)
    .filter((line) => line < widths.length)
    .sort((a, b) => Math.abs(a - at) - Math.abs(b - at) || b - a);
  const short = text.replace(COUNT, "");
  for (const words of [text, short]) {
    const line = lines.find((each) => room(each) >= words.length);
    if (line !== undefined) {
      return { line, text: words, cut: words !== text };
    }
  }
  const roomy = lines.filter((each) => room(each) >= LEAST).sort((a, b) => room(b) - room(a));
  const widest = roomy[0] ?? at;
  const length = Math.max(room(widest), LEAST);
  const line = { line: widest, cut: true };
  return short.length <= length
    ? { ...line, text: short }
    : { ...line, text: `${short.slice(0, length - 1).trimEnd()}…` };
}

/** A change of a text: its 0-based lines before, and how many line ends were put in their place. */
export interface Edit {
  first: number;
  last: number;
  lineEnds: number;
}

/** How many places are remembered. */
const MOST = 20;

/** Where something was written, latest first, after one more change. */
export function typedAfter(typed: readonly number[], { first, last, lineEnds }: Edit): number[] {
  const moved = typed.map((line) => {
    return line > last ? line + lineEnds - (last - first) : Math.min(line, first + lineEnds);
  });
  return [...new Set([first + lineEnds, ...moved])].slice(0, MOST);
}

/** How many columns a line takes. */
export function width(line: string, tabSize: number): number {
  let columns = 0;
  for (const character of line) {
    columns += character === "\t" ? tabSize - (columns % tabSize) : 1;
  }
  return columns;
}
