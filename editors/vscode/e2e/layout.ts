// `tutor.layout` in a window that is open: arranged by the tutor, and as the learner has it.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MOVIE } from "./exercise";
import { Movie } from "./movie";
import { part } from "./part";
import type { Stage } from "./stage";
import { until } from "./waiting";
import type { Workbench } from "./workbench";

/** What the tutor sets otherwise in its own windows. */
const LEARNERS = {
  "editor.minimap.enabled": true,
  "breadcrumbs.enabled": true,
  // Settings open in a tab.
  "workbench.editor.useModal": "off",
  // What is inserted stays as it is.
  "editor.autoClosingBrackets": "never",
};

function folder({ home }: Stage): string {
  return join(home, MOVIE.folder);
}

function folderSettings(stage: Stage): Record<string, unknown> {
  const file = join(folder(stage), ".vscode", "settings.json");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text.trim() === "" ? {} : (JSON.parse(text) as Record<string, unknown>); // VS Code empties it before it writes
}

/** Sets one of the learner's own settings, in the editor: a file that changes below it cannot be saved. */
async function set(workbench: Workbench, stage: Stage, settings: object): Promise<void> {
  const all = JSON.parse(readFileSync(stage.userSettings, "utf8")) as object;
  await write(workbench, "Preferences: Open User Settings (JSON)", JSON.stringify({ ...all, ...settings }));
}

/** Writes settings in the file that a command opens. */
async function write(workbench: Workbench, command: string, text: string): Promise<void> {
  const { keyboard } = workbench.page;
  await workbench.focusCode();
  await workbench.palette(command);
  await workbench.activeTab("settings.json").waitFor();
  await workbench.focusCode();
  await keyboard.press("Control+a");
  // A text that is the same is not saved.
  await keyboard.insertText(` ${text}`);
  await workbench.save();
  await workbench.palette("View: Close Editor");
  await workbench.tab("settings.json").waitFor({ state: "detached" });
}

/** What the learner has set is seen, and the files have their own names. */
async function isLearners(workbench: Workbench): Promise<void> {
  await workbench.page.locator(".minimap:visible").first().waitFor();
  await workbench.page.locator(".breadcrumbs-below-tabs:visible").first().waitFor();
  await workbench.activeTab("LESSON.md").waitFor();
}

async function isTutors(workbench: Workbench): Promise<void> {
  await workbench.page.locator(".minimap:visible").first().waitFor({ state: "detached" });
  await workbench.page.locator(".breadcrumbs-below-tabs:visible").first().waitFor({ state: "detached" });
  await workbench.activeTab("Lesson").waitFor();
}

export const layout = part<Movie>({
  options: () => ({ settings: LEARNERS }),
  open: async (stage) => new Movie(stage, await stage.open()),
  scenarios: {
    "an exercise's window is arranged by the tutor": async (movie, stage) => {
      await movie.start();
      await isTutors(movie.workbench);
      assert.equal(folderSettings(stage)["editor.minimap.enabled"], false);
    },

    "with mine everything is the learner's again, and nothing is left in the folder": async (
      { workbench },
      stage,
    ) => {
      await set(workbench, stage, { "tutor.layout": "mine" });
      await isLearners(workbench);
      await until("nothing is left", () => !existsSync(join(folder(stage), ".vscode")));
      await workbench.screenshot("layout-mine");
      // It stays so.
      await workbench.page.reload();
      await workbench.ready();
      await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
      await isLearners(workbench);
      assert.ok(!readdirSync(folder(stage)).includes(".vscode"));
    },

    "back with focused it is the tutor's again": async ({ workbench }, stage) => {
      await set(workbench, stage, { "tutor.layout": "focused" });
      await isTutors(workbench);
      await until("the folder has its settings", () => folderSettings(stage)["editor.minimap.enabled"] === false);
      await workbench.screenshot("layout-focused");
    },
  },
});
