// What axe-core finds in a page that the extension has filled, or has a part in.
/// <reference lib="dom" />
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { ROOT } from "./host";

const AXE = join(ROOT, "node_modules", "axe-core", "axe.min.js");

type Run = (options?: object) => Promise<{ violations: Found[] }>;

interface Found {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/**
 * Violations of WCAG A and AA and of axe's own best practice, one per line. The page runs no scripts,
 * so what it is made of, the theme's colours included, is looked at in a page of its own.
 */
export async function violations(frame: Frame): Promise<string[]> {
  const outer = frame.parentFrame();
  const html = await outer?.evaluate(() => {
    const inner = document.querySelector<HTMLIFrameElement>("iframe#active-frame");
    return inner?.contentDocument?.documentElement.outerHTML;
  });
  assert.ok(html !== undefined, "the page is there");
  assert.match(html, /--vscode-button-background/, "the theme's colours are there");
  const page = await frame.page().context().newPage();
  try {
    await page.setViewportSize(frame.page().viewportSize() ?? { width: 640, height: 400 });
    await page.setContent(html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ""));
    // A page lies over the editor's own background.
    await page.addStyleTag({ content: "html { background: var(--vscode-editor-background) }" });
    return await violationsIn(page);
  } finally {
    await page.close();
  }
}

/** The same of a page as it stands, which lets scripts in. */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: Run } };
    return (await axe.run()).violations;
  });
  const isWide = await page.evaluate(() => document.body.scrollWidth > document.documentElement.clientWidth);
  return [...(isWide ? ["it must be scrolled sideways"] : []), ...lines(found)];
}

/** Texts of a page that are too pale, one per line: of one that may run scripts, as it stands. */
export async function paleTexts(frame: Frame): Promise<string[]> {
  await frame.evaluate(readFileSync(AXE, "utf8"));
  const found = await frame.evaluate(async () => {
    document.documentElement.style.background = "var(--vscode-editor-background)";
    const { axe } = globalThis as unknown as { axe: { run: Run } };
    return (await axe.run({ runOnly: ["color-contrast"] })).violations;
  });
  return lines(found);
}

function lines(found: readonly Found[]): string[] {
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${html} ${failureSummary}`),
  );
}
