// The lists and boxes at the top of VS Code: the palette, choices, questions; by keyboard.
/// <reference lib="dom" />
import type { Locator, Page } from "playwright-core";
import { PATIENCE_MS, until } from "./waiting";

/** After this long (ms) a key that VS Code may have swallowed is pressed again. */
export const AGAIN_MS = 2_000;

export class Lists {
  constructor(readonly page: Page) {}

  /** Does `press` again and again until `shown` is there: keys in a busy moment are lost. */
  async insist(shown: Locator, press: () => Promise<unknown>, again = AGAIN_MS): Promise<void> {
    await until(`${String(shown)} is shown`, async () => {
      if (await shown.isVisible()) {
        return true;
      }
      await press();
      return shown.waitFor({ timeout: again }).then(
        () => true,
        () => false,
      );
    });
  }

  /**
   * Goes down a list or menu until the row `wanted` has the focus, which one of `rows` has: a key that
   * comes before the focus has moved would go past it. `missing` is done first where it is not there.
   */
  protected async down(wanted: Locator, rows: Locator, missing?: () => Promise<unknown>): Promise<void> {
    const at = (): Promise<string> =>
      rows.evaluateAll((all) => all.map((row) => `${row.dataset.index ?? ""} ${row.textContent}`).join());
    await until(`${String(wanted)} has the focus`, async () => {
      if ((await wanted.count()) > 0) {
        return true;
      }
      await missing?.();
      const before = await at();
      await this.page.keyboard.press("ArrowDown");
      // A list of one row stays where it is, and one that is filled anew takes no key.
      const moved = until("the focus has moved", async () => (await at()) !== before, AGAIN_MS);
      await moved.catch(() => undefined);
      return false;
    });
  }

  protected get quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  /** Runs a command from the palette by its full title. */
  async palette(title: string): Promise<void> {
    const input = this.quickInput.locator("input.input");
    // The list is made when something is typed; commands of extensions may come later, and a list
    // closes when a document that is being shown takes the keys.
    await this.choose(title, "*=", async () => {
      const soon = { timeout: AGAIN_MS };
      await this.page.keyboard.press("F1");
      await input.waitFor(soon).catch(() => undefined);
      await input.fill(">", soon).catch(() => undefined);
      await input.fill(`>${title}`, soon).catch(() => undefined);
    });
  }

  /** A row of the open list that contains `label`, or with `^=` begins with it. */
  row(label: string, how = "*=", state = ""): Locator {
    return this.quickInput.locator(`.monaco-list-row${state}[aria-label${how}${quoted(label)}]`);
  }

  /** All rows of the open list, as screen readers get them. */
  async rows(): Promise<string[]> {
    const rows = await this.quickInput.locator(".monaco-list-row").all();
    return Promise.all(rows.map(async (row) => (await row.getAttribute("aria-label")) ?? ""));
  }

  /** Goes down the list, which `open` opens anew if it is gone, to the row with `label`; takes it. */
  async choose(label: string, how = "*=", open?: () => Promise<unknown>): Promise<void> {
    const wanted = this.row(label, how).first();
    const there = (): Promise<void> => (open === undefined ? wanted.waitFor() : this.insist(wanted, open));
    await there();
    const focused = this.quickInput.locator(".monaco-list-row.focused");
    await this.down(this.row(label, how, ".focused"), focused, there);
    await this.page.keyboard.press("Enter");
  }

  /** Waits until the open list has a row with `label`. */
  async pickReady(label: string, timeout = PATIENCE_MS): Promise<void> {
    await this.row(label).first().waitFor({ timeout });
  }

  /** Answers an open question in words. */
  async answer(question: string, text: string): Promise<void> {
    await this.quickInput.filter({ hasText: question }).waitFor();
    await this.quickInput.locator("input.input").fill(text);
    await this.page.keyboard.press("Enter");
    await this.quickInput.filter({ hasText: question }).waitFor({ state: "hidden" });
  }
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}
