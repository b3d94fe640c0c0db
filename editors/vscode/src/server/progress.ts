// Work-done progress of the server as a notification with percentage and Cancel.
// vscode-languageclient shows it only as an entry in the status bar.
import type {
  ProgressToken,
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from "vscode-languageclient/node";

export type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** A notification that is on the screen. */
export interface Notification {
  report(step: { message: string; increment: number }): void;
  close(): void;
}

interface Shown {
  notification: Notification;
  /** VS Code takes a message away where a step has none. */
  message: string;
  percentage: number;
}

/** Keeps one notification per cancellable progress; others go the client's own way. */
export class ProgressNotifications {
  private readonly shown = new Map<ProgressToken, Shown>();

  constructor(
    private readonly open: (title: string, cancel: () => void) => Notification,
    private readonly cancel: (token: ProgressToken) => void,
  ) {}

  /** Middleware `handleWorkDoneProgress`. */
  handle(token: ProgressToken, progress: Progress, next: () => void): void {
    let known = this.shown.get(token);
    if (progress.kind === "begin" && progress.cancellable === true && known === undefined) {
      const notification = this.open(progress.title, () => {
        this.cancel(token);
      });
      known = { notification, message: "", percentage: 0 };
      this.shown.set(token, known);
    }
    if (known === undefined || progress.kind === "end") {
      known?.notification.close();
      this.shown.delete(token);
      // The client keeps a record of each token and drops it at the end.
      next();
      return;
    }
    const { message = known.message, percentage = known.percentage } = progress;
    known.notification.report({ message, increment: percentage - known.percentage });
    this.shown.set(token, { ...known, message, percentage });
  }

  /** Closes everything: the server is gone and will not say the end. */
  closeAll(): void {
    for (const { notification } of this.shown.values()) {
      notification.close();
    }
    this.shown.clear();
  }
}
