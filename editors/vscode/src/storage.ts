// What one window leaves for the next one: small files in the extension's own folder. The editor's
// own memory is not written in time when a window is reloaded.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { StartArgument } from "./protocol";

/** A window that was told to open does so within this time (ms); later it opens for other reasons. */
export const ARRIVES_WITHIN = 10 * 60_000;
/** No set-up takes longer than this (ms), so one that seems to has been left. */
export const SET_UP_WITHIN = 60 * 60_000;

/** What to show when a window on an exercise opens. */
export interface Arrival {
  root: string;
  /** The stub: absolute path and 1-based line. */
  file: string;
  line: number;
  lesson: string;
  heading: string | undefined;
  /** Whether its folder was made just now, so that nobody can have trusted that alone. */
  made: boolean;
}

/** A set-up that is going on, in case its window ends before it does. */
export interface Pending {
  argument: StartArgument;
  /** When it was asked for (ms). */
  at: number;
  /** First folder of the window that asked; "" for none. */
  folder: string;
  /** Process that asked. */
  pid: number;
  /** How often it was begun: what always ends its server must not be begun for ever. */
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
    this.write(this.arrivalFile(arrival.root), { ...arrival, at: this.now() });
  }

  /** The arrival left for a folder, once; one that is too old would only be in the way. */
  takeArrival(root: string): Arrival | undefined {
    const file = this.arrivalFile(root);
    const left = read(file) as (Arrival & { at?: number }) | undefined;
    rmSync(file, { force: true });
    if (left === undefined) {
      return undefined;
    }
    const { at = 0, ...arrival } = left;
    return this.now() - at <= ARRIVES_WITHIN ? arrival : undefined;
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
    return this.pending(folder, (pending) => !this.alive(pending.pid));
  }

  /** Whether `takeAbandoned` would give something. */
  hasAbandoned(folder: string): boolean {
    return this.names("starts").some((name) => {
      const pending = this.read(name);
      return pending?.folder === folder && !this.alive(pending.pid);
    });
  }

  /** Set-ups of this very process whose server is gone; each is given once. */
  takeOwn(folder: string, pid: number): Pending[] {
    return this.pending(folder, (pending) => pending.pid === pid);
  }

  /** Whether set-ups of a window on `folder` belong to a process that may be about to end. */
  hasUndecided(folder: string, pid: number): boolean {
    return this.names("starts").some((name) => {
      const pending = this.read(name);
      // The number of an old one's process may be another's by now.
      return pending?.folder === folder && pending.pid !== pid && this.mayEnd(pending);
    });
  }

  /** Whether something was noted under `key`. */
  noted(key: string): boolean {
    return read(join(this.folder, "notes", hash(key))) !== undefined;
  }

  note(key: string, holds: boolean): void {
    const file = join(this.folder, "notes", hash(key));
    if (holds) {
      this.write(file, key);
    } else {
      rmSync(file, { force: true });
    }
  }

  private mayEnd(pending: Pending): boolean {
    return !this.alive(pending.pid) || !this.isOld(pending);
  }

  private pending(folder: string, fits: (pending: Pending) => boolean): Pending[] {
    return this.names("starts").flatMap((name) => {
      const file = join(this.folder, "starts", name);
      const pending = this.read(name);
      if (pending?.folder !== folder || !fits(pending)) {
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

  private read(name: string): Pending | undefined {
    return read(join(this.folder, "starts", name)) as Pending | undefined;
  }

  private names(folder: string): string[] {
    try {
      return readdirSync(join(this.folder, folder)).filter((name) => name.endsWith(".json"));
    } catch {
      return [];
    }
  }

  private arrivalFile(root: string): string {
    return join(this.folder, "arrivals", `${hash(root)}.json`);
  }

  private pendingFile(jobId: string): string {
    return join(this.folder, "starts", `${hash(jobId)}.json`);
  }

  private write(file: string, value: unknown): void {
    mkdirSync(join(file, ".."), { recursive: true });
    const own = `${file}.${process.pid}.new`;
    writeFileSync(own, JSON.stringify(value));
    renameSync(own, file);
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
