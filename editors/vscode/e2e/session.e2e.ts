// A whole session with everything that the editor shows of it, by keyboard.
import { after, before } from "node:test";
import { SOLUTIONS, STUBS } from "./exercise";
import { Host } from "./host";
import { Movie } from "./movie";
import { scenario } from "./scenario";
import type { Workbench } from "./workbench";

let host: Host;
let workbench: Workbench;
let movie: Movie;

before(async () => {
  host = await Host.start("session");
  workbench = await host.open();
  movie = new Movie(host, workbench);
});

after(() => host.stop());

function play(name: string, body: () => Promise<void>): void {
  scenario(name, () => host, body);
}

play("start by palette: the window goes to the exercise, stub beside lesson", () => movie.start());

play("the stub tells its state in hover and lens", async () => {
  await workbench.goTo(movie.lineOf("def to_minutes"), 6);
  await workbench.insist(workbench.hover.filter({ hasText: "ex-1" }).first(), async () => {
    await workbench.page.keyboard.press("Control+k");
    await workbench.page.keyboard.press("Control+i");
  });
  await workbench.hover.getByText("Hint", { exact: true }).first().waitFor();
  await workbench.screenshot("hover");
  await workbench.page.keyboard.press("Escape");
  await workbench.lenses.filter({ hasText: "ex-1 ○ to do" }).waitFor();
  await workbench.palette("Show CodeLens Commands for Current Line");
  await workbench.choose("Lesson");
  await workbench.reading("Handing back an answer");
});

play("a code action brings the first hint beside the code", async () => {
  await workbench.goTo(movie.lineOf("def to_minutes"), 6);
  await workbench.codeAction("Hint for to_minutes");
  await workbench.tab("[Preview] coach.md").waitFor();
  await workbench.reading("Hint 1 for");
  await workbench.screenshot("hint");
});

play("a wrong answer is marked on the stub in one sentence", async () => {
  await movie.write("to_minutes", "return hours * 60 - minutes");
  await workbench.errors.first().waitFor();
  await workbench.lenses.filter({ hasText: "ex-1 ✗ not yet" }).waitFor();
  await workbench.page.keyboard.press("Control+Shift+m");
  await workbench.problem("to_minutes(2, 46)").waitFor();
  await workbench.problem("expected 166").waitFor();
});

play("the test explorer has the test with expected against actual", async () => {
  await workbench.palette("Testing: Focus on Test Explorer View");
  await workbench.treeRow("ex-1 to_minutes").locator(".codicon-testing-failed-icon").waitFor();
  await workbench.focusCode();
  await workbench.goTo(movie.lineOf("def to_minutes"));
  await workbench.palette("Test: Run Test at Cursor");
  const failure = workbench.page
    .locator(".test-output-peek-tree .monaco-list-row")
    .filter({ hasText: "test_to_minutes_adds_hours_and_minutes" })
    .first();
  const diff = workbench.page.locator(".test-output-peek-message-container .monaco-diff-editor");
  await workbench.insist(diff, () => failure.click());
  await diff.locator(".editor.modified").getByText("74").waitFor();
  await diff.locator(".editor.original").getByText("166").waitFor();
  await workbench.screenshot("tests");
});

play("a right answer takes the mark away: 1 of 4", async () => {
  await movie.mend("return hours * 60 - minutes", SOLUTIONS.to_minutes ?? "");
  await workbench.errors.first().waitFor({ state: "detached" });
  await workbench.status.filter({ hasText: "1 of 4" }).waitFor();
});

play("all green, then the review", async () => {
  for (const stub of STUBS.slice(1)) {
    await movie.write(stub);
  }
  await workbench.status.filter({ hasText: "4 of 4" }).waitFor();
  await workbench.palette("Tutor: Attempt");
  await workbench.toast("Done: all 11 tests pass").waitFor();
  await workbench.reading("Review of attempt 1: passed");
  await workbench.screenshot("review");
});

play("a passed step can be compared with the reference, as a diff", async () => {
  await workbench.clearToasts();
  await workbench.focusCode();
  await workbench.palette("Tutor: Compare with the Reference");
  await workbench.activeTab("ex-").waitFor();
  await workbench.page.locator(".editor-instance .monaco-diff-editor").first().waitFor();
});

play("next opens what comes next in the same window", async () => {
  await workbench.clearToasts();
  await workbench.palette("Tutor: Next Exercise");
  await workbench.page.waitForURL((url) => !url.href.includes("movie-night"));
  await workbench.activeTab("[Preview] LESSON.md").waitFor();
  await workbench.status.filter({ hasText: /0 of \d/ }).waitFor();
});
