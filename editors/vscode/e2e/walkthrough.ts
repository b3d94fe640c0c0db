// From the tutor's view to the walkthrough, and what its steps do.
import type { Locator } from "playwright-core";
import { MOVIE } from "./exercise";
import { AGAIN_MS } from "./lists";
import { Movie } from "./movie";
import { part } from "./part";
import type { Workbench } from "./workbench";

/** How long (ms) what a button does may take to show before it is pressed again. */
const SHOWS_MS = 10_000;

/** Takes a button of a step, which opens the step first, until `shown`. */
async function step(workbench: Workbench, id: string, button: string, shown: Locator): Promise<void> {
  const { page } = workbench;
  const row = page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  const expanded = page.locator(`.getting-started-step.expanded[data-step-id$="#${id}"]`);
  const soon = { timeout: AGAIN_MS };
  // The page is drawn anew when a step is ticked, and a key that comes then is lost.
  const press = async (): Promise<void> => {
    await workbench.insist(expanded, () => row.press("Enter", soon).catch(() => undefined));
    const take = row.getByRole("button", { name: button, exact: true });
    await take.press("Enter", soon).catch(() => undefined);
  };
  await workbench.insist(shown, press, SHOWS_MS);
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
      // The view is drawn anew once the extension is active, which takes the focus from a list.
      await workbench.status.first().waitFor();
      await welcome.getByRole("button", { name: "Start Exercise" }).press("Enter");
      await workbench.pickReady(MOVIE.topic);
      await workbench.page.keyboard.press("Escape");
      await welcome.getByRole("button", { name: "How It Works" }).press("Enter");
      await workbench.page.locator(".gettingStartedContainer .getting-started-step").first().waitFor();
      await workbench.screenshot("walkthrough");
    },

    "its first step leads to the list and opens the exercise": async ({ workbench }) => {
      await step(workbench, "start", "Start Exercise", workbench.row(MOVIE.topic).first());
      await workbench.choose(MOVIE.topic);
      await workbench.activeTab("movie.py").waitFor();
      await workbench.status.filter({ hasText: "0 of 4" }).waitFor();
    },

    "a save ticks its step": async (movie) => {
      const { workbench } = movie;
      // VS Code brings a walkthrough along into the window that it led to, before or after the code.
      await workbench.openFile("exercise/movie.py");
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
      const said = workbench.page.locator(".statusbar").getByText("3 of 11 tests pass");
      await step(workbench, "save", "Run the Tests", said);
      await step(workbench, "hint", "Hint", workbench.activeTab("Hints and reviews"));
      await workbench.reading("Hint 1 for");
      await openWalkthrough(workbench);
      await checked(workbench, "hint").waitFor();
      const refused = workbench.toast("Questions about your code need a model");
      await step(workbench, "hint", "Ask about This Code", refused);
      await workbench.clearToasts();
      await openWalkthrough(workbench);
      const failed = "Not yet: 3 of 11 tests pass";
      await step(workbench, "attempt", "Attempt", workbench.toast(failed));
      await workbench.toastButton(failed, "Hint");
      await workbench.reading("Hint 2 for");
      await openWalkthrough(workbench);
      await checked(workbench, "attempt").waitFor();
    },
  },
});
