// Beside rust-analyzer: its completion works, and no error is shown twice.
import assert from "node:assert/strict";
import { part } from "./part";
import { until } from "./waiting";
import type { Workbench } from "./workbench";

export const beside = part<Workbench>({
  options: () => {
    const analyzer = process.env.TUTOR_LSP_RUST_ANALYZER;
    assert.ok(analyzer !== undefined, "TUTOR_LSP_RUST_ANALYZER is not set: run e2e/run.sh");
    return { orders: { analyzer } };
  },
  open: (stage) => stage.open(),
  scenarios: {
    "a Rust exercise opens without any error beside rust-analyzer": async (workbench) => {
      await workbench.palette("Tutor: Start Exercise");
      await workbench.choose("Functions and expressions");
      await workbench.activeTab("lib.rs").waitFor();
      await workbench.infos.first().waitFor();
      await workbench.status.filter({ hasText: /0 of \d/ }).waitFor();
    },

    "completion comes from rust-analyzer": async (workbench) => {
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
    },

    "an error is shown once": async (workbench) => {
      await workbench.page.keyboard.insertText(
        "ipt(1, 2, 3); }\nfn twice() -> u32 { not_there }\n",
      );
      await workbench.save();
      await workbench.page.keyboard.press("Control+Shift+m");
      const rows = workbench.page.locator(".markers-panel .monaco-list-row").filter({
        hasText: /cannot find value/,
      });
      // Both have been through: the tutor's own error may be there for a moment before the other.
      await workbench.palette("Tutor: Check");
      await workbench.toast("It does not build yet: cannot find value").waitFor();
      let seen: string[] = [];
      await until("the error is shown once, by rustc", async () => {
        seen = await rows.allTextContents();
        const places = seen.map((text) => /\[Ln (\d+)/.exec(text)?.[1]);
        const once = new Set(places).size === places.length;
        return once && seen.some((text) => text.includes("rustc"));
      });
      assert.ok(!seen.some((text) => text.includes("tutor")), seen.join("\n"));
    },
  },
});
