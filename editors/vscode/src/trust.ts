// What is known of the folders that the editor trusts, which it does not tell: only whether a window
// is trusted.
import { dirname } from "node:path";
import type { Arrival, Storage } from "./storage";

/** Key of the note that trust was explained. */
const EXPLAINED = "trust explained";

function key(folder: string): string {
  return `trusted ${folder}`;
}

/** Whether the editor will open an exercise without asking for trust. */
export function opensTrusted(storage: Storage, root: string): boolean {
  return storage.noted(key(root)) || storage.noted(key(dirname(root)));
}

/** A window on an exercise was trusted, itself or with its parent. */
export function noteTrust(storage: Storage, root: string): void {
  storage.note(key(root), true);
}

/**
 * A window has opened on an exercise, with trust or without. One that was made just now is trusted
 * without a question only where a folder above it is.
 */
export function noteArrival(storage: Storage, { root, made }: Arrival, trusted: boolean): void {
  storage.note(key(root), trusted);
  if (made || !trusted) {
    storage.note(key(dirname(root)), trusted);
  }
}

/** Whether trust was explained at length before; from now on it was. */
export function wasTrustExplained(storage: Storage): boolean {
  const before = storage.noted(EXPLAINED);
  storage.note(EXPLAINED, true);
  return before;
}
