// What scenarios on the first Python exercise share.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MOVIE, SOLUTIONS } from "./exercise";
import { noteFigure } from "./host";
import type { Stage } from "./stage";
import type { Workbench } from "./workbench";

export class Movie {
  constructor(
    private readonly stage: Stage,
    readonly workbench: Workbench,
  ) {}

  /** 1-based line of a text in the stub file as it is on the disk. */
  readonly lineOf = (text: string): number => {
    const file = join(this.stage.home, MOVIE.folder, MOVIE.file);
    const at = readFileSync(file, "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text));
    assert.notEqual(at, -1, text);
    return at + 1;
  };

  /** Solves one stub by typing, and saves. */
  async write(stub: string, solution = SOLUTIONS[stub] ?? ""): Promise<void> {
    const line = this.lineOf(`raise NotImplementedError("${stub}")`);
    await this.workbench.replaceLine(line, solution);
    await this.workbench.save();
  }

  /** Mends one line by typing, and saves. */
  async mend(wrong: string, right: string): Promise<void> {
    await this.workbench.replaceLine(this.lineOf(wrong), right);
    await this.workbench.save();
  }

  /** The code keeps the keys, whatever is shown beside it. */
  private async typeWhileTheLessonComes(): Promise<void> {
    const { workbench } = this;
    const { keyboard } = workbench.page;
    await keyboard.type("# at once", { delay: 50 });
    await workbench.activeTab("Lesson").waitFor();
    await workbench.reading("Handing back an answer");
    await keyboard.type(" and later ", { delay: 50 });
    await workbench.code("# at once and later raise NotImplementedError").waitFor();
    await workbench.palette("File: Revert File");
    await workbench.page.locator(".tab.active.dirty").waitFor({ state: "detached" });
  }

  /** From the palette to the exercise in this window, stub beside lesson. */
  async start(): Promise<void> {
    const { workbench } = this;
    await workbench.palette("Tutor: Start Exercise");
    const asked = Date.now();
    await workbench.pickReady(MOVIE.topic);
    const listed = Date.now();
    await workbench.choose(MOVIE.topic);
    await workbench.code("def to_minutes").waitFor();
    const read = Date.now();
    await workbench.activeTab("movie.py").waitFor();
    await this.typeWhileTheLessonComes();
    await workbench.infos.first().waitFor();
    await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
    assert.match(workbench.page.url(), /folder=.*python-functions-movie-night/);
    noteFigure("palette to list (ms)", listed - asked);
    noteFigure("palette to the text of the first stub, list included (ms)", read - asked);
    await workbench.lenses.filter({ hasText: "ex-1 ○ to do" }).waitFor();
    await workbench.screenshot("lesson-beside-stub");
  }
}
