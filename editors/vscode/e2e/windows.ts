// Several windows, the tutor's view, a reload, and a server that is killed: nothing is lost.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MOVIE, SOLUTIONS } from "./exercise";
import { Movie } from "./movie";
import { part } from "./part";
import type { Stage } from "./stage";
import { until } from "./waiting";
import { Workbench } from "./workbench";

const SESSIONS = "Tutor: Focus on Sessions View";

/** The window of a project, and that of an exercise once it is there. */
interface Own {
  project: Workbench;
  movie: Movie;
}

async function openProject(stage: Stage): Promise<Own> {
  const folder = join(stage.folder, "project");
  mkdirSync(folder);
  writeFileSync(join(folder, "main.rs"), "fn main() {}\n");
  const project = await stage.open(folder);
  return { project, movie: new Movie(stage, project) };
}

export const windows = part<Own>({
  options: () => ({ orders: { error: "E0382" } }),
  open: openProject,
  scenarios: {
    "a project's error can be practised, before the tutor has started anything": async (
      { project },
      stage,
    ) => {
      await project.openFile("main.rs");
      await project.errors.first().waitFor();
      await project.goTo(1, 2);
      const actions = await project.codeActions();
      await actions.filter({ hasText: "Practise this error (E0382)" }).waitFor();
      assert.deepEqual(stage.servers(), []);
      await project.page.keyboard.press("Escape");
    },

    "an exercise that is started in a project opens in a window of its own": async (own, stage) => {
      const { project } = own;
      const opening = stage.context.waitForEvent("page");
      await project.palette("Tutor: Start Exercise");
      await project.choose(MOVIE.topic);
      const exercise = new Workbench(await opening);
      own.movie = new Movie(stage, exercise);
      await exercise.ready();
      await exercise.activeTab("movie.py").waitFor();
      await exercise.activeTab("Lesson").waitFor();
      await exercise.status.filter({ hasText: "0 of 4" }).waitFor();
      await project.activeTab("main.rs").waitFor();
    },

    "a reload right after the start leads back to stub and lesson": async ({ movie }) => {
      const { workbench } = movie;
      await workbench.page.reload();
      await workbench.ready();
      await workbench.activeTab("movie.py").waitFor();
      await workbench.activeTab("Lesson").waitFor();
      await workbench.code("def to_minutes").waitFor();
      await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
    },

    "the tutor's view shows the units' states, and follows": async ({ movie }) => {
      const { workbench } = movie;
      await workbench.palette("Tutor: Focus on Exercise View");
      await workbench.treeRow("Movie night").filter({ hasText: "0 of 4" }).waitFor();
      await workbench.spoken("to_minutes, ex-1, to do, you are here").waitFor();
      await workbench.treeRow("Hints and reviews").waitFor();
      await workbench.treeRow("Attempts").filter({ hasText: "none yet" }).waitFor();
      await movie.write("to_minutes");
      await workbench.spoken("to_minutes, ex-1, passes").waitFor();
      await workbench.spoken("ends_at, ex-2, to do").waitFor();
      await workbench.treeRow("Movie night").filter({ hasText: "1 of 4" }).waitFor();
    },

    "curriculum and sessions are in the view, of this and of the other window": async ({
      project,
      movie,
    }) => {
      const { workbench } = movie;
      await workbench.palette("Tutor: Focus on Curriculum View");
      await workbench.treeRow("Python").waitFor();
      await workbench.screenshot("view");
      await project.palette("Tutor: Focus on Sessions View");
      await project.spoken("Movie night, Python").filter({ hasText: "in use" }).waitFor();
    },

    "a reload keeps everything": async ({ movie: { workbench } }) => {
      await workbench.page.reload();
      await workbench.ready();
      await workbench.tab("movie.py").waitFor();
      await workbench.status.filter({ hasText: "1 of 4" }).waitFor();
    },

    "a server that is killed comes back by itself, and nothing is lost": async (
      { movie },
      stage,
    ) => {
      const { workbench } = movie;
      // Text that is not saved yet, too.
      await workbench.openFile("exercise/movie.py");
      const line = movie.lineOf('raise NotImplementedError("ends_at")');
      await workbench.replaceLine(line, SOLUTIONS.ends_at ?? "");
      await workbench.page.locator(".tab.active.dirty").waitFor();
      const before = stage.servers();
      assert.ok(before.length >= 1);
      for (const pid of before) {
        process.kill(pid, "SIGKILL");
      }
      await until("a new server runs", () => {
        const now = stage.servers();
        return now.length >= 1 && now.every((pid) => !before.includes(pid));
      });
      await workbench.status.filter({ hasText: "1 of 4" }).waitFor();
      await workbench.palette("Tutor: Check");
      await workbench.page.locator(".statusbar").getByText("5 of 11 tests pass").waitFor();
      await workbench.status.filter({ hasText: "2 of 4" }).waitFor();
      await workbench.sectionOnTop("Yes or no");
    },

    "a second window on the same exercise shows what is done in the first": async (
      { movie },
      stage,
    ) => {
      const other = await stage.open(join(stage.home, MOVIE.folder));
      await other.status.filter({ hasText: "2 of 4" }).waitFor();
      await movie.write("catches_bus");
      await movie.workbench.status.filter({ hasText: "3 of 4" }).waitFor();
      await other.status.filter({ hasText: "3 of 4" }).waitFor();
      await other.page.close();
    },

    "a topic that was begun is gone on with, unless a new exercise is wanted": async ({
      movie: { workbench },
    }) => {
      await workbench.palette("Tutor: Curriculum");
      await workbench.choose("Python");
      await workbench.choose("Functions and return values");
      await workbench.pickReady("A new exercise");
      await workbench.choose("Movie night");
      await workbench.activeTab("movie.py").waitFor();
      await workbench.status.filter({ hasText: "3 of 4" }).waitFor();
      assert.match(workbench.page.url(), /python-functions-movie-night$/);
    },

    "a session is ended and gone on with from the view, by keyboard": async ({ movie }) => {
      const { workbench } = movie;
      await workbench.toRow(SESSIONS, "Movie night");
      await workbench.contextMenu("End Session");
      await workbench.spoken("Movie night, Python").filter({ hasText: "ended" }).waitFor();
      const active = workbench.spoken("Movie night, Python").filter({ hasText: "in use" });
      await workbench.takeRow(SESSIONS, "Movie night", active);
      await workbench.activeTab("movie.py").waitFor();
      await workbench.status.filter({ hasText: "3 of 4" }).waitFor();
    },
  },
});
