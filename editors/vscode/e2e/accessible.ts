// For who cannot see much, or uses no mouse: contrasts in every theme, the order of the keys, and what
// Chromium hands to screen readers.
/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { paleTexts, violations } from "./axe";
import { Movie } from "./movie";
import { part } from "./part";
import { THEMES } from "./pictures";
import { until } from "./waiting";
import type { Workbench } from "./workbench";

/** The class that pages have in a theme, by that of the workbench. */
const IN_PAGES: Record<string, string> = {
  vs: "vscode-light",
  "vs-dark": "vscode-dark",
  "hc-black": "vscode-high-contrast:not(.vscode-high-contrast-light)",
  "hc-light": "vscode-high-contrast-light",
};

/** A thing that screen readers meet. */
interface Spoken {
  role: string;
  name: string;
}

interface Node {
  ignored: boolean;
  role?: { value?: string };
  name?: { value?: string };
}

/** A frame as Chromium's own protocol has it. */
interface Tree {
  frame: { id: string };
  childFrames?: Tree[];
}

function framesOf({ frame, childFrames = [] }: Tree): string[] {
  return [frame.id, ...childFrames.flatMap(framesOf)];
}

/** What Chromium hands to screen readers of a window, pages in it included. */
async function spokenIn(page: Page): Promise<Spoken[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const { frameTree } = (await session.send("Page.getFrameTree")) as { frameTree: Tree };
    const all: Node[] = [];
    for (const frameId of framesOf(frameTree)) {
      // A frame may be gone by now.
      const tree = await session.send("Accessibility.getFullAXTree", { frameId }).catch(() => undefined);
      all.push(...((tree?.nodes ?? []) as Node[]));
    }
    return all
      .filter(({ ignored }) => !ignored)
      .map(({ role, name }) => ({ role: role?.value ?? "", name: name?.value ?? "" }));
  } finally {
    await session.detach();
  }
}

async function isSpoken(page: Page, role: RegExp, name: RegExp): Promise<void> {
  let all: Spoken[] = [];
  await until(`${String(role)} ${String(name)} is spoken`, async () => {
    all = await spokenIn(page);
    return all.some((each) => role.test(each.role) && name.test(each.name));
  }).catch((error: unknown) => {
    const like = all.filter((each) => name.test(each.name));
    throw new Error(`${String(error)}: ${JSON.stringify(like)}`, { cause: error });
  });
}

/** What has the keys in a page without scripts, and how wide (px) the ring around it is. */
async function focused(frame: Frame): Promise<{ text: string; ring: number } | undefined> {
  return frame.parentFrame()?.evaluate(() => {
    const inner = document.querySelector<HTMLIFrameElement>("iframe#active-frame")?.contentDocument;
    const element = inner?.activeElement;
    if (!element || element === inner.body) {
      return undefined;
    }
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const ring = outlineStyle === "none" ? 0 : Number.parseFloat(outlineWidth);
    return { text: element.textContent, ring };
  });
}

async function doctor(workbench: Workbench): Promise<Frame> {
  await workbench.palette("Tutor: Doctor");
  return workbench.pageWith("What works here");
}

/** The page of what was learned; in a browser it is a tab of the editor. */
async function report(workbench: Workbench): Promise<Frame> {
  await workbench.palette("Tutor: Learning Report");
  return workbench.pageWith("Learning report");
}

export const accessible = part<Movie>({
  open: async (stage) => new Movie(stage, await stage.open()),
  scenarios: {
    "the rows of the list are spoken": async ({ workbench }) => {
      await workbench.palette("Tutor: Start Exercise");
      await workbench.pickReady("Functions and return values");
      await isSpoken(workbench.page, /^(option|listitem)$/, /Functions and return values.*10 min/);
      await isSpoken(workbench.page, /^(textbox|combobox|searchbox)$/, /What would you like to work on/);
      await workbench.page.keyboard.press("Escape");
    },

    "a failure is spoken, and so is a hint": async (movie) => {
      await movie.start();
      const { workbench } = movie;
      await movie.write("to_minutes", "return 0");
      await workbench.errors.first().waitFor();
      await workbench.palette("View: Focus Problems");
      await isSpoken(workbench.page, /^treeitem$/, /^Error: .*expected 166/);
      await workbench.palette("View: Hide Panel");
      await workbench.goTo(movie.lineOf("def to_minutes"), 6);
      await workbench.palette("Tutor: Hint");
      await isSpoken(workbench.page, /^tab$/, /^Hints and reviews/);
      await isSpoken(workbench.page, /^heading$/, /^Hint 1 for/);
    },

    "lesson and doctor can be read in every theme": async ({ workbench }, stage) => {
      const page = await doctor(workbench);
      for (const [kind, theme] of Object.entries(THEMES)) {
        await workbench.theme(theme, kind);
        await page.locator(`body.${IN_PAGES[kind]}`).waitFor({ state: "attached" });
        assert.deepEqual(await violations(page), [], theme);
        await workbench.page.screenshot({ path: stage.picture(`doctor, ${kind}`) });
        await workbench.palette("Tutor: Open Lesson");
        const pale = await until("the lesson stays as it is drawn", async () => {
          const lesson = await workbench.lesson();
          const isDrawn = await lesson.locator(`body.${IN_PAGES[kind]}`).count().catch(() => 0);
          // A preview that is being replaced takes its frame away.
          return isDrawn > 0 && paleTexts(lesson).catch(() => undefined);
        });
        assert.deepEqual(pale, [], theme);
        await workbench.page.screenshot({ path: stage.picture(`lesson, ${kind}`) });
      }
    },

    "so can the report, at twice the size and on 400 px, too": async ({ workbench }, stage) => {
      const { page } = workbench;
      const learned = await report(workbench);
      for (const [kind, theme] of Object.entries(THEMES)) {
        await workbench.theme(theme, kind);
        await learned.locator(`body.${IN_PAGES[kind]}`).waitFor({ state: "attached" });
        assert.deepEqual(await violations(learned), [], theme);
        await page.screenshot({ path: stage.picture(`report, ${kind}`) });
      }
      // Twice the size leaves half of the pixels.
      for (const [what, size] of Object.entries({
        "200": { width: 640, height: 400 },
        "400 px": { width: 400, height: 800 },
      })) {
        await page.setViewportSize(size);
        assert.deepEqual(await violations(learned), [], what);
        await page.screenshot({ path: stage.picture(`report, ${what}`) });
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await workbench.palette("View: Close Editor");
    },

    "the doctor's page is gone through in its order, with a ring around what has the keys": async ({
      workbench,
    }) => {
      const frame = await doctor(workbench);
      const links = await frame.getByRole("link").allTextContents();
      assert.ok(links.length > 4);
      await frame.getByRole("link").first().focus();
      for (const link of links) {
        const { text, ring } = await until("something has the keys", () => focused(frame));
        assert.equal(text, link);
        assert.ok(ring >= 1, `no ring around ${link}`);
        await workbench.page.keyboard.press("Tab");
      }
    },

    "the doctor's page can be used at twice the size, and its buttons by keys": async ({ workbench }) => {
      const { page } = workbench;
      const frame = await doctor(workbench);
      await workbench.screenshot("doctor");
      await page.setViewportSize({ width: 640, height: 400 });
      assert.deepEqual(await violations(frame), []);
      await workbench.screenshot("doctor-200");
      await page.setViewportSize({ width: 1280, height: 800 });
      await frame.getByRole("link", { name: "Open Setting codex.command" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Program name or path of the Codex CLI").first().waitFor();
    },
  },
});
