// How much of a window code and lesson get. Lengths are in CSS pixels, so zoom is in them. Pure.

/** What the editor keeps beside the text: marks, line numbers, folding, the scroll bar. */
export const MARGIN_PX = 86;
/** A character's width in the usual fonts, relative to their size. */
const CHARACTER = 0.605;
/** Columns of code that are comfortable, and below which the lesson goes under the code. */
const GOOD_COLUMNS = 80;
const LEAST_COLUMNS = 40;
/** Columns beside a lesson, with which the side bar can stay. */
const SPACIOUS_COLUMNS = 56;
/** What the lesson gets of the room, at least and at most. */
const LEAST_SHARE = 0.36;
const MOST_SHARE = 0.5;
/** What the code gets where the lesson is below it. */
const ABOVE_SHARE = 0.6;

/** Columns of code in an editor of this width. */
export function columnsIn(width: number, fontSize: number): number {
  return Math.floor((width - MARGIN_PX) / (fontSize * CHARACTER));
}

/** A layout of two editor groups, the code's first. As `vscode.setEditorLayout` takes it. */
export interface Split {
  /** 0: beside each other; 1: one below the other. */
  orientation: 0 | 1;
  groups: { size: number }[];
}

/** How code and lesson share an editor area of this width. */
export function split(width: number, fontSize: number): Split {
  const good = GOOD_COLUMNS * CHARACTER * fontSize + MARGIN_PX;
  const share = Math.min(Math.max((width - good) / width, LEAST_SHARE), MOST_SHARE);
  if (columnsIn(width * (1 - share), fontSize) < LEAST_COLUMNS) {
    return { orientation: 1, groups: [{ size: ABOVE_SHARE }, { size: 1 - ABOVE_SHARE }] };
  }
  return { orientation: 0, groups: [{ size: 1 - share }, { size: share }] };
}

/** Whether code and lesson have room enough in an editor area of this width beside a side bar. */
export function isSpacious(width: number, fontSize: number): boolean {
  return columnsIn(width * (1 - LEAST_SHARE), fontSize) >= SPACIOUS_COLUMNS;
}

/** What `vscode.getEditorLayout` gives. */
export interface Layout {
  orientation?: number;
  groups?: readonly { size?: number; groups?: readonly unknown[] }[];
}

/** Widths of the groups that stand beside each other; none where groups are stacked. */
export function widths({ orientation, groups = [] }: Layout): number[] | undefined {
  const all = groups.map(({ size, groups: inner }) => (inner === undefined ? size : undefined));
  const known = all.filter((size) => size !== undefined);
  return orientation === 0 && known.length === all.length && all.length > 0 ? known : undefined;
}
