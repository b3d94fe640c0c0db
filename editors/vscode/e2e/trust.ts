// With workspace trust, as it is by default.
import assert from "node:assert/strict";
import { MOVIE, STUBS } from "./exercise";
import { Movie } from "./movie";
import { part } from "./part";
import { until } from "./waiting";
import { Workbench } from "./workbench";

/** What the editor asks, and the answer to it. */
const QUESTION = "Do you trust the authors";
const TRUST = "Trust Folder & Continue";

export const trust = part<Workbench>({
  options: () => ({ settings: { "security.workspace.trust.enabled": true } }),
  open: (stage) => stage.open(),
  scenarios: {
    "the extension's page shows its icon, and a README without gaps": async (workbench) => {
      const { page } = workbench;
      await workbench.palette("Extensions: Show Installed Extensions");
      const row = page.locator('.extensions-list .monaco-list-row[aria-label^="Tutor,"]');
      await row.waitFor();
      await workbench.insist(workbench.activeTab("Extension: Tutor"), () => row.click());
      const icon = page.locator('.extension-editor img[src*="icon.png"]').first();
      await until("the icon is drawn", () =>
        icon.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth === 128),
      );
      const readme = await until("the README is shown", async () => {
        for (const frame of page.frames()) {
          if (await frame.getByText("Tutor for VS Code").isVisible().catch(() => false)) {
            return frame;
          }
        }
        return undefined;
      });
      assert.equal(await readme.locator("img").count(), 0);
      await workbench.palette("View: Close Editor");
    },

    "an exercise opens in two steps, and the editor asks at once about the folder of all": async (
      workbench,
      stage,
    ) => {
      await workbench.palette("Tutor: Start Exercise");
      await workbench.choose(MOVIE.topic);
      await workbench.dialog(QUESTION).waitFor();
      await workbench.toast("your exercises in all languages").waitFor();
      await workbench.activeTab("movie.py").waitFor();
      await workbench.activeTab("Lesson").waitFor();
      await workbench.screenshot("trust");
      assert.match(workbench.page.url(), /\/exercises$/);
      // That of the window where the list was shown ends with it.
      await until("no server runs", () => stage.servers().length === 0);
      assert.equal(await workbench.status.count(), 0);
    },

    "who does not trust it can read, is told why in two sentences, and is not asked again": async (
      workbench,
      stage,
    ) => {
      const dialog = workbench.dialog(QUESTION);
      await workbench.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await workbench.toast("waits until you trust this folder. Until then you can read").waitFor();
      await workbench.reading("Handing back an answer");
      await workbench.screenshot("restricted");
      assert.deepEqual(stage.servers(), []);
      await workbench.clearToasts();
    },

    "there the views say what they wait for, and lead to it": async (workbench) => {
      const dialog = workbench.dialog(QUESTION);
      await workbench.palette("Tutor: Focus on Exercise View");
      await workbench.welcome("waits until you trust this folder").waitFor();
      await workbench.palette("Tutor: Focus on Sessions View");
      await workbench.welcome("Your sessions appear here once you trust").waitFor();
      await workbench.palette("Tutor: Focus on Curriculum View");
      const welcome = workbench.welcome("The topics appear here once you trust");
      await workbench.screenshot("restricted-view");
      await welcome.getByRole("button", { name: "Trust" }).press("Enter");
      await dialog.waitFor();
      await workbench.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    },

    "a command asks, too, and goes on once the folder is trusted": async (workbench, stage) => {
      await workbench.palette("Tutor: Check");
      await workbench.confirm(QUESTION, TRUST);
      await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
      await workbench.page.locator(".statusbar").getByText("0 of 11 tests pass").waitFor();
      await until("one server runs", () => stage.servers().length === 1);
    },

    "the next exercise, in another language, opens on its own folder without a question": async (
      workbench,
      stage,
    ) => {
      const opening = stage.context.waitForEvent("page");
      await workbench.palette("Tutor: Curriculum");
      await workbench.choose("Rust");
      await workbench.choose("Functions");
      const other = new Workbench(await opening);
      await other.ready();
      await other.activeTab("Lesson").waitFor();
      await other.status.filter({ hasText: "0 of" }).waitFor();
      assert.match(other.page.url(), /\/exercises\/rust-functions-/);
      assert.equal(await other.dialog(QUESTION).count(), 0);
      await other.page.close();
    },

    "from the first window the next exercise follows in it, on its own folder, without a question": async (
      workbench,
      stage,
    ) => {
      const movie = new Movie(stage, workbench);
      await workbench.openFile("exercise/movie.py");
      for (const stub of STUBS) {
        await movie.write(stub);
      }
      await workbench.status.filter({ hasText: "4 of 4" }).waitFor();
      await workbench.palette("Tutor: Attempt");
      await workbench.toast("ll 11 tests pass").waitFor();
      await workbench.clearToasts();
      await workbench.palette("Tutor: Next Exercise");
      await workbench.page.waitForURL(/\/exercises\/python-(?!functions-movie)/);
      await workbench.activeTab("Lesson").waitFor();
      await workbench.status.filter({ hasText: /0 of \d/ }).waitFor();
      assert.equal(await workbench.dialog(QUESTION).count(), 0);
      assert.equal(stage.context.pages().length, 1);
      await workbench.screenshot("trust-next");
    },
  },
});
