// What a learner does in VS Code, by keyboard; every wait is for a state, never for a time.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { ARTEFACTS } from "./host";

/** Longest wait for anything, in milliseconds; far more than it takes. */
export const PATIENCE_MS = 60_000;
/** After this long (ms) a key that VS Code may have swallowed is pressed again. */
const AGAIN_MS = 2_000;

/** Looks until `holds` gives something, which is the answer. */
export async function until<T>(
  what: string,
  holds: () => Promise<T | undefined | false> | T | undefined | false,
  patience = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patience;
  for (;;) {
    const found = await holds();
    if (found !== undefined && found !== false) {
      return found;
    }
    assert.ok(Date.now() < deadline, `${what}: not within ${patience / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export class Workbench {
  constructor(readonly page: Page) {}

  /** Waits until the workbench takes keys. */
  async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench .part.statusbar .statusbar-item").first().waitFor();
    await this.page.locator(".monaco-workbench .activitybar .action-item").first().waitFor();
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(ARTEFACTS, `${name}.png`) });
  }

  /** Does `press` again and again until `shown` is there: keys in a busy moment are lost. */
  async insist(shown: Locator, press: () => Promise<unknown>): Promise<void> {
    await until(`${String(shown)} is shown`, async () => {
      if (await shown.isVisible()) {
        return true;
      }
      await press();
      return shown.waitFor({ timeout: AGAIN_MS }).then(
        () => true,
        () => false,
      );
    });
  }

  private get quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  /** Runs a command from the palette by its full title. */
  async palette(title: string): Promise<void> {
    const input = this.quickInput.locator("input.input");
    await this.insist(input, () => this.page.keyboard.press("F1"));
    // The list is made when something is typed; commands of extensions may come later.
    await this.insist(this.row(title).first(), async () => {
      await input.fill(">");
      await input.fill(`>${title}`);
    });
    await this.choose(title);
  }

  private row(label: string): Locator {
    return this.quickInput.locator(`.monaco-list-row[aria-label*=${quoted(label)}]`);
  }

  /** All rows of the open list, as screen readers get them. */
  async rows(): Promise<string[]> {
    const rows = await this.quickInput.locator(".monaco-list-row").all();
    return Promise.all(rows.map(async (row) => (await row.getAttribute("aria-label")) ?? ""));
  }

  /** Goes down the open list to the row whose label has `label`, and takes it. */
  async choose(label: string): Promise<void> {
    const wanted = this.row(label);
    const focused = this.quickInput.locator(
      `.monaco-list-row.focused[aria-label*=${quoted(label)}]`,
    );
    await wanted.first().waitFor();
    await until(`the row ${label} has the focus`, async () => {
      if ((await focused.count()) > 0) {
        return true;
      }
      await this.page.keyboard.press("ArrowDown");
      await this.page.waitForTimeout(30);
      return false;
    });
    await this.page.keyboard.press("Enter");
  }

  /** The tab in front of a group, by the beginning of its label. */
  activeTab(name: string): Locator {
    return this.page.locator(`.tab.active[aria-label^=${quoted(name)}]`);
  }

  /** Any tab whose label begins with `name`, such as `[Preview] LESSON.md`. */
  tab(name: string): Locator {
    return this.page.locator(`.tab[aria-label^=${quoted(name)}]`);
  }

  /** A notification with this text. */
  toast(text: string | RegExp): Locator {
    return this.page.locator(".notification-toast").filter({ hasText: text });
  }

  /** The tutor's item in the status bar. */
  get status(): Locator {
    return this.page.locator('[id$="tutorLsp.status"]');
  }

  /** The text of the code editor that has the focus, without folded or far lines. */
  get editor(): Locator {
    return this.page.locator(".editor-group-container .monaco-editor").first();
  }

  get errors(): Locator {
    return this.page.locator(".monaco-editor .squiggly-error");
  }
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}
