// Paths of exercises: pure but for the `exists` that callers pass in.
import * as path from "node:path";

export type Exists = (file: string) => boolean;

/** Where an exercise keeps its record; the folder that holds it is the exercise. */
export const RECORD = path.join(".tutor", "exercise.json");

/** Hints and reviews of an exercise, newest first. */
export const COACH = path.join(".tutor", "coach.md");

/** Whether `file` is `folder` or lies below it. Both absolute. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** The nearest folder at or above `file` that is an exercise. */
export function exerciseRoot(file: string, exists: Exists): string | undefined {
  for (let folder = file; ; ) {
    if (exists(path.join(folder, RECORD))) {
      return folder;
    }
    const parent = path.dirname(folder);
    if (parent === folder) {
      return undefined;
    }
    folder = parent;
  }
}

export interface OpenPlaces {
  /** File of the active editor, or of what is read in front. */
  active: string | undefined;
  /** Files of the visible editors. */
  visible: readonly string[];
  /** Folders of the window. */
  folders: readonly string[];
}

/**
 * The file that tells the server which session this window means: the active one, else a visible
 * one, else the lesson of an exercise that a folder of the window is or lies in. Never a file that
 * belongs to no exercise, which the server would refuse.
 */
export function sessionFile(places: OpenPlaces, exists: Exists): string | undefined {
  const files = places.active === undefined ? places.visible : [places.active, ...places.visible];
  const shown = files.find((file) => exerciseRoot(file, exists) !== undefined);
  if (shown !== undefined) {
    return shown;
  }
  const roots = places.folders.map((folder) => exerciseRoot(folder, exists));
  const root = roots.find((each) => each !== undefined);
  return root === undefined ? undefined : path.join(root, "LESSON.md");
}

/** The record of a learner, in the tutor's home. */
const LEARNER = "tutor.db";

/** Folder in the tutor's home with the exercises of all languages. */
export const EXERCISES = "exercises";

/** Whether a folder is a tutor's home, or the one in it with the exercises. */
export function isHome(folder: string, exists: Exists): boolean {
  const home = path.basename(folder) === EXERCISES ? path.dirname(folder) : folder;
  return exists(path.join(home, LEARNER));
}

/** The id that VS Code's Markdown preview gives to a heading, for use as a fragment. */
export function headingSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
    .replace(/\s/g, "-");
}

/** The heading of the section that a zero-based line of a Markdown text belongs to. */
export function headingAt(text: string, line: number): string | undefined {
  let found: string | undefined;
  let fence: string | undefined;
  for (const current of text.split(/\r\n|\r|\n/).slice(0, line + 1)) {
    const mark = /^ {0,3}(```|~~~)/.exec(current)?.[1];
    if (mark !== undefined) {
      fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    } else if (fence === undefined) {
      found = /^#{1,6}\s+(.*?)\s*#*$/.exec(current)?.[1] ?? found;
    }
  }
  return found;
}

/** Whether a file is one that is read rather than edited: lesson, hints and reviews. */
export function isReading(file: string, exists: Exists): boolean {
  return file.endsWith(".md") && exerciseRoot(file, exists) !== undefined;
}

export type Where = "here" | "this window" | "new window";

export interface Window {
  folders: readonly string[];
  /** Whether files are open, or something would be lost. */
  inUse: boolean;
  /** Whether the window's exercise was just ended to continue with the next one. */
  goingOn: boolean;
  /** Whether it is about another exercise, though it could show this one. */
  isOfAnother: boolean;
}

/** Where an exercise at `root` opens. */
export function whereToOpen(root: string, window: Window): Where {
  if (!window.isOfAnother && window.folders.some((folder) => isInside(folder, root))) {
    return "here";
  }
  if (window.folders.length === 0) {
    return window.inUse ? "new window" : "this window";
  }
  return window.goingOn && window.folders.length === 1 ? "this window" : "new window";
}
