// A window in a made-up language, whose letters are none of English: whatever the tutor says in it comes
// from the catalogue, and is all there in a small window.
/// <reference lib="dom" />
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Locator } from "playwright-core";
import { Host, ROOT, SERVER } from "./host";
import { MOVIE } from "./exercise";
import { kept, type Registered, type World } from "./part";
import { Stage } from "./stage";
import { until } from "./waiting";
import type { Workbench } from "./workbench";

const LANGUAGE = "de";
const LIMIT_MS = 300_000;
const PYTHON = join(ROOT, "..", "..", ".venv", "bin", "python");
const MADE_UP = join(ROOT, "e2e", "translated.py");
const SIZE = { width: 1024, height: 700, scale: 1 };

type Texts = Record<string, string>;

/** The editor in that language: its own texts have no translation. */
function speak(data: string): void {
  mkdirSync(data, { recursive: true });
  const own = join(data, "own.i18n.json");
  writeFileSync(own, JSON.stringify({ version: "1.0.0", contents: {} }));
  const extensions = [{ extensionIdentifier: { id: "made.up" }, version: "1.0.0" }];
  const pack = { hash: "made-up", extensions, translations: { vscode: own }, label: LANGUAGE };
  writeFileSync(join(data, "languagepacks.json"), JSON.stringify({ [LANGUAGE]: pack }));
}

/** Puts the translation into the installed extension, and gives a server that speaks it. */
function translate(host: Host): string {
  const locales = execFileSync(PYTHON, [MADE_UP, host.folder], { encoding: "utf8" }).trim();
  const extension = host.installed("tutor-lsp.tutor-lsp");
  execFileSync(PYTHON, [join(ROOT, "scripts", "l10n.py"), extension, locales]);
  const server = join(host.folder, "server");
  writeFileSync(server, `#!/bin/sh\nTEXTDOMAINDIR="${locales}" exec "${SERVER}" "$@"\n`, { mode: 0o755 });
  return server;
}

/** The titles of the extension's commands in that language, with their category. */
function titlesOf(host: Host): (command: string) => string {
  const file = join(host.installed("tutor-lsp.tutor-lsp"), `package.nls.${LANGUAGE}.json`);
  const texts = JSON.parse(readFileSync(file, "utf8")) as Texts;
  return (command) => {
    const title = texts[`commands.tutorLsp.${command}.title`];
    assert.ok(title !== undefined, command);
    return `${texts.category ?? ""}: ${title}`;
  };
}

/** All that was read so far. */
const read: string[] = [];

/** Keeps the texts of what is on the screen, by lines; at least one has to be there. */
async function note(what: string, place: Locator): Promise<void> {
  const texts = await until(`${what} says something`, async () => {
    const all = (await place.allInnerTexts()).flatMap((text) => text.split("\n"));
    return all.some((text) => /[^\s\d]{3}/.test(text)) ? all : undefined;
  });
  read.push(...texts.map((text) => text.trim()).filter((text) => text !== ""));
}

/** What the tutor adds to a window on its exercise. */
async function noteWindow({ page, status }: Workbench): Promise<void> {
  await note("the status bar", status);
  await note("the lenses", page.locator(".codelens-decoration"));
  await note("the tabs of lesson and coach", page.locator(".tab .label-name"));
}

export const translated: Registered = (name: string, world: () => World) => {
  describe(name, () => {
    let host: Host;
    let stage: Stage;
    let title: (command: string) => string;

    before(async () => {
      host = await Host.start("translated", { language: LANGUAGE, prepare: speak });
      const server = translate(host);
      title = titlesOf(host);
      const machine = { "tutor.server.command": server };
      stage = await Stage.begin("translated", { host, browser: world().browser }, { machine, size: SIZE });
      execFileSync(server, ["start", "--home", stage.home, "--node", MOVIE.node, "--json"], {
        env: { ...process.env, LANGUAGE },
      });
    });
    after(async () => {
      await stage.end();
      await host.stop();
    });

    test("nothing that the tutor says is English, or cut off", { timeout: LIMIT_MS }, () =>
      kept(stage, "translated", () => play(stage, title)),
    );
  });
};

async function play(stage: Stage, title: (command: string) => string): Promise<void> {
  const empty = await stage.open();
  const picture = (of: Workbench, what: string): Promise<unknown> =>
    of.page.screenshot({ path: stage.picture(`translated, ${what}`) });
  await empty.status.filter({ hasText: "⟦" }).waitFor();
  await note("the status bar of an empty window", empty.status);
  await empty.palette(title("start"));
  const rowsOf = (of: Workbench): Locator => of.page.locator(".quick-input-widget .monaco-list-row");
  await rowsOf(empty).filter({ hasText: "Movie night" }).first().waitFor();
  await note("the list", rowsOf(empty));
  const input = empty.page.locator(".quick-input-widget input.input");
  read.push((await input.getAttribute("placeholder")) ?? "");
  await picture(empty, "list");
  await empty.page.close();

  const workbench = await stage.open(join(stage.home, MOVIE.folder));
  const { page } = workbench;
  await workbench.lenses.first().waitFor();
  await workbench.status.filter({ hasText: "0" }).waitFor();
  await noteWindow(workbench);
  await note("the step in the lesson", (await workbench.lesson()).locator(".tutor-step-line"));
  await picture(workbench, "opened");

  await workbench.focusCode();
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Home");
  await page.keyboard.insertText("return 0");
  await workbench.save();
  await workbench.errors.first().waitFor();
  await noteWindow(workbench);
  await workbench.goTo(11, 6);
  await workbench.showHover("ex-1");
  await note("the hover", workbench.hover);
  await picture(workbench, "hover");
  await page.keyboard.press("Escape");
  await workbench.goTo(11, 6);
  await note("the code actions", await workbench.codeActions());
  await picture(workbench, "actions");
  await page.keyboard.press("Escape");

  await workbench.palette(title("hint"));
  await workbench.reading("Ĥíñť 1");
  await workbench.palette(title("status"));
  await rowsOf(workbench).first().waitFor();
  await note("the status", rowsOf(workbench));
  await page.keyboard.press("Escape");
  await noteWindow(workbench);
  await picture(workbench, "hint");

  await workbench.palette(title("doctor"));
  const doctor = await until("the doctor's page is there", async () => {
    for (const frame of page.frames()) {
      if ((await frame.locator(".buttons").count().catch(() => 0)) > 0) {
        return frame;
      }
    }
    return undefined;
  });
  await note("the doctor's buttons", doctor.locator("h1, h2, a, dt"));
  const isWide = await doctor.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.ok(!isWide, "the doctor's page must be scrolled sideways");
  await picture(workbench, "doctor");
  await page.keyboard.press("Control+F4");

  const sideBar = page.locator(".part.sidebar");
  await page.locator('.activitybar .action-item a[aria-label*="Ť"]').first().click();
  await note("the views", sideBar.locator(".pane-header .title, .monaco-list-row"));
  await picture(workbench, "views");

  const english = execFileSync(PYTHON, [MADE_UP], { input: JSON.stringify([...new Set(read)]), encoding: "utf8" });
  assert.deepEqual(JSON.parse(english), []);
  await page.close();
}
