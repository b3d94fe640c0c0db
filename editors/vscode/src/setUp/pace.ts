// How long a piece of work still takes, by how it went so far. Pure.
import { t } from "../words/words";

/** Before this percentage nothing is said: a Python starts faster or slower than what follows. */
const TOLD_FROM = 20;
/** What remains less than this (s) is not worth saying. */
const SOON_S = 3;
/** No step takes longer than this (ms): the machine slept, which tells nothing of the pace. */
const MOST_MS = 60_000;

export class Pace {
  private worked = 0;
  private last: number;
  private percent = 0;
  /** What had been worked when the percentage was reached. */
  private reached = 0;

  /** `now`: in ms. */
  constructor(private readonly now: () => number = Date.now) {
    this.last = now();
  }

  /** The work has come so far. */
  at(percent: number): void {
    this.pass();
    if (percent > this.percent) {
      this.percent = percent;
      this.reached = this.worked;
    }
  }

  /** The time left, in words; "" where it is not known, or hardly anything. */
  left(): string {
    this.pass();
    if (this.percent < TOLD_FROM) {
      return "";
    }
    const whole = (this.reached / this.percent) * 100;
    const seconds = (whole - this.worked) / 1000;
    if (seconds < SOON_S) {
      return "";
    }
    return seconds < 90
      ? t`about ${Math.max(Math.round(seconds / 5) * 5, 5)} s left`
      : t`about ${Math.round(seconds / 60)} min left`;
  }

  private pass(): void {
    const now = this.now();
    this.worked += Math.min(Math.max(now - this.last, 0), MOST_MS);
    this.last = now;
  }
}
