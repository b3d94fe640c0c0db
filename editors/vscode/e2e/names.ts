// Rows of the Tutor view on a small screen: what a step or a test is called is there to the last letter.
/// <reference lib="dom" />
import assert from "node:assert/strict";
import { STUBS } from "./exercise";
import { Movie } from "./movie";
import { part } from "./part";
import { until } from "./waiting";

/** A row's name, and by how many pixels it is cut. */
interface Name {
  name: string;
  cut: number;
}

/** The names in the side bar; what is said behind a name may be cut, and is whole in its tooltip. */
async function names({ workbench }: Movie): Promise<Name[]> {
  const labels = workbench.page.locator(".part.sidebar .monaco-list-row .monaco-icon-label-container");
  return labels.evaluateAll((all) =>
    all.map((container) => {
      const name = container.querySelector(".monaco-icon-name-container") ?? container;
      const right = name.getBoundingClientRect().left + name.scrollWidth;
      // It is cut by itself, or by the end of its row.
      const own = name.scrollWidth - name.clientWidth;
      const end = right - container.getBoundingClientRect().right;
      return { name: name.textContent, cut: Math.round(Math.max(own, end, 0)) };
    }),
  );
}

export const whole = part<Movie>({
  options: () => ({ size: { width: 1024, height: 700, scale: 1 } }),
  open: async (stage) => new Movie(stage, await stage.open()),
  scenarios: {
    "steps, tests and attempts are called by their whole names": async (movie, stage) => {
      await movie.start();
      const { workbench } = movie;
      await movie.write("to_minutes", "return 0");
      await workbench.errors.first().waitFor();
      await workbench.palette("Tutor: Focus on Exercise View");
      await workbench.spoken("gave 0, expected 166").waitFor();
      for (const stub of STUBS.slice(1)) {
        await workbench.toRow("Tutor: Focus on Exercise View", stub);
        await workbench.page.keyboard.press("ArrowRight");
      }
      const found = await until("tests are in the view", async () => {
        const all = await names(movie);
        // Four steps with at least two tests each, and what stands around them.
        return all.length >= 1 + STUBS.length * 3 && all;
      });
      await workbench.page.screenshot({ path: stage.picture("names, 1024") });
      assert.deepEqual(
        found.filter(({ cut }) => cut > 0),
        [],
        JSON.stringify(found),
      );
    },
  },
});
