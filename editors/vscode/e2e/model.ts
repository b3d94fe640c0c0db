// An exercise written by the editor's own model: plan, progress, Cancel, and a reload in between.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT, SERVER } from "./host";
import { AGAIN_MS } from "./lists";
import { part } from "./part";
import { until } from "./waiting";
import type { Workbench } from "./workbench";

const TOPIC = "planning an evening at the cinema";
const NODE = "topic-planning-an-evening-at-the-cinema";

let folder = "";
let answers = "";
let hold = "";

/** What the model was asked, in order. */
function asked(): string[] {
  const log = `${answers}.log`;
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

async function startTopic(workbench: Workbench): Promise<void> {
  await workbench.palette("Tutor: Start Exercise");
  await workbench.choose("Your own topic");
  await workbench.choose("Python");
  await workbench.answer("What would you like to learn?", TOPIC);
}

export const model = part<Workbench>({
  options: () => {
    folder = mkdtempSync(join(tmpdir(), "tutor-e2e-answers-"));
    answers = join(folder, "answers.json");
    hold = join(folder, "hold");
    return {
      settings: { "chat.disableAIFeatures": false },
      machine: { "tutor.backend": "editor" },
      orders: { answers, hold },
    };
  },

  open: (stage) => {
    const python = join(dirname(SERVER), "python");
    const script = join(ROOT, "e2e", "answers.py");
    writeFileSync(answers, execFileSync(python, [script, "python-movie-night", NODE]));
    return stage.open();
  },

  close: () => {
    rmSync(folder, { recursive: true, force: true });
  },

  scenarios: {
    "the plan is shown with Make it, Change and Cancel": async (workbench) => {
      await startTopic(workbench);
      const plan = workbench.toast("4 units");
      await plan.waitFor();
      for (const title of ["Make it", "Change…", "Cancel"]) {
        await plan.getByRole("button", { name: title }).waitFor();
      }
      await workbench.screenshot("plan");
      await workbench.toastButton("4 units", "Change…");
      await workbench.answer("What should be different?", "popcorn for everybody");
      // Shown again as it is now, which can be made or not.
      await plan.waitFor();
      await plan.getByRole("button", { name: "Change…" }).waitFor({ state: "detached" });
      assert.match(readFileSync(`${answers}.last`, "utf8"), /popcorn for everybody/);
      await workbench.toastButton("4 units", "Cancel");
      await plan.waitFor({ state: "detached" });
      assert.deepEqual(asked(), ["scaffold 1", "scaffold 1"]);
    },

    "a set-up shows how far it is, and Cancel ends it": async (workbench) => {
      writeFileSync(hold, "test-expand");
      await startTopic(workbench);
      await workbench.toastButton("4 units", "Make it");
      const progress = workbench
        .toast(TOPIC)
        .filter({ has: workbench.page.locator(".monaco-progress-container") });
      await progress.first().waitFor();
      await until("the percentage is shown", async () => {
        const style = await progress.first().locator(".progress-bit").getAttribute("style");
        return Number.parseFloat(/width: ([\d.]+)%/.exec(style ?? "")?.[1] ?? "0") > 0;
      });
      await workbench.screenshot("progress");
      await workbench.toastButton(TOPIC, "Cancel");
      await progress.first().waitFor({ state: "detached" });
      await workbench.palette("Tutor: Sessions");
      await workbench.toast("There are no sessions yet").waitFor();
      await workbench.clearToasts();
    },

    "a reload in the middle does not end it, and nothing is asked twice": async (workbench) => {
      // What the model had answered before the cancel is still there, the plan included.
      await startTopic(workbench);
      await workbench.toast(TOPIC).first().waitFor();
      await until("the model is asked for tests", () => asked().at(-1)?.startsWith("test-expand"));
      await workbench.page.reload();
      await workbench.ready();
      await workbench.toast(TOPIC).first().waitFor();
      rmSync(hold);
      // What took long asks before it opens.
      const open = workbench.toast("Ready:").getByRole("button", { name: "Open", exact: true });
      await workbench.insist(workbench.activeTab("movie.py"), async () => {
        if (await open.isVisible()) {
          await open.press("Enter", { timeout: AGAIN_MS }).catch(() => undefined);
        }
      });
      await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
      // One for the first plan, which is shown again, and one for the change that was declined.
      assert.equal(asked().filter((call) => call === "scaffold 1").length, 2, asked().join());
    },
  },
});
