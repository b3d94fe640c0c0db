// Work-done progress of the server as a notification with percentage and Cancel.
// vscode-languageclient shows it only as an entry in the status bar.

export interface Begin {
  kind: "begin";
  title: string;
  cancellable?: boolean;
  message?: string;
  percentage?: number;
}
export interface Step {
  kind: "report";
  message?: string;
  percentage?: number;
}
export interface End {
  kind: "end";
  message?: string;
}
export type Progress = Begin | Step | End;
export type Token = string | number;

export interface Increment {
  message?: string;
  increment?: number;
}

/** Turns the server's percentages (of the whole) into the increments that VS Code wants. */
export class Meter {
  private reached = 0;
  private shown = 0;
  private message: string | undefined;

  update(step: { message?: string; percentage?: number }): void {
    if (step.percentage !== undefined && Number.isFinite(step.percentage)) {
      this.reached = Math.max(this.reached, Math.min(step.percentage, 100));
    }
    this.message = step.message ?? this.message;
  }

  /** What has been added since the last call. */
  take(): Increment {
    const increment = this.reached - this.shown;
    this.shown = this.reached;
    return {
      ...(this.message === undefined ? {} : { message: this.message }),
      ...(increment > 0 ? { increment } : {}),
    };
  }
}

/** A notification that is being shown; `done` must be awaited by its body. */
export interface Body {
  done: Promise<void>;
  /** Called once, when the notification can take reports. */
  attach(report: (step: Increment) => void): void;
  cancelled(): void;
}

interface Shown {
  meter: Meter;
  report: ((step: Increment) => void) | undefined;
  close: () => void;
}

/** Keeps one notification per cancellable progress; others go the client's own way. */
export class ProgressNotifications {
  private readonly shown = new Map<Token, Shown>();

  constructor(
    private readonly open: (title: string, body: Body) => void,
    private readonly cancel: (token: Token) => void,
  ) {}

  /** Middleware `handleWorkDoneProgress`. */
  handle(token: Token, progress: Progress, next: () => void): void {
    const known = this.shown.get(token);
    if (progress.kind === "begin" && progress.cancellable === true && known === undefined) {
      this.begin(token, progress);
    } else if (progress.kind === "report" && known !== undefined) {
      known.meter.update(progress);
      known.report?.(known.meter.take());
    } else {
      if (progress.kind === "end" && known !== undefined) {
        this.shown.delete(token);
        known.close();
      }
      // The client keeps a record of each token and drops it at the end.
      next();
    }
  }

  /** Closes everything: the server is gone and will not say the end. */
  closeAll(): void {
    for (const { close } of this.shown.values()) {
      close();
    }
    this.shown.clear();
  }

  /** How many notifications are open. */
  get size(): number {
    return this.shown.size;
  }

  private begin(token: Token, progress: Begin): void {
    let close: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      close = resolve;
    });
    const entry: Shown = { meter: new Meter(), report: undefined, close };
    entry.meter.update(progress);
    this.shown.set(token, entry);
    this.open(progress.title, {
      done,
      attach: (report) => {
        entry.report = report;
        report(entry.meter.take());
      },
      cancelled: () => {
        this.cancel(token);
      },
    });
  }
}
