// Beside rust-analyzer: its completion works, and no error is shown twice.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { Host } from "./host";
import { scenario } from "./scenario";
import type { Workbench } from "./workbench";

let host: Host;
let workbench: Workbench;

before(async () => {
  const analyzer = process.env.TUTOR_LSP_RUST_ANALYZER;
  assert.ok(analyzer !== undefined, "TUTOR_LSP_RUST_ANALYZER is not set: run e2e/run.sh");
  host = await Host.start("beside", {
    companion: true,
    machine: { "tutor.buildErrors": "never" },
    env: { COMPANION_RUST_ANALYZER: analyzer },
  });
  workbench = await host.open();
});

after(() => host.stop());

function play(name: string, body: () => Promise<void>): void {
  scenario(name, () => host, body);
}

play("a Rust exercise opens without any error beside rust-analyzer", async () => {
  await workbench.palette("Tutor: Start Exercise");
  await workbench.choose("Functions and expressions, rust");
  await workbench.activeTab("lib.rs").waitFor();
  await workbench.infos.first().waitFor();
  await workbench.status.filter({ hasText: /0 of \d/ }).waitFor();
});

play("completion comes from rust-analyzer", async () => {
  await workbench.focusCode();
  await workbench.page.keyboard.press("Control+End");
  await workbench.page.keyboard.insertText("\nfn beside() { rece");
  // Words of the text would be offered without parentheses.
  const list = workbench.page.locator(".suggest-widget.visible .monaco-list-row");
  await workbench.insist(list.filter({ hasText: /receipt\(/ }).first(), async () => {
    await workbench.page.keyboard.press("Escape");
    await workbench.page.keyboard.press("Control+Space");
  });
  await workbench.page.keyboard.press("Escape");
});

play("an error is shown once", async () => {
  await workbench.page.keyboard.insertText("ipt(1, 2, 3); }\nfn twice() -> u32 { not_there }\n");
  await workbench.save();
  await workbench.page.keyboard.press("Control+Shift+m");
  await workbench.problem("not_there").waitFor();
  const rows = workbench.page.locator(".markers-panel .monaco-list-row").filter({
    hasText: /cannot find value/,
  });
  await rows.first().waitFor();
  const places = await rows.allTextContents();
  const sources = places.map((text) => /\[Ln (\d+)/.exec(text)?.[1]);
  assert.equal(new Set(sources).size, sources.length, places.join("\n"));
});
