// With workspace trust, as it is by default.
import assert from "node:assert/strict";
import { MOVIE } from "./exercise";
import { part } from "./part";
import { until, type Workbench } from "./workbench";

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

    "before the editor asks for trust the tutor says why": async (workbench) => {
      await workbench.palette("Tutor: Start Exercise");
      await workbench.choose(MOVIE.topic);
      await workbench.dialog("your editor wants to know first whether you trust").waitFor();
      await workbench.screenshot("trust");
      await workbench.page.keyboard.press("Enter");
      await workbench.activeTab("movie.py").waitFor();
      await workbench.activeTab("LESSON.md").waitFor();
    },

    "in Restricted Mode nothing is started": async (workbench, stage) => {
      const toast = workbench.toast("Restricted Mode");
      await toast.waitFor();
      await workbench.toastButton(toast, "Manage Trust");
      await workbench.page.locator(".workspace-trust-editor").waitFor();
      // That of the window where the list was shown ends with it.
      await until("no server runs", () => stage.servers().length === 0);
      assert.equal(await workbench.status.count(), 0);
    },

    "there the views say what they wait for, and lead to it": async (workbench) => {
      const trusting = workbench.page.locator(".workspace-trust-editor");
      await until("the question is closed", async () => {
        await workbench.page.keyboard.press("Escape");
        return (await trusting.count()) === 0;
      });
      await workbench.palette("Tutor: Focus on Sessions View");
      await workbench.welcome("Your sessions appear here once you trust").waitFor();
      await workbench.palette("Tutor: Focus on Curriculum View");
      const welcome = workbench.welcome("The topics appear here once you trust");
      await welcome.getByRole("button", { name: "Manage Trust" }).press("Enter");
      await trusting.waitFor();
    },

    "once trusted, the exercise works": async (workbench, stage) => {
      const editor = workbench.page.locator(".workspace-trust-editor");
      await editor.getByRole("button", { name: "Trust", exact: true }).press("Enter");
      await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
      // Trust brings settings that start it anew: the one before may still be ending.
      await until("one server runs", () => stage.servers().length === 1);
    },

    "trusting one exercise explains nothing away: the next one says why again": async (
      workbench,
    ) => {
      await workbench.palette("Tutor: Curriculum");
      await workbench.choose("python");
      await workbench.choose("Strings: clean, cut and join");
      const dialog = workbench.dialog('parent folder "python"');
      await dialog.waitFor();
      await workbench.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await workbench.toast("under Continue").waitFor();
    },
  },
});
