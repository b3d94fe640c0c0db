// How often a server that dies is started again before the learner is asked.

/** Ends within the window that are answered by a quiet restart. */
const TOLERATED = 4;

/** Length of the window in milliseconds. */
const WINDOW_MS = 3 * 60 * 1000;

export class Restarts {
  private ends: number[] = [];

  /** Notes an end at `now` (milliseconds) and says whether to start again. */
  again(now: number): boolean {
    this.ends = [...this.ends.filter((end) => now - end < WINDOW_MS), now];
    return this.ends.length <= TOLERATED;
  }
}
