// What a learner does in VS Code, by keyboard; every wait is for a state, never for a time.
import { basename, join } from "node:path";
import type { Frame, Locator } from "playwright-core";
import { ARTEFACTS } from "./host";
import { AGAIN_MS, Lists, quoted } from "./lists";
import { until } from "./waiting";

/** What is this near (px) to the upper edge of a preview is on top. */
const TOP_PX = 60;

export class Workbench extends Lists {
  /** Waits until the workbench takes keys. */
  async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench .part.statusbar .statusbar-item").first().waitFor();
    await this.page.locator(".monaco-workbench .activitybar .action-item").first().waitFor();
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(ARTEFACTS, `${name}.png`) });
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
    // The menu closes when something else takes the focus.
    const open = async (): Promise<unknown> =>
      (await rows.filter({ hasText: title }).first().isVisible()) || this.codeActions();
    await this.down(focused.filter({ hasText: title }), focused, open);
    await this.page.keyboard.press("Enter");
  }

  /** Chooses a theme; `kind` is the class that the workbench has in it. */
  async theme(name: string, kind: string): Promise<void> {
    await this.palette("Preferences: Color Theme");
    // The list is longer than what is drawn of it.
    await this.page.getByPlaceholder("Select Color Theme").fill(name);
    await this.choose(name);
    await this.page.locator(`.monaco-workbench.${kind}`).waitFor();
  }

  /** The preview that the lesson is drawn in, once the step is marked there. */
  lesson(): Promise<Frame> {
    return until("the step is marked in the lesson", async () => {
      for (const frame of this.page.frames()) {
        if ((await frame.locator(".tutor-step").count().catch(() => 0)) === 1) {
          return frame;
        }
      }
      return undefined;
    });
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

  /** The frame of the page with this heading, once that is there. */
  pageWith(heading: string): Promise<Frame> {
    return until(`a page with "${heading}" is there`, async () => {
      for (const frame of this.page.frames()) {
        const found = frame.getByRole("heading", { name: heading });
        if (frame.parentFrame() !== null && (await found.isVisible().catch(() => false))) {
          return frame;
        }
      }
      return undefined;
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

  /** A button above the views in the side bar. */
  sideButton(title: string): Locator {
    return this.page.locator(`.part.sidebar .pane-header a.action-label[aria-label^=${quoted(title)}]`);
  }

  /** A button of the editors in whose group the tab of `file` is in front. */
  titleButton(file: string, title: string): Locator {
    const group = this.page
      .locator(".editor-group-container")
      .filter({ has: this.page.locator(`.tab.active[aria-label^=${quoted(file)}]`) });
    return group.locator(`.editor-actions a.action-label[aria-label^=${quoted(title)}]`);
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
    const focused = list.locator(".monaco-list-row.focused");
    await this.treeRow(label).waitFor();
    const typing = this.page.locator(".part.editor .monaco-editor.focused");
    // A view may give the keys to its filter first, and a document that is being shown takes them.
    const again = async () =>
      (await typing.count()) > 0 ? this.palette(view) : this.page.keyboard.press("Tab");
    await this.insist(list, again, 300);
    await this.page.keyboard.press("Home");
    await this.down(focused.filter({ hasText: label }), focused);
  }

  /** Has Enter pressed on a row, as `toRow` finds it, until `shown`: one that is drawn anew takes no key. */
  async takeRow(view: string, label: string, shown: Locator, again = AGAIN_MS): Promise<void> {
    const take = async (): Promise<void> => {
      await this.toRow(view, label);
      await this.page.keyboard.press("Enter");
    };
    await this.insist(shown, take, again);
  }

  /** Answers a modal dialog with this text by one of its buttons. */
  async confirm(text: string, title: string): Promise<void> {
    await this.dialog(text).getByRole("button", { name: title, exact: true }).press("Enter");
  }

  /** Takes what the menu of the row in front offers under `title`. */
  async contextMenu(title: string): Promise<void> {
    const item = this.page.locator(".monaco-menu .action-item").filter({ hasText: title });
    const focused = this.page.locator(".monaco-menu .action-item.focused");
    await this.insist(item.first(), () => this.page.keyboard.press("Shift+F10"));
    await this.down(focused.filter({ hasText: title }), focused);
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

  /** Opens any file by its whole path. */
  async openPath(path: string): Promise<void> {
    const input = this.quickInput.locator("input.input");
    const name = basename(path);
    await this.palette("File: Open File...");
    await this.insist(this.activeTab(name), async () => {
      const soon = { timeout: AGAIN_MS };
      await input.fill(path, soon).catch(() => undefined);
      await input.press("Enter", soon).catch(() => undefined);
    });
  }

  /** A modal dialog with this text. */
  dialog(text: string): Locator {
    return this.page.locator(".monaco-dialog-box").filter({ hasText: text });
  }

  /** Presses a button of a message with this text, wherever that is by then: it hides after a while. */
  async toastButton(text: string | RegExp, title: string): Promise<void> {
    const message = this.page.locator(".notification-list-item").filter({ hasText: text });
    const button = message.getByRole("button", { name: title, exact: true }).first();
    const soon = { timeout: AGAIN_MS };
    const press = (): Promise<boolean> =>
      button.press("Enter", soon).then(
        () => true,
        () => false,
      );
    await until(`${title} is pressed under "${String(text)}"`, async () => {
      if (await press()) {
        return true;
      }
      await this.palette("Notifications: Show Notifications");
      const pressed = await press();
      // Messages that come while the list is shown are in it alone.
      const list = this.page.locator(".notifications-center.visible");
      if (await list.isVisible()) {
        await this.palette("Notifications: Hide Notifications");
      }
      return pressed;
    });
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

  /** Shows the hover with `text` at the cursor: once shows it, twice gives it the keys. */
  async showHover(text: string, shown = this.hover.filter({ hasText: text }).first()): Promise<void> {
    await this.insist(shown, async () => {
      await this.page.keyboard.press("Control+k");
      await this.page.keyboard.press("Control+i");
    });
  }

  /** Follows a link in the hover with `text` at the cursor, by keyboard. */
  async hoverLink(text: string, link: string): Promise<void> {
    const shown = this.page.locator(".monaco-hover:not(.hidden):focus").filter({ hasText: text });
    const focused = this.page.locator(".monaco-hover a:focus").filter({ hasText: link });
    await this.insist(focused, async () => {
      await this.showHover(text, shown);
      const inside = this.page.locator(".monaco-hover:focus-within");
      while ((await inside.count()) > 0 && (await focused.count()) === 0) {
        await this.page.keyboard.press("Tab");
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
