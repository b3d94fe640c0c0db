// Which exercises were asked for, when and how: of several that are being made at a time each is
// judged by its own start.
import type { StartArguments, Started } from "../server/protocol";

/** `goingOn`: from the exercise before; `tries`: how often it was begun. */
export interface Start {
  argument: StartArguments;
  /** When it was asked for (ms). */
  at: number;
  goingOn: boolean;
  tries: number;
}

export class Starts {
  /** What "Try Again" begins: the last one that was asked for, or that failed. */
  last: Start | undefined;
  private readonly asked = new WeakMap<object, Start>();
  private readonly jobs = new Map<string, Start>();
  private readonly over = new Set<string>();
  private nextTries = 1;

  constructor(private readonly now: () => number = Date.now) {}

  /** A start is asked for; `argument` is the very object that `begun` is called with. */
  ask(argument: object, goingOn: boolean): void {
    const start: Start = {
      argument: goingOn ? {} : argument,
      at: this.now(),
      goingOn,
      tries: this.nextTries,
    };
    this.nextTries = 1;
    this.asked.set(argument, start);
    this.last = start;
  }

  /** The next start is a further try of one that ended with its window or server. */
  again(tries: number): void {
    this.nextTries = tries;
  }

  /** The server has begun what was asked for with `argument`; undefined where nobody asked. */
  begun(argument: object, { jobId, node, language }: Started): Start | undefined {
    const start = this.asked.get(argument);
    if (start === undefined) {
      return undefined;
    }
    if (node !== null) {
      start.argument = { ...start.argument, node, language };
      // What it was found by would only be in the way of the topic itself.
      delete start.argument.errorCode;
      delete start.argument.topic;
    }
    this.jobs.set(jobId, start);
    return start;
  }

  /** Whether a job's end was reported; a status in which it still runs is older. */
  isOver(jobId: string): boolean {
    return this.over.has(jobId);
  }

  /** A job has ended: returns what was asked for with it, once. */
  ready(jobId: string): Start | undefined {
    this.over.add(jobId);
    const start = this.jobs.get(jobId);
    this.jobs.delete(jobId);
    return start;
  }

  /** As `ready`; "Try Again" means this one now. */
  failed(jobId: string): void {
    this.last = this.ready(jobId) ?? this.last;
  }
}
