// Rendered Markdown beside the code: lesson, hints, reviews. It is VS Code's own preview, opened as an
// editor of the file, because only so the code keeps the keys; media/lesson.js turns it to a section.
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import { headingAt, headingSlug } from "../window/paths";
import { t } from "../words/words";

/** The editor that VS Code's Markdown extension registers for reading. */
const PREVIEW = "vscode.markdown.preview.editor";

/** How often (ms) to look whether the editor has read a file anew, and for how long. */
const LOOK_MS = 100;
const PATIENCE_MS = 10_000;
/** When a preview has been drawn for certain after the editor has read its file, in milliseconds. */
const DRAWN_MS = 1000;

/** As much of markdown-it as is needed to mark a heading. */
interface Token {
  type: string;
  content: string;
  attrSet(name: string, value: string): void;
  attrJoin(name: string, value: string): void;
}
type Rule = (
  tokens: Token[],
  at: number,
  options: unknown,
  env: { currentDocument?: vscode.Uri },
  self: { renderToken(tokens: Token[], at: number, options: unknown): string },
) => string;
export interface MarkdownIt {
  renderer: { rules: Record<string, Rule | undefined> };
}

/** The heading that a file is turned to, its first one without a slug; later turns are greater. */
interface Mark {
  slug: string | undefined;
  turn: number;
  /** Whether the heading may stay where it is, if it can be seen there. */
  gentle: boolean;
}

export function isPreview(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputCustom && tab.input.viewType === PREVIEW;
}

function isPreviewOf(tab: vscode.Tab | undefined, file: string): boolean {
  return isPreview(tab) && (tab?.input as vscode.TabInputCustom).uri.fsPath === file;
}

function isOpen(file: string): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => isPreviewOf(tab, file)));
}

function textTabs(file: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.fsPath === file);
}

/** The line below a lesson's title that leads to the section of the learner's step. */
function stepLine(heading: string): string {
  const text = t`Your step: ${heading}`.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  const link = encodeURIComponent(headingSlug(heading));
  return `<p class="tutor-step-line"><a href="#${link}">${text}</a></p>\n`;
}

/** Whether the editor has read `file` as it is on the disk; one that is not held is read anew. */
async function isRead(file: string): Promise<boolean> {
  const held = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file);
  return held === undefined || held.getText() === (await readFile(file, "utf8"));
}

/** Where `file` is read: where it is, where something is read, else beside what is in front. */
function columnFor(file: string): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const group =
    all.find(({ tabs }) => tabs.some((tab) => isPreviewOf(tab, file))) ??
    all.find(({ tabs }) => tabs.some(isPreview));
  if (group === activeTabGroup || activeTabGroup.activeTab === undefined) {
    return vscode.ViewColumn.Active;
  }
  // VS Code makes a group the active one when it opens something there, save "beside".
  const steps = group === undefined ? 1 : group.viewColumn - activeTabGroup.viewColumn;
  return group === undefined || steps === 1 ? vscode.ViewColumn.Beside : group.viewColumn;
}

export class Reading {
  private readonly marks = new Map<string, Mark>();
  private lastTurn = 0;
  /** Heading of the section that the learner is on, by lesson. */
  private readonly steps = new Map<string, string>();
  /** What was asked to be shown so far. */
  private shown: Promise<unknown> = Promise.resolve();

  /** `makeRoom` prepares the column beside the code, where the first thing to read is to come. */
  constructor(
    private readonly makeRoom: () => Promise<vscode.ViewColumn | undefined> = () =>
      Promise.resolve(undefined),
  ) {}

  /**
   * Shows `file` rendered beside the code, at a heading's section or at its beginning. What is asked
   * for last is in front in the end.
   */
  show(file: string, heading?: string): Promise<void> {
    return this.inTurn(async () => {
      const open = isOpen(file);
      await this.turn(file, heading);
      await this.bringUp(file, open);
    });
  }

  /** As show, for a lesson with the section of a step: marked, and on top unless the lesson is `fresh`. */
  showLesson(file: string, heading: string | undefined, fresh: boolean): Promise<void> {
    if (heading !== undefined) {
      this.steps.set(file, heading);
    }
    return fresh ? this.inTurn(() => this.bringUp(file, isOpen(file))) : this.show(file, heading);
  }

  private inTurn(show: () => Promise<void>): Promise<void> {
    const shown = this.shown.then(show);
    this.shown = shown.catch(() => undefined);
    return shown;
  }

