// The lesson beside the code follows the unit that the learner is on.
import { join } from "node:path";
import type { OpenSession, UnitInfo } from "../server/protocol";
import type { Reading } from "./reading";

export class LessonFollower {
  /** The focus unit, by session. */
  private readonly at = new Map<string, UnitInfo>();
  /** The lesson of the exercise that was followed last. */
  private last: string | undefined;

  constructor(private readonly reading: Reading) {}

  /**
   * Marks the focus unit's section, and turns the lesson to it when that has changed, or when something
   * has been written for it: until then the introduction may be read. Where the unit before passes the
   * lesson comes before what was read of that one, hints say; where the lesson of another exercise is
   * in front, that of this one takes its place.
   */
  async follow(session: OpenSession | null, units: readonly UnitInfo[]): Promise<void> {
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
    await this.reading.mark(lesson, heading);
    if (last !== lesson && this.reading.isInFront(last)) {
      await this.reading.show(lesson, heading);
    } else if (before !== undefined && before.lesson.heading !== heading) {
      const passed = units.some(({ id, state }) => id === before.id && state === "passing");
      const comes = last === lesson && passed && this.reading.isBehindReading(lesson);
      await (comes ? this.reading.show(lesson, heading) : this.reading.turn(lesson, heading));
    } else if (before?.state === "todo" && unit.state !== "todo") {
      await this.reading.turn(lesson, heading, true);
    }
  }
}
