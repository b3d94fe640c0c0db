// What a learner sees after a wrong answer, in three sizes and four kinds of themes: the line, what is
// wrong with it and the section of the lesson are on the screen, and nothing covers them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { SOLUTIONS } from "./exercise";
import { type Behind, frameOf, isInside, lettersOf, textsBehind } from "./geometry";
import { part, type Registered } from "./part";
import type { Size, Stage } from "./stage";
import { until } from "./waiting";
import type { Workbench } from "./workbench";

/** As the list of themes has them, by the class that the workbench has in them. */
export const THEMES: Record<string, string> = {
  vs: "Light Modern",
  "vs-dark": "Dark Modern",
  "hc-black": "Dark High Contrast",
  "hc-light": "Light High Contrast",
};

/** As an editor is that nobody has set up: the tutor's window differs from these. */
const SETTINGS = { "editor.fontSize": 14, "editor.minimap.enabled": true, "breadcrumbs.enabled": true };

interface Answer {
  /** Title of the exercise, as its row of the list has it. */
  title: string;
  file: string;
  /** What is written in the first places, and passes; the last one does not. */
  lines: string[];
  /** Part of what is said of it. */
  failure: RegExp;
}

const SIZES: Record<string, Size> = {
  "1280x800": { width: 1280, height: 800, scale: 1 },
  "1024x700": { width: 1024, height: 700, scale: 1 },
  // 1280×800 at 150 %.
  "150%": { width: 853, height: 533, scale: 1.5 },
};

const PYTHON: Answer = {
  title: "Movie night",
  file: "movie.py",
  lines: ["return hours * 60 - minutes"],
  failure: /expected 166/,
};
const LATER: Answer = {
  title: "Movie night",
  file: "movie.py",
  lines: [SOLUTIONS.to_minutes ?? "", "return to_minutes(hour, minute) - length"],
  failure: /ends_at/,
};
const RUST: Answer = {
  title: "Split the bill",
  file: "lib.rs",
  lines: ["bill * percent / 10"],
  failure: /expected/,
};
const C: Answer = {
  title: "Kitchen timer",
  file: "timer.c",
  lines: ["return minutes + seconds;"],
  failure: /expected/,
};

const ANSWERS: Record<string, Record<string, Answer>> = {
  "1280x800": { python: PYTHON, rust: RUST },
  "1024x700": { c: C, "python, second step": LATER },
  "150%": { rust: RUST },
};

/** What is said behind the code, all of it to be seen. */
async function failureInView(workbench: Workbench, failure: RegExp): Promise<void> {
  let seen: Behind[] = [];
  await until(`${String(failure)} is in view behind the code`, async () => {
    seen = (await textsBehind(workbench.page)).filter(({ text }) => failure.test(text));
    return seen.some((each) => each.free && isInside(each, each.view));
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(seen)}`, { cause: error });
  });
}

async function lineInView(workbench: Workbench, text: string): Promise<void> {
  const { own, view, free } = await lettersOf(workbench.code(text));
  assert.ok(isInside(own, view), `${text} is not in view: ${JSON.stringify({ own, view })}`);
  assert.ok(free, `${text} is covered`);
}

async function sectionInView(workbench: Workbench): Promise<void> {
  await until("the heading of the step's section is in view", async () => {
    const frame = await workbench.lesson();
    // A preview that is being replaced has no place.
    const around = await frameOf(workbench.page, frame).catch(() => undefined);
    const heading = await frame.locator(".tutor-step").boundingBox().catch(() => null);
    if (around === undefined || heading === null) {
      return false;
    }
    const { x, y, width, height } = heading;
    const box = { left: x, top: y, right: x + width, bottom: y + height };
    return around.free && isInside(box, around.box);
  });
}

/** The window is the exercise's, and the learner's settings are as they were. */
async function isFocused({ page }: Workbench): Promise<void> {
  await page.locator(".minimap:visible").waitFor({ state: "detached" });
  await page.locator(".breadcrumbs-below-tabs:visible").waitFor({ state: "detached" });
  await page.locator(".part.auxiliarybar:visible").waitFor({ state: "detached" });
}

async function play(workbench: Workbench, stage: Stage, name: string, answer: Answer): Promise<void> {
  const { page } = workbench;
  await workbench.palette("Tutor: Start Exercise");
  await workbench.choose(answer.title);
  await workbench.activeTab(answer.file).waitFor();
  await workbench.infos.first().waitFor();
  await workbench.lesson();
  await isFocused(workbench);
  await page.screenshot({ path: stage.picture(`${name}, opened`) });
  for (const [index, line] of answer.lines.entries()) {
    if (index > 0) {
      const place = page.locator('[id="status.editor.selection"]');
      const before = await place.textContent();
      await workbench.palette("Tutor: Open Stub");
      await until("the cursor is in the next stub", async () => (await place.textContent()) !== before);
    }
    // The cursor is where it is to be written.
    await workbench.focusCode();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Home");
    await page.keyboard.insertText(line);
    await workbench.save();
    // Words that are offered are in the way as long as somebody types.
    const offered = page.locator(".suggest-widget.visible");
    await until("nothing is offered any more", async () => {
      await page.keyboard.press("Escape");
      return (await offered.count()) === 0;
    });
    if (index < answer.lines.length - 1) {
      await workbench.status.filter({ hasText: new RegExp(`${index + 1} of`) }).waitFor();
    }
  }
  const before = readFileSync(stage.userSettings, "utf8");
  for (const [kind, theme] of Object.entries(THEMES)) {
    await workbench.theme(theme, kind);
    await failureInView(workbench, answer.failure);
    await lineInView(workbench, answer.lines.at(-1) ?? "");
    await sectionInView(workbench);
    await page.screenshot({ path: stage.picture(`${name}, ${kind}`) });
  }
  assert.match(before, /"editor.minimap.enabled": true/);
}

export const pictures: Registered = (name, world) => {
  for (const [size, answers] of Object.entries(ANSWERS)) {
    const viewport = SIZES[size];
    const scenarios = Object.entries(answers).map(([what, answer]) => [
      `${size}: the line, its failure and the lesson's section are in view in every theme (${what})`,
      async (_: undefined, stage: Stage): Promise<void> => {
        stage.setUser(SETTINGS);
        const workbench = await stage.open();
        await play(workbench, stage, `${size}, ${what}`, answer);
        await workbench.page.close();
      },
    ]);
    part<undefined>({
      options: () => ({ settings: SETTINGS, ...(viewport && { size: viewport }) }),
      open: () => Promise.resolve(undefined),
      scenarios: Object.fromEntries(scenarios) as Record<string, (own: undefined, stage: Stage) => Promise<void>>,
    })(`${name} ${size.replace("%", "")}`, world);
  }
};