  private async bringUp(file: string, wasOpen: boolean): Promise<void> {
    if (wasOpen && !(await isRead(file))) {
      this.drawAgain(file).catch(() => undefined);
    }
    if (this.isInFront(file)) {
      return;
    }
    const { all, activeTabGroup } = vscode.window.tabGroups;
    const isFirst = !all.some(({ tabs }) => tabs.some(isPreview)) && activeTabGroup.activeTab !== undefined;
    const room = isFirst ? await this.makeRoom() : undefined;
    const before = textTabs(file);
    const deadline = Date.now() + PATIENCE_MS;
    do {
      await vscode.commands.executeCommand("vscode.openWith", vscode.Uri.file(file), PREVIEW, {
        viewColumn: room ?? columnFor(file),
        preserveFocus: vscode.window.tabGroups.activeTabGroup.activeTab !== undefined,
        preview: false,
      });
      // A window that is still starting does not know the preview, and opens the text instead.
      const raw = textTabs(file).filter((tab) => !before.includes(tab));
      if (raw.length === 0) {
        break;
      }
      await vscode.window.tabGroups.close(raw, true);
      await delay(LOOK_MS);
    } while (Date.now() < deadline);
    if (room === vscode.ViewColumn.Two) {
      // What is opened there by its number becomes the group in front, without the keys.
      await vscode.commands.executeCommand("workbench.action.focusFirstEditorGroup");
    }
  }

  /** Whether `file` is what is read in some group; what covers it was put there on purpose. */
  isInFront(file: string): boolean {
    return vscode.window.tabGroups.all.some(({ activeTab }) => isPreviewOf(activeTab, file));
  }

  /** Whether `file` is open to be read, and something else that is read covers it. */
  isBehindReading(file: string): boolean {
    return vscode.window.tabGroups.all.some(({ tabs, activeTab }) => {
      const open = tabs.some((tab) => isPreviewOf(tab, file));
      return open && isPreview(activeTab) && !isPreviewOf(activeTab, file);
    });
  }

  /** As show, at the section that a zero-based line of the file belongs to. */
  async showAt(file: string, line: number): Promise<void> {
    await this.show(file, headingAt(await readFile(file, "utf8"), line));
  }

  /** Turns `file` to a heading's section wherever it is read; opens nothing. */
  async turn(file: string, heading?: string, gentle = false): Promise<void> {
    const slug = heading === undefined ? undefined : headingSlug(heading);
    // Later than those of an earlier window, too, which a preview may remember.
    this.lastTurn = Math.max(Date.now(), this.lastTurn + 1);
    this.marks.set(file, { slug, turn: this.lastTurn, gentle });
    await this.redraw(file);
  }

  /** Marks a section of a lesson as that of the learner's step, wherever it is read. */
  async mark(file: string, heading: string): Promise<void> {
    if (this.steps.get(file) !== heading) {
      this.steps.set(file, heading);
      await this.redraw(file);
    }
  }

  private async redraw(file: string): Promise<void> {
    if (isOpen(file)) {
      await vscode.commands.executeCommand("markdown.preview.refresh");
    }
  }

  /**
   * Has `file` drawn once more when the editor has read what is on the disk now: VS Code loses a
   * change that comes while a preview is being drawn.
   */
  private async drawAgain(file: string): Promise<void> {
    const mark = this.marks.get(file);
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await isRead(file)) && Date.now() < deadline) {
      await delay(LOOK_MS);
    }
    await delay(DRAWN_MS);
    // What was shown since sees to it itself.
    if (this.marks.get(file) === mark && isOpen(file)) {
      await vscode.commands.executeCommand("markdown.preview.refresh");
    }
  }

  /** What VS Code's Markdown preview asks an extension for: its part in rendering. */
  extendMarkdownIt<M extends MarkdownIt>(markdown: M): M {
    const { rules } = markdown.renderer;
    const { heading_open: before, heading_close: after } = rules;
    rules.heading_close = (tokens, at, options, env, self) => {
      const step = this.steps.get(env.currentDocument?.fsPath ?? "");
      const isFirst = tokens.findIndex(({ type }) => type === "heading_close") === at;
      const closed =
        after === undefined ? self.renderToken(tokens, at, options) : after(tokens, at, options, env, self);
      return isFirst && step !== undefined ? closed + stepLine(step) : closed;
    };
    rules.heading_open = (tokens, at, options, env, self) => {
      const mark = this.marks.get(env.currentDocument?.fsPath ?? "");
      const step = this.steps.get(env.currentDocument?.fsPath ?? "");
      const slug = headingSlug(tokens[at + 1]?.content ?? "");
      if (mark !== undefined && (mark.slug === undefined ? at === 0 : mark.slug === slug)) {
        tokens[at]?.attrSet("data-tutor-turn", String(mark.turn));
        tokens[at]?.attrSet("data-tutor-gentle", String(mark.gentle));
        // All previews of a window share what their script remembers.
        tokens[at]?.attrSet("data-tutor-file", env.currentDocument?.fsPath ?? "");
      }
      if (step !== undefined && slug === headingSlug(step)) {
        tokens[at]?.attrJoin("class", "tutor-step");
      }
      return before === undefined
        ? self.renderToken(tokens, at, options)
        : before(tokens, at, options, env, self);
    };
    return markdown;
  }
}
