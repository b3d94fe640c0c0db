// The first two minutes, by keyboard.
import { after, before } from "node:test";
import { Host } from "./host";
import { scenario } from "./scenario";
import type { Workbench } from "./workbench";

let host: Host;
let workbench: Workbench;

before(async () => {
  host = await Host.start("first");
  workbench = await host.open();
});

after(() => host.stop());

scenario("start by palette: the stub opens with its problem", () => host, async () => {
  await workbench.palette("Tutor: Start Exercise");
  await workbench.choose("Functions and return values, python");
  await workbench.activeTab("movie.py").waitFor();
  await workbench.tab("[Preview] LESSON.md").waitFor();
  await workbench.page.locator(".monaco-editor .squiggly-info").first().waitFor();
  await workbench.status.filter({ hasText: /0 of \d/ }).waitFor();
});
