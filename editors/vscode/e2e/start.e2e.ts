// The first two minutes, by keyboard: what always runs.
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
  host = await Host.start("start");
  workbench = await host.open();
  movie = new Movie(host, workbench);
});

after(() => host.stop());

function play(name: string, body: () => Promise<void>): void {
  scenario(name, () => host, body);
}

play("start by palette: the window goes to the exercise, stub beside lesson", () => movie.start());

play("a wrong answer is marked on the stub in one sentence", async () => {
  await movie.write("to_minutes", "return hours * 60 - minutes");
  await workbench.errors.first().waitFor();
  await workbench.lenses.filter({ hasText: "ex-1 ✗ not yet" }).waitFor();
  await workbench.page.keyboard.press("Control+Shift+m");
  await workbench.problem("to_minutes(2, 46)").waitFor();
  await workbench.problem("expected 166").waitFor();
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

play("next opens what comes next in the same window", async () => {
  await workbench.clearToasts();
  await workbench.palette("Tutor: Next Exercise");
  await workbench.page.waitForURL((url) => !url.href.includes("movie-night"));
  await workbench.activeTab("[Preview] LESSON.md").waitFor();
  await workbench.status.filter({ hasText: /0 of \d/ }).waitFor();
});
