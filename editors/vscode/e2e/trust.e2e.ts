// With workspace trust, as it is by default.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { MOVIE } from "./exercise";
import { Host } from "./host";
import { scenario } from "./scenario";
import type { Workbench } from "./workbench";

let host: Host;
let workbench: Workbench;

before(async () => {
  host = await Host.start("trust", { settings: { "security.workspace.trust.enabled": true } });
  workbench = await host.open();
});

after(() => host.stop());

function play(name: string, body: () => Promise<void>): void {
  scenario(name, () => host, body);
}

play("before the editor asks for trust the tutor says why", async () => {
  await workbench.palette("Tutor: Start Exercise");
  await workbench.choose(MOVIE.topic);
  await workbench.dialog("your editor wants to know first whether you trust").waitFor();
  await workbench.screenshot("trust");
  await workbench.page.keyboard.press("Enter");
  await workbench.activeTab("movie.py").waitFor();
  await workbench.activeTab("[Preview] LESSON.md").waitFor();
});

play("in Restricted Mode nothing is started", async () => {
  await workbench.toast("Restricted Mode").waitFor();
  assert.deepEqual(host.servers(), []);
});

play("once trusted, the exercise works", async () => {
  await workbench.toastButton(workbench.toast("Restricted Mode"), "Manage Trust");
  const editor = workbench.page.locator(".workspace-trust-editor");
  await editor.getByRole("button", { name: "Trust", exact: true }).press("Enter");
  await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
  assert.equal(host.servers().length, 1);
});
