// The lesson beside the code follows the unit that the learner is on.
import { join } from "node:path";
import * as vscode from "vscode";
import type { SessionInfo, Unit } from "./protocol";
import { isPreviewOf, type Reading } from "./reading";

const LESSON = "LESSON.md";

/** Whether the lesson is in front of its group: what covers it was put there on purpose. */
function lessonIsInFront(): boolean {
  return vscode.window.tabGroups.all.some(({ activeTab }) => isPreviewOf(activeTab, LESSON));
}

export class LessonFollower {
  private at = "";

  constructor(private readonly reading: Reading) {}

  /** Turns the lesson to the focus unit's section, if that or the exercise has changed. */
  async follow(session: SessionInfo | null, units: readonly Unit[]): Promise<void> {
    const heading = units.find((unit) => unit.focus)?.lesson.heading;
    if (session === null || heading === undefined) {
      return;
    }
    const now = `${session.id} ${heading}`;
    const first = this.at === "";
    // Showing it takes the keys for a moment, so never while the learner types: then it waits.
    const typing = vscode.window.activeTextEditor?.document.isDirty === true;
    if (this.at === now || (!first && typing)) {
      return;
    }
    this.at = now;
    if (!first && lessonIsInFront()) {
      await this.reading.show(join(session.workspace, LESSON), heading);
    }
  }
}
