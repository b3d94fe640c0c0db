// Where things stand on the screen, as the browser has drawn them.
/// <reference lib="dom" />
import type { Frame, Locator, Page } from "playwright-core";

/** In CSS pixels of the window. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How much (px) of a line may lie beyond an edge: rounding, not letters. */
const TOLERANCE_PX = 1;

export function isInside(inner: Box, outer: Box): boolean {
  return (
    inner.left >= outer.left - TOLERANCE_PX &&
    inner.top >= outer.top - TOLERANCE_PX &&
    inner.right <= outer.right + TOLERANCE_PX &&
    inner.bottom <= outer.bottom + TOLERANCE_PX
  );
}

/** A text behind a line of code, as the browser has it. */
export interface Behind extends Box {
  text: string;
  /** What of the line is text of the file, right above or before it. */
  line: string;
  /** What can be seen of the editor's text. */
  view: Box;
  /** Whether it is on top where it stands, at both of its ends. */
  free: boolean;
}

/** All texts that stand behind lines of code. */
export function textsBehind(page: Page): Promise<Behind[]> {
  return page.evaluate(() => {
    const box = ({ left, top, right, bottom }: DOMRect): Box => ({ left, top, right, bottom });
    return [...document.querySelectorAll<HTMLElement>(".editor-instance .view-line span span")].flatMap((span) => {
      const { content } = getComputedStyle(span, "::after");
      const view = span.closest(".editor-scrollable");
      if (content === "none" || content === "normal" || view === null) {
        return [];
      }
      const own = span.getBoundingClientRect();
      const middle = (own.top + own.bottom) / 2;
      const free = [own.left + 2, own.right - 2].every((x) => document.elementFromPoint(x, middle) === span);
      const line = span.closest(".view-line")?.textContent ?? "";
      return [{ ...box(own), text: content.slice(1, -1), line, view: box(view.getBoundingClientRect()), free }];
    });
  });
}

/** The letters of an element, what can be seen of what it scrolls in, and whether it is on top. */
export function lettersOf(line: Locator): Promise<{ own: Box; view: Box; free: boolean }> {
  return line.evaluate((element) => {
    const box = ({ left, top, right, bottom }: DOMRect): Box => ({ left, top, right, bottom });
    const range = document.createRange();
    range.selectNodeContents(element);
    const own = range.getBoundingClientRect();
    const scrolls = element.closest(".editor-scrollable");
    const view = scrolls?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
    const middle = (own.top + own.bottom) / 2;
    // A light bulb may stand over the indentation.
    const free = [0.5, 0.75, 0.95].every((part) => {
      const there = document.elementFromPoint(own.left + part * (own.right - own.left), middle);
      return there !== null && element.contains(there);
    });
    return { own: box(own), view: box(view), free };
  });
}

/** Where a preview's frame stands in the window, and whether it is on top in its middle. */
export async function frameOf(page: Page, frame: Frame): Promise<{ box: Box; free: boolean } | undefined> {
  const outer = frame.parentFrame();
  const element = await (outer ?? frame).frameElement();
  const found = await element.boundingBox();
  if (found === null) {
    return undefined;
  }
  const { x, y, width, height } = found;
  const free = await page.evaluate(
    ([left = 0, top = 0]) => document.elementFromPoint(left, top)?.tagName === "IFRAME",
    [x + width / 2, y + height / 2],
  );
  return { box: { left: x, top: y, right: x + width, bottom: y + height }, free };
}
