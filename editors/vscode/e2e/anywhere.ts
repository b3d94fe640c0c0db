// Wherever an exercise is opened: by the tutor's home, a part of the exercise, several folders, or a
// single file, it works as in a window of its own, and several in one window do not mix.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { made, MOVIE } from "./exercise";
import { part } from "./part";
import type { Stage } from "./stage";
import type { Workbench } from "./workbench";
import { until } from "./waiting";

/** How long (ms) a window may take to turn to another folder before its row is taken again. */
const OPENS_MS = 20_000;

/** What is made before any window is open. */
interface Exercises {
  movie: string;
  /** Another one, with its stub file. */
  other: string;
  otherFile: string;
}

function make(stage: Stage): Promise<Exercises> {
  const other = made(stage.home, "python-strings");
  const movie = made(stage.home, MOVIE.node);
  const otherFile = other.units[0]?.file ?? "";
  return Promise.resolve({ movie: movie.workspace, other: other.workspace, otherFile });
}

/** Stub, state, messages, hover and actions of the movie exercise, whose stub file is in front. */
async function worksAsEver(workbench: Workbench, { movie }: Exercises): Promise<void> {
  await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
  await workbench.lenses.filter({ hasText: "ex-1 ○ to do" }).first().waitFor();
  const text = readFileSync(join(movie, MOVIE.file), "utf8");
  const line = text.split("\n").findIndex((each) => each.includes('Error("to_minutes")')) + 1;
  await workbench.replaceLine(line, "return None");
  await workbench.save();
  await workbench.errors.first().waitFor();
  await workbench.lenses.filter({ hasText: "ex-1 ✗ not yet" }).first().waitFor();
  await workbench.goTo(11, 6);
  await workbench.showHover("expected 166");
  await workbench.page.keyboard.press("Escape");
  await workbench.goTo(11, 6);
  const actions = await workbench.codeActions();
  await actions.filter({ hasText: "Hint" }).first().waitFor();
  await workbench.page.keyboard.press("Escape");
  await workbench.palette("Tutor: Check");
  await workbench.page.locator(".statusbar").getByText("0 of 11 tests pass").waitFor();
  writeFileSync(join(movie, MOVIE.file), text);
  await workbench.lenses.filter({ hasText: "ex-1 ○ to do" }).first().waitFor();
}

export const anywhere = part<Exercises>({
  open: make,
  scenarios: {
    "in the tutor's home, beginning with the file that is opened": async (own, stage) => {
      const home = await stage.open(stage.home);
      await home.openFile(join(MOVIE.folder, MOVIE.file));
      await worksAsEver(home, own);
      await home.screenshot("home-opened");
      await home.page.close();
    },

    "in a part of an exercise, before any file is opened": async (own, stage) => {
      const source = await stage.open(join(own.movie, "src"));
      await source.status.filter({ hasText: "0 of 4" }).waitFor();
      await source.openFile("movie.py");
      await worksAsEver(source, own);
      await source.palette("Tutor: Open Lesson");
      await source.reading("Handing back an answer");
      await source.screenshot("source-opened");
      await source.page.close();
    },

    "among several folders, of which each is itself": async (own, stage) => {
      const project = join(stage.folder, "project");
      mkdirSync(project);
      const file = join(stage.folder, "all.code-workspace");
      const folders = [project, own.other, own.movie].map((path) => ({ path }));
      writeFileSync(file, JSON.stringify({ folders }));
      const all = await stage.open(file);
      // A workspace file that VS Code reads before its file service is there has no folders.
      const folder = all.spoken("python-strings");
      await all.insist(folder, () => all.page.reload().then(() => all.ready()), 10_000);
      await all.openFile(own.otherFile);
      await all.status.filter({ hasText: "0 of 5" }).waitFor();
      await all.lenses.first().waitFor();
      await all.palette("Tutor: Focus on Exercise View");
      const units = all.treeRow("to_minutes");
      await all.treeRow("dashed").waitFor();
      assert.equal(await units.count(), 0);
      await all.openFile("exercise/movie.py");
      await units.waitFor();
      await worksAsEver(all, own);
      // What failed there says nothing about the other one.
      await all.openFile(own.otherFile);
      await units.waitFor({ state: "detached" });
      await until("nothing failed here", async () => (await all.errors.count()) === 0);
      await all.screenshot("several-opened");
      await all.page.close();
    },

    // First: VS Code opens what an empty window showed in the next one, too.
    "an empty window offers to continue, in its status bar and its view, and opens it": async (
      own,
      stage,
    ) => {
      const empty = await stage.open();
      await empty.status.filter({ hasText: "Continue: Movie night, 0 of 4" }).waitFor();
      await empty.palette("Tutor: Focus on Exercise View");
      await empty.spoken("Continue: Movie night, 0 of 4").waitFor();
      await empty.screenshot("continue");
      const view = "Tutor: Focus on Exercise View";
      // The window turns to the exercise's folder, which takes a while.
      await empty.takeRow(view, "Continue: Movie night", empty.activeTab("movie.py"), OPENS_MS);
      assert.ok(empty.page.url().endsWith(own.movie));
      await empty.page.close();
    },

    "as a single file in a window without a folder": async (own, stage) => {
      const empty = await stage.open();
      await empty.openPath(join(own.movie, MOVIE.file));
      await worksAsEver(empty, own);
      await empty.screenshot("file-opened");
      await empty.page.close();
    },
  },
});
