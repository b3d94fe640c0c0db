// Several windows, a reload, and a server that is killed: nothing is lost.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { MOVIE } from "./exercise";
import { Host } from "./host";
import { scenario } from "./scenario";
import { until, Workbench } from "./workbench";

let host: Host;
let project: Workbench;
let exercise: Workbench;

before(async () => {
  host = await Host.start("windows", {
    companion: true,
    env: { COMPANION_ERROR: "E0382" },
  });
  const folder = join(host.folder, "project");
  mkdirSync(folder);
  writeFileSync(join(folder, "main.rs"), "fn main() {}\n");
  project = await host.open(folder);
});

after(() => host.stop());

function play(name: string, body: () => Promise<void>): void {
  scenario(name, () => host, body);
}

play("a project's error can be practised, before the tutor has started anything", async () => {
  await project.openFile("main.rs");
  await project.errors.first().waitFor();
  await project.goTo(1, 2);
  const actions = await project.codeActions();
  await actions.filter({ hasText: "Practise this error (E0382)" }).waitFor();
  assert.deepEqual(host.servers(), []);
  await project.page.keyboard.press("Escape");
});

play("an exercise that is started in a project opens in a window of its own", async () => {
  const opening = host.context.waitForEvent("page");
  await project.palette("Tutor: Start Exercise");
  await project.choose(MOVIE.topic);
  exercise = new Workbench(await opening);
  await exercise.ready();
  await exercise.activeTab("movie.py").waitFor();
  await exercise.activeTab("[Preview] LESSON.md").waitFor();
  await exercise.status.filter({ hasText: "0 of 4" }).waitFor();
  await project.activeTab("main.rs").waitFor();
});

play("the tutor's view shows exercise, curriculum and sessions, and ends a session", async () => {
  await exercise.palette("Tutor: Focus on Exercise View");
  await exercise.treeRow("Movie night").waitFor();
  await exercise.spoken("to_minutes, ex-1, to do, you are here").waitFor();
  await exercise.treeRow("Hints and reviews").waitFor();
  await exercise.treeRow("Attempts").filter({ hasText: "none yet" }).waitFor();
  await exercise.palette("Tutor: Focus on Curriculum View");
  await exercise.treeRow("python").waitFor();
  await exercise.screenshot("view");
  await exercise.palette("Tutor: Focus on Sessions View");
  await exercise.treeRow("Movie night").waitFor();
});

play("a reload keeps everything", async () => {
  await exercise.page.reload();
  await exercise.ready();
  await exercise.tab("movie.py").waitFor();
  await exercise.status.filter({ hasText: "0 of 4" }).waitFor();
});

play("a server that is killed comes back by itself", async () => {
  const before = host.servers();
  assert.ok(before.length >= 1);
  for (const pid of before) {
    process.kill(pid, "SIGKILL");
  }
  await until("a new server runs", () => {
    const now = host.servers();
    return now.length >= before.length && now.every((pid) => !before.includes(pid));
  });
  await exercise.status.filter({ hasText: "0 of 4" }).waitFor();
  await exercise.palette("Tutor: Check");
  await exercise.page.locator(".statusbar").getByText("0 of 11 tests pass").waitFor();
});
