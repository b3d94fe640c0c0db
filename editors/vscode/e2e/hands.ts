// The hands stay on the keys: the tutor's own ones, the editors' buttons, the menu of a stub.
import assert from "node:assert/strict";
import { Movie } from "./movie";
import { part } from "./part";
import { until } from "./waiting";
import type { Workbench } from "./workbench";

/** Whether the keys go to a page, such as the lesson. */
const IN_PAGE = "document.activeElement !== null && document.activeElement.matches('iframe.webview')";

/** Presses a key of the tutor, again if it was lost, until `shown`. */
async function key(workbench: Workbench, letter: string, shown: ReturnType<Workbench["tab"]>): Promise<void> {
  await workbench.insist(shown, async () => {
    await workbench.page.keyboard.press("Shift+Alt+l");
    await workbench.page.keyboard.press(letter);
  });
}

export const hands = part<Movie>({
  open: async (stage) => new Movie(stage, await stage.open()),
  scenarios: {
    "where no exercise is, nothing can be run": async ({ workbench }) => {
      await workbench.insist(workbench.sideButton("Start Exercise"), () =>
        workbench.palette("Tutor: Focus on Exercise View"),
      );
      assert.equal(await workbench.sideButton("Check").count(), 0);
      assert.equal(await workbench.sideButton("Attempt").count(), 0);
    },

    "with an exercise there are buttons beside code and lesson": async (movie) => {
      await movie.start();
      const { workbench } = movie;
      await workbench.titleButton("movie.py", "Check").waitFor();
      await workbench.titleButton("movie.py", "Hint").waitFor();
      await workbench.titleButton("movie.py", "Open Lesson").waitFor();
      // While the code has the keys.
      await workbench.focusCode();
      for (const title of ["Check", "Hint", "Next Exercise"]) {
        await workbench.titleButton("Lesson", title).waitFor();
      }
      await workbench.screenshot("hands");
    },

    "keys bring the hint, and lead back to the lesson": async ({ workbench, lineOf }) => {
      await workbench.goTo(lineOf("def to_minutes"), 6);
      await key(workbench, "h", workbench.activeTab("Hints and reviews"));
      await workbench.reading("Hint 1 for");
      await key(workbench, "l", workbench.activeTab("Lesson"));
    },

    "a key runs the tests of what is written, from the lesson, too": async ({ workbench, lineOf }) => {
      const { page } = workbench;
      const lesson = page.locator('.editor-group-container.active .tab.active[aria-label^="Lesson"]');
      await page.keyboard.press("Control+1");
      await workbench.replaceLine(lineOf('NotImplementedError("to_minutes")'), "return 0");
      await workbench.insist(lesson, () => page.keyboard.press("Control+2"));
      await until("the lesson has the keys", () => page.evaluate(IN_PAGE));
      await key(workbench, "c", workbench.errors.first());
    },

    "the menu of a stub resets that one": async (movie) => {
      const { workbench, lineOf } = movie;
      await movie.write("ends_at", "return hour");
      await workbench.goTo(lineOf("return hour"), 6);
      await workbench.contextMenu("Reset to the Stubs");
      await workbench.confirm("Reset ends_at?", "Reset");
      await workbench.code('raise NotImplementedError("ends_at")').waitFor();
      // The cursor goes to its place, which takes the keys from a list that is open.
      await workbench.page.locator('[id="status.editor.selection"]').filter({ hasText: "Col 5" }).waitFor();
    },
  },
});
