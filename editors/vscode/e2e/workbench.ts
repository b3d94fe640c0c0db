// What a learner does in VS Code, by keyboard; every wait is for a state, never for a time.
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { ARTEFACTS } from "./host";

/** Longest wait for anything, in milliseconds; far more than it takes. */
export const PATIENCE_MS = 60_000;
/** After this long (ms) a key that VS Code may have swallowed is pressed again. */
const AGAIN_MS = 2_000;

/** What is this near (px) to the upper edge of a preview is on top. */
const TOP_PX = 60;

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

  private get quickInput(): Locator {
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
    const focused = this.row(label, how, ".focused");
    await (open === undefined ? wanted.waitFor() : this.insist(wanted, open));
    await until(`the row ${label} has the focus`, async () => {
      if ((await focused.count()) > 0) {
        return true;
      }
      if (open !== undefined && !(await wanted.isVisible())) {
        await this.insist(wanted, open);
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

  /** A line of code that is on the screen. */
  code(text: string): Locator {
    return this.page.locator(".editor-instance .view-line").filter({ hasText: text }).first();
  }

  /** Any tab whose label begins with `name`. */
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

  /** Waits until the open list has a row with `label`. */
  async pickReady(label: string, timeout = PATIENCE_MS): Promise<void> {
    await this.row(label).first().waitFor({ timeout });
  }

  get infos(): Locator {
    return this.page.locator(".monaco-editor .squiggly-info");
  }

  /** Goes to a 1-based place of the file in front. */
  async goTo(line: number, column = 1): Promise<void> {
    const input = this.quickInput.locator("input.input");
    const place = this.page.locator('[id="status.editor.selection"]');
    await this.focusCode();
    await this.insist(place.filter({ hasText: `Ln ${line}, Col ${column}` }), async () => {
      // What was open before may be closing, and takes no text then.
      const soon = { timeout: AGAIN_MS };
      await this.page.keyboard.press("Control+g");
      await input
        .fill(`:${line}:${column}`, soon)
        .then(() => input.press("Enter", soon))
        .catch(() => undefined);
    });
    await this.page.locator(".editor-group-container .monaco-editor.focused").waitFor();
  }

  /** Gives the keys to the code in the first group. */
  async focusCode(): Promise<void> {
    const focused = this.page.locator(".editor-group-container .monaco-editor.focused");
    await this.insist(focused.first(), () => this.page.keyboard.press("Control+1"));
  }

  /** Types `text` in place of a 1-based line, behind its indentation. */
  async replaceLine(line: number, text: string): Promise<void> {
    await this.goTo(line);
    await this.page.keyboard.press("End");
    await this.page.keyboard.press("Shift+Home");
    await this.page.keyboard.insertText(text);
  }

  /** Saves the file in front and waits until it is saved. */
  async save(): Promise<void> {
    await this.page.keyboard.press("Control+s");
    await this.page.locator(".tab.active.dirty").first().waitFor({ state: "detached" });
  }

  /** Opens the menu of code actions; keys right after another input closes are lost. */
  async codeActions(): Promise<Locator> {
    const menu = this.page.locator(".action-widget .monaco-list-row");
    await this.insist(menu.first(), () => this.page.keyboard.press("Control+."));
    return menu;
  }

  /** Takes the code action that begins with `title`. */
  async codeAction(title: string): Promise<void> {
    const rows = this.page.locator(".action-widget .monaco-list-row");
    const focused = this.page.locator(".action-widget .monaco-list-row.focused");
    await until(`the action ${title} has the focus`, async () => {
      if ((await focused.filter({ hasText: title }).count()) > 0) {
        return true;
      }
      // The menu closes when something else takes the focus.
      const open = await rows.filter({ hasText: title }).first().isVisible();
      await (open ? this.page.keyboard.press("ArrowDown") : this.codeActions());
      await this.page.waitForTimeout(50);
      return false;
    });
    await this.page.keyboard.press("Enter");
  }

  /** Waits until something rendered beside the code shows this text. */
  async reading(text: string): Promise<void> {
    await until(`"${text}" can be read`, async () => {
      for (const frame of this.page.frames().filter((each) => each.parentFrame() !== null)) {
        const found = frame.getByText(text).first();
        if (await found.isVisible().catch(() => false)) {
          return true;
        }
      }
      return false;
    });
  }

  /** Waits until a preview is turned to the section with this heading. */
  async sectionOnTop(heading: string): Promise<void> {
    await until(`the section "${heading}" is on top`, async () => {
      for (const frame of this.page.mainFrame().childFrames().flatMap((f) => f.childFrames())) {
        const found = frame.locator("body.vscode-body").getByRole("heading", { name: heading });
        // A preview that is being replaced has no place.
        const box = await found.boundingBox({ timeout: AGAIN_MS }).catch(() => null);
        const element = await frame.frameElement().catch(() => null);
        const around = await element?.boundingBox().catch(() => null);
        const top = (box?.y ?? NaN) - (around?.y ?? NaN);
        if (top >= -1 && top < TOP_PX) {
          return true;
        }
      }
      return false;
    });
  }

  /** What a view without rows says instead. */
  welcome(text: string): Locator {
    return this.page.locator(".part.sidebar .welcome-view-content").filter({ hasText: text });
  }

  /** Rows of the views in the side bar. */
  treeRow(text: string): Locator {
    return this.page.locator(".part.sidebar .monaco-list-row").filter({ hasText: text }).first();
  }

  /** A row of the tutor's views by what screen readers say of it. */
  spoken(text: string): Locator {
    return this.page.locator(`.part.sidebar [aria-label*=${quoted(text)}]`).first();
  }

  /**
   * Has the command `view` give the keys to a view in the side bar, and goes down its list to the
   * row that is called so.
   */
  async toRow(view: string, label: string): Promise<void> {
    await this.palette(view);
    const list = this.page.locator(".part.sidebar .monaco-list:focus");
    const focused = list.locator(".monaco-list-row.focused").filter({ hasText: label });
    await this.treeRow(label).waitFor();
    const typing = this.page.locator(".part.editor .monaco-editor.focused");
    // A view may give the keys to its filter first, and a document that is being shown takes them.
    const again = async () =>
      (await typing.count()) > 0 ? this.palette(view) : this.page.keyboard.press("Tab");
    await this.insist(list, again, 300);
    await this.page.keyboard.press("Home");
    await until(`the row ${label} has the focus`, async () => {
      if ((await focused.count()) > 0) {
        return true;
      }
      await this.page.keyboard.press("ArrowDown");
      await this.page.waitForTimeout(30);
      return false;
    });
  }

  /** Takes what the menu of the row in front offers under `title`. */
  async contextMenu(title: string): Promise<void> {
    const item = this.page.locator(".monaco-menu .action-item").filter({ hasText: title });
    const focused = this.page.locator(".monaco-menu .action-item.focused").filter({ hasText: title });
    await this.insist(item.first(), () => this.page.keyboard.press("Shift+F10"));
    await until(`${title} has the focus`, async () => {
      if ((await focused.count()) > 0) {
        return true;
      }
      await this.page.keyboard.press("ArrowDown");
      await this.page.waitForTimeout(30);
      return false;
    });
    await this.page.keyboard.press("Enter");
  }

  /** Opens a file of the window's folder, by as much of its path as tells it from others. */
  async openFile(path: string): Promise<void> {
    const input = this.quickInput.locator("input.input");
    const name = basename(path);
    await this.choose(name, "^=", async () => {
      const soon = { timeout: AGAIN_MS };
      await this.page.keyboard.press("Control+p");
      await input.fill(path, soon).catch(() => undefined);
    });
    await this.activeTab(name).waitFor();
  }

  /** Answers an open question in words. */
  async answer(question: string, text: string): Promise<void> {
    await this.quickInput.filter({ hasText: question }).waitFor();
    await this.quickInput.locator("input.input").fill(text);
    await this.page.keyboard.press("Enter");
    await this.quickInput.filter({ hasText: question }).waitFor({ state: "hidden" });
  }

  /** A modal dialog with this text. */
  dialog(text: string): Locator {
    return this.page.locator(".monaco-dialog-box").filter({ hasText: text });
  }

  /** Presses a button of a message. */
  async toastButton(toast: Locator, title: string): Promise<void> {
    await toast.getByRole("button", { name: title, exact: true }).press("Enter");
  }

  /** Takes all messages away, so that they cover nothing. */
  async clearToasts(): Promise<void> {
    await this.palette("Notifications: Clear All Notifications");
    await this.page.locator(".notification-toast").first().waitFor({ state: "detached" });
  }

  /** A row of the problems panel. */
  problem(text: string): Locator {
    return this.page.locator(".markers-panel .monaco-list-row").filter({ hasText: text }).first();
  }

  get hover(): Locator {
    return this.page.locator(".monaco-hover:not(.hidden)");
  }

  /** Follows a link in the hover with `text` at the cursor, by keyboard. */
  async hoverLink(text: string, link: string): Promise<void> {
    const { keyboard } = this.page;
    const shown = this.page.locator(".monaco-hover:not(.hidden):focus").filter({ hasText: text });
    const focused = this.page.locator(".monaco-hover a:focus").filter({ hasText: link });
    await this.insist(focused, async () => {
      // Once shows it, twice gives it the keys.
      await this.insist(shown, async () => {
        await keyboard.press("Control+k");
        await keyboard.press("Control+i");
      });
      const inside = this.page.locator(".monaco-hover:focus-within");
      while ((await inside.count()) > 0 && (await focused.count()) === 0) {
        await keyboard.press("Tab");
      }
    });
    await this.page.keyboard.press("Enter");
  }

  get lenses(): Locator {
    return this.page.locator(".codelens-decoration a");
  }

  get errors(): Locator {
    return this.page.locator(".monaco-editor .squiggly-error");
  }
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}
