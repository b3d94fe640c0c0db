// What is known of the folders that the editor trusts, which it does not tell: only whether a window
// is trusted. So a first window is opened on the folder of all exercises, where the editor's one
// question covers those of every language; later ones are opened on their exercise.
import { basename, dirname, join } from "node:path";
import { EXERCISES } from "../window/paths";
import type { Arrival, Storage } from "../window/storage";

function key(folder: string): string {
  return `trusted ${folder}`;
}

/** A folder and all above it. */
function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

/** Whether the editor will open a folder without asking for trust. */
export function opensTrusted(storage: Storage, folder: string): boolean {
  return upwards(folder).some((each) => storage.noted(key(each)));
}

/** A window on a folder was trusted. */
export function noteTrust(storage: Storage, folder: string): void {
  storage.note(key(folder), true);
}

/**
 * A window has opened, with trust or without. An exercise that was made just now is trusted without
 * a question only where a folder above it is.
 */
export function noteArrival(
  storage: Storage,
  { folder, root, made }: Arrival,
  trusted: boolean,
): void {
  if (!trusted) {
    // What was trusted above it is so no longer.
    upwards(folder).forEach((each) => {
      storage.note(key(each), false);
    });
    return;
  }
  storage.note(key(folder), true);
  if (folder === root && made) {
    storage.note(key(dirname(root)), true);
  }
}

/** Whether `folder` holds the exercises that were made in the tutor's `home`. */
export function holdsExercises(folder: string, home: string | undefined): boolean {
  return home !== undefined && folder === join(home, EXERCISES);
}

/**
 * The folder that a window for the exercise at `root` opens on. Nobody is asked to trust a folder
 * around an exercise that lies elsewhere, such as an imported one.
 */
export function folderToOpen(storage: Storage, root: string, home: string | undefined): string {
  const parent = dirname(root);
  return holdsExercises(parent, home) && !opensTrusted(storage, root) ? parent : root;
}

/** Whether a window's only folder was opened just for the sake of trust. */
export function isForTrust(storage: Storage, folders: readonly string[]): boolean {
  const [folder, ...others] = folders;
  return (
    folder !== undefined &&
    others.length === 0 &&
    basename(folder) === EXERCISES &&
    storage.noted(key(folder))
  );
}
