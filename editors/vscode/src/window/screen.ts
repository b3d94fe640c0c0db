// Exercise windows as the tutor arranges them, or leaves them, by the setting `tutor.layout`.
import * as vscode from "vscode";
import { exerciseFolder, windowFolders } from "./place";
import type { Storage } from "./storage";
import { clearTheSides, makeRoom } from "./arrange";
import { focusWindow, prepareFolder, releaseWindow } from "./windowSettings";

/** Key of the note that the server's own configuration leaves windows to the learner. */
const MINE = "layout-mine";

/** Key of the note that a folder is one whose window the tutor has opened. */
function opened(folder: string): string {
  return `opened ${folder}`;
}

export class Screen {
  /** What changes the folder's settings comes one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly storage: Storage,
    private readonly log: { warn(text: string): void },
  ) {}

  /** The window's only folder: an exercise, or one that was opened with an exercise of the tutor's. */
  private get root(): string | undefined {
    const [folder, ...others] = windowFolders();
    if (folder === undefined || others.length > 0 || vscode.workspace.workspaceFile !== undefined) {
      return undefined;
    }
    return folder === exerciseFolder() || this.storage.noted(opened(folder)) ? folder : undefined;
  }

  /** What is set in the editor. */
  private get chosen(): string | undefined {
    const seen = vscode.workspace.getConfiguration("tutor").inspect<string>("layout");
    return seen?.workspaceFolderValue ?? seen?.workspaceValue ?? seen?.globalValue;
  }

  private get isFocused(): boolean {
    const { chosen } = this;
    return chosen === undefined ? !this.storage.noted(MINE) : chosen !== "mine";
  }

  /** Whether this window is one that the tutor arranges. */
  get isArranged(): boolean {
    return this.root !== undefined && this.isFocused;
  }

  /** Prepares a folder that is about to open in a window of its own, for the sake of an exercise. */
  prepare(root: string): void {
    this.storage.note(opened(root), true);
    if (this.isFocused) {
      try {
        prepareFolder(this.storage, root);
      } catch (error) {
        this.log.warn(`The window's settings could not be written: ${String(error)}`);
      }
    }
  }

  /** Has the settings of this window follow `tutor.layout`. */
  async follow(): Promise<void> {
    const { root } = this;
    if (root === undefined) {
      return;
    }
    const follow = (): Promise<void> =>
      this.isFocused ? focusWindow(this.storage, root) : releaseWindow(this.storage, root);
    this.last = this.last.then(follow).catch((error: unknown) => {
      this.log.warn(`The window's settings could not be written: ${String(error)}`);
    });
    await this.last;
  }

  /** The server says which layout holds by its own configuration, which the editor does not read. */
  async heard(layout: string): Promise<void> {
    if (this.chosen === undefined && this.storage.noted(MINE) !== (layout === "mine")) {
      this.storage.note(MINE, layout === "mine");
      await this.follow();
    }
  }

  /** An exercise is shown in this window for the first time: side bars as they are of use. */
  async arrive(): Promise<void> {
    if (this.isArranged && !this.storage.noted(this.arranged)) {
      this.storage.note(this.arranged, true);
      await clearTheSides();
    }
  }

  /** Divides the room before the lesson comes; see `makeRoom`. */
  async makeRoom(): Promise<vscode.ViewColumn | undefined> {
    return this.isArranged ? makeRoom() : undefined;
  }

  private get arranged(): string {
    return `arranged ${this.root}`;
  }
}
