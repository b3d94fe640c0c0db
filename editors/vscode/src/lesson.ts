// The lesson beside the code follows the unit that the learner is on.
import { join } from "node:path";
import type { SessionInfo, Unit } from "./protocol";
import type { Reading } from "./reading";

export class LessonFollower {
  /** Heading of the focus unit, by session. */
  private readonly at = new Map<string, string>();

  constructor(private readonly reading: Reading) {}

  /** Turns the lesson to the focus unit's section, if that has changed. */
  async follow(session: SessionInfo | null, units: readonly Unit[]): Promise<void> {
    const heading = units.find((unit) => unit.focus)?.lesson.heading;
    if (session === null || heading === undefined) {
      return;
    }
    const before = this.at.get(session.id);
    this.at.set(session.id, heading);
    if (before !== undefined && before !== heading) {
      await this.reading.turn(join(session.workspace, "LESSON.md"), heading);
    }
  }
}
