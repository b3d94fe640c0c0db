// The lesson beside the code follows the unit that the learner is on.
import { join } from "node:path";
import type { SessionInfo, Unit } from "./protocol";
import type { Reading } from "./reading";

export class LessonFollower {
  /** Heading of the focus unit, by session. */
  private readonly at = new Map<string, string>();
  /** The lesson of the exercise that was followed last. */
  private last: string | undefined;

  constructor(private readonly reading: Reading) {}

  /**
   * Turns the lesson to the focus unit's section, if that has changed; where the lesson of another
   * exercise is in front, that of this one takes its place.
   */
  async follow(session: SessionInfo | null, units: readonly Unit[]): Promise<void> {
    const heading = units.find((unit) => unit.focus)?.lesson.heading;
    if (session === null || heading === undefined) {
      return;
    }
    const before = this.at.get(session.id);
    this.at.set(session.id, heading);
    const lesson = join(session.workspace, "LESSON.md");
    const { last = lesson } = this;
    this.last = lesson;
    if (last !== lesson && this.reading.isInFront(last)) {
      await this.reading.show(lesson, heading);
    } else if (before !== undefined && before !== heading) {
      await this.reading.turn(lesson, heading);
    }
  }
}
