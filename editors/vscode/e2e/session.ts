// A whole session with everything that the editor shows of it, by keyboard.
import assert from "node:assert/strict";
import { SOLUTIONS, STUBS } from "./exercise";
import { Movie } from "./movie";
import { part } from "./part";
import { until } from "./waiting";

const TESTS = "Testing: Focus on Test Explorer View";

export const session = part<Movie>({
  open: async (stage) => new Movie(stage, await stage.open()),
  scenarios: {
    "an empty window gets the server ready, before anything is asked": async (
      { workbench },
      stage,
    ) => {
      await workbench.status.locator('a[aria-label*="No exercise is open here"]').waitFor();
      // The machine's settings may come after the first start, which is overtaken then.
      await until("one server runs", () => stage.servers().length === 1);
    },

    "start by palette: the window goes to the exercise, stub beside lesson": (movie) =>
      movie.start(),

    "bar and status say how far it is, and where exercises come from": async ({ workbench }) => {
      const spoken = await workbench.status.locator("a").first().getAttribute("aria-label");
      assert.match(spoken ?? "", /Tutor: Movie night: \S/);
      // A preview that has just been opened may take the keys once more when it is drawn.
      await workbench.insist(workbench.row("to_minutes").first(), () =>
        workbench.palette("Tutor: Status"),
      );
      await workbench.row("Exercises come from: library").waitFor();
      await workbench.page.keyboard.press("Escape");
    },

    "the stub tells its state in hover and lens": async ({ workbench, lineOf }) => {
      await workbench.goTo(lineOf("def to_minutes"), 6);
      await workbench.showHover("ex-1");
      await workbench.hover.getByText("Hint", { exact: true }).first().waitFor();
      await workbench.screenshot("hover");
      await workbench.page.keyboard.press("Escape");
      await workbench.lenses.filter({ hasText: "ex-1 ○ to do" }).waitFor();
      await workbench.palette("Show CodeLens Commands for Current Line");
      await workbench.choose("Lesson");
      await workbench.reading("Handing back an answer");
    },

    "a link in the hover runs its command": async ({ workbench, lineOf }) => {
      await workbench.goTo(lineOf("def to_minutes"), 6);
      await workbench.hoverLink("Hint", "Test");
      await workbench.activeTab("test_movie.py").waitFor();
    },

    "what is opened from the lesson stands beside it, not over it": async ({ workbench }) => {
      const { page } = workbench;
      const front = (name: string) =>
        page.locator(`.editor-group-container.active .tab.active[aria-label^="${name}"]`);
      await workbench.insist(front("Lesson"), () => page.keyboard.press("Control+2"));
      await workbench.palette("Tutor: Open Stub");
      await front("movie.py").waitFor();
      await workbench.activeTab("Lesson").waitFor();
      assert.equal(await workbench.tab("movie.py").count(), 1);
    },

    "a code action brings the first hint beside the code": async ({ workbench, lineOf }) => {
      await workbench.openFile("exercise/movie.py");
      await workbench.goTo(lineOf("def to_minutes"), 6);
      await workbench.codeAction("Hint for to_minutes");
      await workbench.tab("Hints and reviews").waitFor();
      await workbench.reading("Hint 1 for");
      await workbench.screenshot("hint");
    },

    "a wrong answer is marked on the stub in one sentence": async (movie) => {
      const { workbench } = movie;
      await movie.write("to_minutes", "return hours * 60 - minutes");
      await workbench.errors.first().waitFor();
      await workbench.lenses.filter({ hasText: "ex-1 ✗ not yet" }).waitFor();
      await workbench.palette("View: Focus Problems");
      await workbench.problem("to_minutes(2, 46)").waitFor();
      await workbench.problem("expected 166").waitFor();
    },

    "the test explorer runs one test, and shows expected against actual as a diff": async ({
      workbench,
    }) => {
      await workbench.palette(TESTS);
      await workbench.treeRow("ex-1 to_minutes").locator(".codicon-testing-failed-icon").waitFor();
      await workbench.insist(workbench.treeRow("adds hours and minutes"), async () => {
        await workbench.toRow(TESTS, "ex-1 to_minutes");
        await workbench.page.keyboard.press("ArrowRight");
      });
      await workbench.toRow(TESTS, "adds hours and minutes");
      await workbench.contextMenu("Run Test");
      await workbench.page.locator(".part.sidebar .result-summary").getByText("0/1").waitFor();
      await workbench.palette("Test: Peek Output");
      const diff = workbench.page.locator(
        ".test-output-peek-message-container .monaco-diff-editor",
      );
      await diff.waitFor();
      // Two tests fail, and either may be shown first.
      await workbench.insist(diff.locator(".editor.original").getByText("166"), () =>
        workbench.palette("Test: Go to Next Test Failure"),
      );
      await diff.locator(".editor.modified").getByText("74").waitFor();
      await workbench.screenshot("tests");
    },

    "a right answer takes the mark away: 1 of 4, and the lesson goes on": async (movie) => {
      const { workbench } = movie;
      await workbench.openFile("exercise/movie.py");
      // The hint from before covers the lesson, which comes before it now.
      await workbench.activeTab("Hints and reviews").waitFor();
      await movie.mend("return hours * 60 - minutes", SOLUTIONS.to_minutes ?? "");
      // It does not take the keys: a list that is opened meanwhile stays.
      await workbench.page.keyboard.press("F1");
      await workbench.activeTab("Lesson").waitFor();
      await workbench.sectionOnTop("Functions that use functions");
      await workbench.page.keyboard.type("Tutor: St");
      await workbench.row("Tutor: Start Exercise").waitFor();
      await workbench.page.keyboard.press("Escape");
      await workbench.errors.first().waitFor({ state: "detached" });
      await workbench.status.filter({ hasText: "1 of 4" }).waitFor();
    },

    "a step can be put back to its stub, and that undone": async (movie) => {
      const { workbench } = movie;
      await workbench.palette("Tutor: Reset to the Stubs");
      await workbench.choose("to_minutes");
      await workbench.confirm("Reset this stub?", "Reset");
      await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
      await workbench.code('raise NotImplementedError("to_minutes")').waitFor();
      await workbench.sectionOnTop("Handing back an answer");
      await workbench.palette("Tutor: Reset to the Stubs");
      await workbench.choose("Undo the last reset");
      await workbench.status.filter({ hasText: "1 of 4" }).waitFor();
      await workbench.code("return hours * 60 + minutes").waitFor();
    },

    "all green, then the review": async (movie) => {
      const { workbench } = movie;
      for (const stub of STUBS.slice(1)) {
        await movie.write(stub);
      }
      await workbench.status.filter({ hasText: "4 of 4" }).waitFor();
      await workbench.palette("Tutor: Attempt");
      await workbench.toast("ll 11 tests pass").waitFor();
      await workbench.reading("Review of attempt 1: passed");
      await workbench.screenshot("review");
    },

    "a passed step can be compared with the reference, as a diff": async ({
      workbench,
      lineOf,
    }) => {
      await workbench.clearToasts();
      await workbench.goTo(lineOf("return hours * 60 + minutes"));
      await workbench.palette("Tutor: Compare with the Reference");
      await workbench.toast("Your code and the reference are the same").waitFor();
      await workbench.goTo(lineOf("return f"));
      await workbench.palette("Tutor: Compare with the Reference");
      await workbench.activeTab("ex-").waitFor();
      const diff = workbench.page.locator(".editor-instance .monaco-diff-editor").first();
      await diff.locator(".editor.modified").getByText("note = bus_note").waitFor();
    },

    "what is installed is said on a page": async ({ workbench }) => {
      await workbench.clearToasts();
      await workbench.palette("Tutor: Doctor");
      await workbench.reading("What works here");
      await workbench.page.keyboard.press("Control+F4");
    },

    "the learning report is shown in the editor, whose files are another machine's": async ({
      workbench,
    }) => {
      await workbench.palette("Tutor: Learning Report");
      await workbench.activeTab("Learning report").waitFor();
      await workbench.reading("Learning report");
      await workbench.page.keyboard.press("Control+F4");
    },

    "next opens what comes next in the same window": async ({ workbench }) => {
      await workbench.clearToasts();
      await workbench.palette("Tutor: Next Exercise");
      await workbench.page.waitForURL((url) => !url.href.includes("movie-night"));
      await workbench.activeTab("Lesson").waitFor();
      await workbench.status.filter({ hasText: /0 of \d/ }).waitFor();
    },
  },
});
