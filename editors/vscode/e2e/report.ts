// The learning report as a browser shows it by itself, outside of any editor: light and dark, wide, on
// 400 px and in print.
/// <reference lib="dom" />
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { violationsIn } from "./axe";
import { passedLongAgo } from "./due";
import { made } from "./exercise";
import { SERVER } from "./host";
import { part } from "./part";
import type { Stage } from "./stage";

/** Gives the topic that was passed something to watch for. */
const SEEN = `
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as record:
    record.execute("""UPDATE nodes SET body = json_set(body, '$.tags', json('{"missing-return": {"count": 4}}'))""")
    assert record.total_changes == 1
`;

/** Where the keys stop; what is folded waits. */
const STOPS = "a:visible, summary:visible, .scroll:visible";
const SCHEMES = ["light", "dark"] as const;
const SIZES = { wide: { width: 1280, height: 900 }, "400 px": { width: 400, height: 800 } };

/** A record with something in every part of the page. */
function learn(stage: Stage): void {
  passedLongAgo(stage);
  const { home } = stage;
  execFileSync("python3", ["-c", SEEN, join(home, "tutor.db")]);
  const { workspace } = made(home, "c-functions");
  for (const verb of ["attempt", "hint"]) {
    // An attempt that does not pass ends with 3.
    try {
      execFileSync(SERVER, [verb, "--home", home, "--json"], { cwd: workspace });
    } catch (error) {
      assert.equal((error as { status: unknown }).status, 3);
    }
  }
  execFileSync(SERVER, ["report", "--home", home, "--json"]);
}

/** The page, with everything opened that is folded. */
async function opened(context: BrowserContext, stage: Stage): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`file://${join(stage.home, "report.html")}`);
  await page.evaluate(() => {
    document.querySelectorAll("details").forEach((each) => {
      each.open = true;
    });
  });
  return page;
}

export const report = part<BrowserContext>({
  open: async (stage) => {
    learn(stage);
    // The page forbids scripts, axe-core's included.
    return stage.context.browser()?.newContext({ bypassCSP: true }) ?? stage.context;
  },
  scenarios: {
    "nothing is wrong with it in either scheme and at either width": async (context, stage) => {
      const page = await opened(context, stage);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        for (const [what, size] of Object.entries(SIZES)) {
          await page.setViewportSize(size);
          assert.deepEqual(await violationsIn(page), [], `${colorScheme}, ${what}`);
          await page.screenshot({ path: stage.picture(`report page, ${colorScheme}, ${what}`), fullPage: true });
        }
      }
      await page.close();
    },

    "nor in print, nor in forced colours": async (context, stage) => {
      const page = await opened(context, stage);
      await page.emulateMedia({ media: "print" });
      assert.deepEqual(await violationsIn(page), []);
      await page.emulateMedia({ media: "screen", forcedColors: "active" });
      assert.deepEqual(await violationsIn(page), []);
      await page.screenshot({ path: stage.picture("report page, forced colours"), fullPage: true });
      await context.close();
    },

    "everything on it can be reached by keys": async (_, stage) => {
      const page = await stage.context.newPage();
      await page.goto(`file://${join(stage.home, "report.html")}`);
      const wanted = await page.locator(STOPS).count();
      const reached = new Set<string>();
      for (let at = 0; at < 3 * wanted && reached.size < wanted; at += 1) {
        await page.keyboard.press("Tab");
        const [name, ring] = await page.evaluate(() => {
          const there = document.activeElement;
          const all = [...document.querySelectorAll("a, summary, .scroll")];
          const { outlineStyle, outlineWidth } = getComputedStyle(there ?? document.body);
          return [String(all.indexOf(there ?? document.body)), outlineStyle === "none" ? "" : outlineWidth];
        });
        if (name !== "-1") {
          assert.match(ring, /^[1-9]/, `no ring around ${name}`);
          reached.add(name);
        }
      }
      assert.equal(reached.size, wanted);
      await page.close();
    },
  },
});
