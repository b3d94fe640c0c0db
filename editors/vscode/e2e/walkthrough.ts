// From the tutor's view to the walkthrough, and what its steps do.
import type { Locator } from "playwright-core";
import { MOVIE } from "./exercise";
import { Movie } from "./movie";
import { part } from "./part";
import type { Workbench } from "./workbench";

/** Takes a button of a step, which opens the step first. */
async function step(workbench: Workbench, id: string, button: string): Promise<void> {
  const { page } = workbench;
  const row = page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  await workbench.insist(page.locator(`.getting-started-step.expanded[data-step-id$="#${id}"]`), () =>
    row.press("Enter"),
  );
  await row.getByRole("button", { name: button, exact: true }).press("Enter");
}

function checked(workbench: Workbench, id: string): Locator {
  return workbench.page.locator(
    `.getting-started-step[data-step-id$="#${id}"] .codicon-getting-started-step-checked`,
  );
}

async function openWalkthrough(workbench: Workbench): Promise<void> {
  await workbench.palette("Welcome: Open Walkthrough...");
  await workbench.choose("Learn with the Tutor");
  await workbench.page.locator(".gettingStartedContainer .getting-started-step").first().waitFor();
}

export const walkthrough = part<Movie>({
  open: async (stage) => new Movie(stage, await stage.open()),
  scenarios: {
    "the empty view leads to the list and to the walkthrough": async ({ workbench }) => {
      await workbench.palette("Tutor: Focus on Exercise View");
      const welcome = workbench.page.locator(".part.sidebar .welcome-view-content");
      await welcome.getByRole("button", { name: "Start Exercise" }).press("Enter");
      await workbench.pickReady(MOVIE.topic);
      await workbench.page.keyboard.press("Escape");
      await welcome.getByRole("button", { name: "How It Works" }).press("Enter");
      await workbench.page.locator(".gettingStartedContainer .getting-started-step").first().waitFor();
      await workbench.screenshot("walkthrough");
    },

    "its first step leads to the list and opens the exercise": async ({ workbench }) => {
      await step(workbench, "start", "Start Exercise");
      await workbench.choose(MOVIE.topic);
      await workbench.activeTab("movie.py").waitFor();
      await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
    },

    "a save ticks its step": async (movie) => {
      const { workbench } = movie;
      await movie.write("to_minutes");
      await workbench.status.filter({ hasText: "1 of 4" }).waitFor();
      await workbench.sectionOnTop("Functions that use functions");
      await openWalkthrough(workbench);
      await checked(workbench, "save").waitFor();
    },

    "the other steps run the tests, give a hint, ask, attempt": async (movie) => {
      const { workbench } = movie;
      await openWalkthrough(workbench);
      await checked(workbench, "start").waitFor();
      await step(workbench, "save", "Run the Tests");
      await workbench.page.locator(".statusbar").getByText("3 of 11 tests pass").waitFor();
      await step(workbench, "hint", "Hint");
      await workbench.reading("Hint 1 for");
      await openWalkthrough(workbench);
      await checked(workbench, "hint").waitFor();
      // The page is drawn anew when a step is ticked, and a key that comes then is lost.
      await workbench.insist(workbench.toast("Questions about your code need a model"), () =>
        step(workbench, "hint", "Ask about This Code"),
      );
      await workbench.clearToasts();
      await openWalkthrough(workbench);
      await step(workbench, "attempt", "Attempt");
      const toast = workbench.toast("Not yet: 3 of 11 tests pass");
      await workbench.toastButton(toast, "Hint");
      await workbench.reading("Hint 2 for");
      await openWalkthrough(workbench);
      await checked(workbench, "attempt").waitFor();
    },
  },
});
