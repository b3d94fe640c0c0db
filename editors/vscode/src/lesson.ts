// The lesson beside the code follows the unit that the learner is on.
import { join } from "node:path";
import type { SessionInfo, Unit } from "./protocol";
import type { Reading } from "./reading";

export class LessonFollower {
  /** The focus unit, by session. */
  private readonly at = new Map<string, Unit>();
  /** The lesson of the exercise that was followed last. */
  private last: string | undefined;

  constructor(private readonly reading: Reading) {}

  /**
   * Turns the lesson to the focus unit's section, if that has changed. Where the unit before passes
   * the lesson comes before what was read of that one, hints say; where the lesson of another exercise
   * is in front, that of this one takes its place.
   */
  async follow(session: SessionInfo | null, units: readonly Unit[]): Promise<void> {
    const unit = units.find(({ focus }) => focus);
    if (session === null || unit === undefined) {
      return;
    }
    const { heading } = unit.lesson;
    const before = this.at.get(session.id);
    this.at.set(session.id, unit);
    const lesson = join(session.workspace, "LESSON.md");
    const { last = lesson } = this;
    this.last = lesson;
    if (last !== lesson && this.reading.isInFront(last)) {
      await this.reading.show(lesson, heading);
    } else if (before !== undefined && before.lesson.heading !== heading) {
      const passed = units.some(({ id, state }) => id === before.id && state === "passing");
      const comes = last === lesson && passed && this.reading.isBehindReading(lesson);
      await (comes ? this.reading.show(lesson, heading) : this.reading.turn(lesson, heading));
    }
  }
}
