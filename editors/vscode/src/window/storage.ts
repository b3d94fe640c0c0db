// What one window leaves for the next one: small files in the extension's own folder. The editor's
// own memory is not written in time when a window is reloaded.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { StartArguments } from "../server/protocol";
import type { Settings } from "./folderSettings";

/** A window opens within this time (ms) after it was asked to; later it opens for other reasons. */
export const ARRIVES_WITHIN = 10 * 60_000;
/** No set-up takes longer than this (ms), so one that seems to has been left. */
export const SET_UP_WITHIN = 60 * 60_000;

export interface Lines {
  line: number;
  endLine: number;
}

/** What to show when a window on an exercise opens. */
export interface Arrival {
  /** Folder that the window opens on: the exercise, or the one around it. */
  folder: string;
  root: string;
  /** The stub: absolute path and 1-based line. */
  file: string;
  line: number;
  /** Lines of its body, 1-based, where they are known. */
  body?: Lines;
  lesson: string;
  heading: string | undefined;
  /** Whether nothing is written yet: the lesson begins at its beginning. */
  fresh?: boolean;
  /** Whether its folder was made just now, so that nobody can have trusted that alone. */
  made: boolean;
}

/** A running set-up, in case its window ends first. */
export interface Pending {
  /** Null: the list, while the server was being set up. */
  argument: StartArguments | null;
  /** When it was asked for (ms). */
  at: number;
  /** First folder of the window that asked; "" for none. */
  folder: string;
  /** Process that asked. */
  pid: number;
  /** Whether it waits for the server to be set up, by the window that asked. */
  setUp?: true;
  /** How often it was started: one that always ends its server must not be restarted forever. */
  tries: number;
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Not there, or another window is writing it.
    return undefined;
  }
}

export class Storage {
  /** `folder` need not exist yet. `alive` says whether a process still runs. */
  constructor(
    private readonly folder: string,
    private readonly alive: (pid: number) => boolean,
    private readonly now: () => number = Date.now,
  ) {}

  leaveArrival(arrival: Arrival): void {
    this.write(this.arrivalFile(arrival.folder), { ...arrival, at: this.now() });
  }

  /**
   * The arrival left for a folder, with whether it was taken before; one that is too old would only be
   * in the way.
   */
  takeArrival(folder: string): { arrival: Arrival; again: boolean } | undefined {
    const file = this.arrivalFile(folder);
    const { at, taken, ...arrival } = (read(file) ?? {}) as Arrival & { at?: number; taken?: true };
    if (at === undefined || this.now() - at > ARRIVES_WITHIN) {
      this.dropArrival(folder);
      return undefined;
    }
    this.write(file, { ...arrival, at, taken: true });
    return { arrival, again: taken === true };
  }

  /** The editor itself has kept what was shown since. */
  dropArrival(folder: string): void {
    rmSync(this.arrivalFile(folder), { force: true });
  }

  /** Whether a set-up is old enough that the learner is asked before it goes on. */
  isOld({ at }: Pending): boolean {
    // Those of an earlier version have no time.
    return !(this.now() - at <= SET_UP_WITHIN);
  }

  keepPending(jobId: string, pending: Pending): void {
    this.write(this.pendingFile(jobId), pending);
  }

  dropPending(jobId: string): void {
    rmSync(this.pendingFile(jobId), { force: true });
  }

  /** Set-ups that a window on `folder` asked for and that ended with it; each is given once. */
  takeAbandoned(folder: string): Pending[] {
    return this.take(folder, ({ pid }) => !this.alive(pid));
  }

  /** Whether `takeAbandoned` would give something. */
  hasAbandoned(folder: string): boolean {
    return this.pending(folder).some(([, { pid }]) => !this.alive(pid));
  }

  /** Set-ups of this very process whose server is gone; each is given once. */
  takeOwn(folder: string, pid: number): Pending[] {
    return this.take(folder, (pending) => pending.pid === pid && pending.setUp !== true);
  }

  /** Whether set-ups of a window on `folder` belong to a process that may be about to end. */
  hasUndecided(folder: string, pid: number): boolean {
    return this.pending(folder).some(([, pending]) => {
      // An old one's process id may have been reused.
      const mayEnd = !this.alive(pending.pid) || !this.isOld(pending);
      return pending.pid !== pid && mayEnd;
    });
  }

  /** Whether something was noted under `key`. */
  noted(key: string): boolean {
    return read(join(this.folder, "notes", hash(key))) !== undefined;
  }

  /** What is kept under a name; undefined where nothing is. */
  kept(name: string): unknown {
    return read(join(this.folder, `${name}.json`));
  }

  keep(name: string, value: unknown): void {
    this.write(join(this.folder, `${name}.json`), value);
  }

  note(key: string, holds: boolean): void {
    const file = join(this.folder, "notes", hash(key));
    if (holds) {
      this.write(file, key);
    } else {
      rmSync(file, { force: true });
    }
  }

  /** What the tutor has set in the settings of the exercise at `root`; none where nothing. */
  layout(root: string): Settings | undefined {
    return read(this.layoutFile(root)) as Settings | undefined;
  }

  keepLayout(root: string, settings: Settings | undefined): void {
    if (settings === undefined) {
      rmSync(this.layoutFile(root), { force: true });
    } else {
      this.write(this.layoutFile(root), settings);
    }
  }

  private take(folder: string, fits: (pending: Pending) => boolean): Pending[] {
    return this.pending(folder).flatMap(([file, pending]) => {
      if (!fits(pending)) {
        return [];
      }
      try {
        // Of several windows only one succeeds.
        renameSync(file, `${file}.${process.pid}`);
        rmSync(`${file}.${process.pid}`);
        return [pending];
      } catch {
        return [];
      }
    });
  }

  /** The set-ups that windows on `folder` asked for, with their files. */
  private pending(folder: string): [file: string, pending: Pending][] {
    const starts = join(this.folder, "starts");
    const names = existsSync(starts) ? readdirSync(starts) : [];
    return names.flatMap((name): [string, Pending][] => {
      const file = join(starts, name);
      const pending = name.endsWith(".json") ? (read(file) as Pending | undefined) : undefined;
      return pending?.folder === folder ? [[file, pending]] : [];
    });
  }

  private arrivalFile(folder: string): string {
    return join(this.folder, "arrivals", `${hash(folder)}.json`);
  }

  private layoutFile(root: string): string {
    return join(this.folder, "layouts", `${hash(root)}.json`);
  }

  private pendingFile(jobId: string): string {
    return join(this.folder, "starts", `${hash(jobId)}.json`);
  }

  private write(file: string, value: unknown): void {
    const own = `${file}.${process.pid}.new`;
    try {
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(own, JSON.stringify(value));
      renameSync(own, file);
    } catch {
      // A full or read-only disk: the next window asks or looks again, but this one works.
    }
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
