// Topics that are due for review are told by a badge, in a window on nothing, and in one on an exercise.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MOVIE, SOLUTIONS } from "./exercise";
import { SERVER } from "./host";
import { part } from "./part";
import type { Stage } from "./stage";
import type { Workbench } from "./workbench";

/** Sets when topics are due back to long ago. */
const LATER = `
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as record:
    record.execute("UPDATE nodes SET body = json_set(body, '$.card.due', '2020-01-01T00:00:00Z')")
    assert record.total_changes == 1
`;

/** An exercise that was passed so long ago that its topic is due. */
export function passedLongAgo({ home }: Stage): void {
  const folder = join(home, MOVIE.folder);
  execFileSync(SERVER, ["start", "--home", home, "--node", MOVIE.node, "--json"]);
  const file = join(folder, MOVIE.file);
  const solved = Object.entries(SOLUTIONS).reduce(
    (text, [stub, line]) => text.replace(`raise NotImplementedError("${stub}")`, line),
    readFileSync(file, "utf8"),
  );
  writeFileSync(file, solved);
  execFileSync(SERVER, ["attempt", "--home", home, "--json"], { cwd: folder });
  execFileSync("python3", ["-c", LATER, join(home, "tutor.db")]);
}

/** The mark on the tutor's icon, and its words. */
async function badgeSays({ page }: Workbench): Promise<void> {
  const icon = page.locator('.activitybar .action-item:has(a[aria-label^="Tutor"])');
  await icon.locator(".badge-content").filter({ hasText: /^1$/ }).waitFor();
  await icon.locator('a[aria-label*="1 topic is due for review"]').waitFor();
}

export const due = part<undefined>({
  open: (stage) => {
    passedLongAgo(stage);
    return Promise.resolve(undefined);
  },
  scenarios: {
    "a window on nothing shows how many topics are due, and leads to them": async (_, stage) => {
      const empty = await stage.open();
      await badgeSays(empty);
      await empty.palette("Tutor: Focus on Exercise View");
      await empty.spoken("1 topic is due for review").waitFor();
      await empty.screenshot("due");
      const list = empty.row("Functions and return values").first();
      await empty.takeRow("Tutor: Focus on Exercise View", "1 topic is due for review", list);
      await empty.screenshot("due-list");
      await empty.page.close();
    },

    "so does a window on an exercise, with the side bar on something else": async (_, stage) => {
      const movie = await stage.open(join(stage.home, MOVIE.folder));
      await badgeSays(movie);
      await movie.palette("File: Focus on Files Explorer");
      await badgeSays(movie);
      await movie.page.close();
    },
  },
});
