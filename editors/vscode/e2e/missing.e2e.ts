// A machine without the server: what is said, and how it is set up.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Host } from "./host";
import { scenario } from "./scenario";
import { until, type Workbench } from "./workbench";

/** How long pip may take (ms): it fetches some thirty packages. */
const PIP_MS = 200_000;

let host: Host;
let workbench: Workbench;

before(async () => {
  const programs = (process.env.PATH ?? "").split(":");
  const path = programs.filter((folder) => !existsSync(join(folder, "tutor-lsp"))).join(":");
  host = await Host.start("missing", {
    machine: { "tutor.server.command": undefined },
    env: { PATH: path },
  });
  workbench = await host.open();
});

after(() => host.stop());

function play(name: string, body: () => Promise<void>): void {
  scenario(name, () => host, body);
}

function environment(): string {
  return join(host.folder, "data", "User", "globalStorage", "tutor-lsp.tutor-lsp", "server");
}

play("without a server the learner is asked, and nothing happens on a no", async () => {
  await workbench.palette("Tutor: Start Exercise");
  await workbench.dialog("is not installed yet").waitFor();
  await workbench.screenshot("set-up");
  await workbench.page.keyboard.press("Escape");
  await workbench.toast("is not installed where this window can find it").waitFor();
  assert.ok(!existsSync(environment()));
  await workbench.clearToasts();
});

play("cancelling the set-up leaves nothing behind", async () => {
  await workbench.palette("Tutor: Set Up the Server");
  const toast = workbench.toast("Setting up the tutor's server");
  await toast.waitFor();
  await workbench.toastButton(toast, "Cancel");
  await toast.waitFor({ state: "detached" });
  // The message goes at once, what was made a moment later.
  await until("nothing is left", () => !existsSync(environment()));
});

play("one Enter sets it up with progress, and what was asked for goes on", async () => {
  await workbench.palette("Tutor: Start Exercise");
  await workbench.dialog("is not installed yet").waitFor();
  await workbench.page.keyboard.press("Enter");
  await workbench.toast("Setting up the tutor's server").waitFor();
  await workbench.pickReady("Browse", PIP_MS);
  await workbench.page.keyboard.press("Escape");
  assert.ok(readdirSync(environment()).includes("tutor-lsp-version"));
  assert.equal(host.servers().length, 1);
});
