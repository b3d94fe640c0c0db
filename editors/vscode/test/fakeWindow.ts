// What a stand-in for the editor shows in its window: messages, lists, editors and tabs, the status bar.
import {
  type Document,
  Emitter,
  nothing,
  Position,
  type Range,
  TabInputCustom,
  TabInputText,
  Uri,
  withDefault,
} from "./fakeParts";
import { FakeWorkspace } from "./fakeWorkspace";

export interface Choice {
  label: string;
  detail?: string;
  kind?: number;
}

interface Provider {
  getChildren(): unknown;
}

/** What is written behind lines of code. */
export interface Behind {
  range: Range;
  renderOptions: { after: { contentText: string } };
}

interface FakeTextEditor {
  document: Document;
  selection: { active: Position };
  viewColumn: number;
  options: object;
  revealRange(): void;
  setDecorations(kind: object, found: Behind[]): void;
}

export class FakeWindow extends FakeWorkspace {
  readonly errors: string[] = [];
  readonly messages: string[] = [];
  /** What modal questions said below their first line. */
  readonly details: string[] = [];
  /** Buttons under messages. */
  readonly offered: unknown[][] = [];
  /** Rows of lists that were shown, with all that they say. */
  readonly rows: string[] = [];
  /** The HTML of the tabs that the extension fills itself. */
  readonly pages: string[] = [];
  /** Whether a program for a file is found. */
  opensExternally = true;
  /** How often something was opened outside the editor. */
  openedOutside = 0;
  /** Where the extension runs, if that is another machine. */
  remoteName: string | undefined;
  readonly progress: string[] = [];
  /** What their steps said. */
  readonly steps: string[] = [];
  readonly log: string[] = [];
  /** What was written behind lines of code last, by kind. */
  readonly behind = new Map<object, Behind[]>();
  readonly bar = { text: "", tooltip: "", shown: false, show: nothing, hide: nothing };
  /** Chooses in lists, by default the first row that is no heading. */
  choose: (items: Choice[], title?: string) => Choice | undefined = (items) => {
    return items.find((item) => item.kind === undefined);
  };
  /** The answer to a modal question: the first button, none, or the one that is called so. */
  confirms: boolean | string = true;
  active: FakeTextEditor | undefined;
  /** The button that is pressed under a message. */
  press: (message: string, buttons: unknown[]) => unknown = nothing;
  /** Whether messages stay until somebody takes them away, which nobody does. */
  messagesStay = false;
  /** Roots of the views, by id. */
  readonly trees = new Map<string, () => unknown>();
  private readonly turned = new Emitter();
  private readonly windowMembers = {
    activeTextEditor: undefined,
    visibleTextEditors: [] as unknown[],
  };
  private readonly tabsChanged = new Emitter();
  private readonly ended = new Emitter();
  private readonly focusChanged = new Emitter();
  /** What was typed into terminals, one line each, and how the last of them ends. */
  readonly typed: string[] = [];
  endTerminal: (code: number) => void = nothing;
  /** How many tabs were closed. */
  closed = 0;
  readonly tabGroups = {
    all: [] as { tabs: object[] }[],
    close: (tabs: object[]) => {
      this.closed += tabs.length;
      this.tabGroups.all = this.tabGroups.all.map((group) => {
        return { ...group, tabs: group.tabs.filter((tab) => !tabs.includes(tab)) };
      });
      return Promise.resolve(true);
    },
    activeTabGroup: { activeTab: {}, tabs: [] },
    onDidChangeTabs: this.tabsChanged.event,
    onDidChangeTabGroups: this.tabsChanged.event,
  };
  /** What stood in the boxes that were opened, before anything was typed. */
  readonly drafts: string[] = [];

  /** Turns to the tab of a file, with the cursor at a zero-based line. */
  show(file: string, line = 0): void {
    const at = new Position(line, 0);
    // Nothing is written behind the lines of an editor that is new.
    this.behind.clear();
    this.active = {
      document: this.document(file),
      selection: { active: at },
      viewColumn: 1,
      options: {},
      revealRange: nothing,
      setDecorations: (kind, found) => this.behind.set(kind, found),
    };
    Object.assign(this.windowMembers, {
      activeTextEditor: this.active,
      visibleTextEditors: [this.active],
    });
    this.turned.fire(this.active);
  }

  /** The learner comes back to the window, or leaves it for another program. */
  focus(focused = true): void {
    this.focusChanged.fire({ focused });
  }

  /** Puts a rendered file in front of the second group, and others behind it. */
  read(...files: string[]): void {
    const tabs = files.map((file) => ({ input: new TabInputCustom(Uri.file(file)) }));
    this.tabGroups.all = [{ viewColumn: 2, tabs, activeTab: tabs[0] } as { tabs: object[] }];
    this.tabsChanged.fire(undefined);
  }

  /** Puts the text of a file into a group of its own. */
  openText(file: string): void {
    const tab = { input: new TabInputText(Uri.file(file)) };
    this.tabGroups.all.push({ viewColumn: 2, tabs: [tab], activeTab: tab } as { tabs: object[] });
  }

  /** Whether a file is rendered, and its text nowhere open. */
  isRead(file: string): boolean {
    const inputs = this.tabGroups.all.flatMap(({ tabs }) => tabs).map((tab) => (tab as { input: object }).input);
    const open = inputs.filter((input) => (input as { uri?: Uri }).uri?.fsPath === file);
    return open.length === 1 && open[0] instanceof TabInputCustom;
  }

  /** What is written behind lines of code now. */
  get said(): { line: number; text: string }[] {
    return [...this.behind.values()].flat().map(({ range, renderOptions }) => {
      return { line: range.start.line - 1, text: renderOptions.after.contentText };
    });
  }

  /** Whether the status bar says that the server is. */
  get isReady(): boolean {
    return this.bar.text.includes("mortar-board");
  }

  protected windowPart(): object {
    const say =
      (to: string[]) =>
      (message: string, ...rest: unknown[]) => {
        to.push(message);
        if (typeof rest[0] === "object") {
          this.details.push(String((rest[0] as { detail?: string }).detail));
          const wanted = this.confirms === true ? rest[1] : this.confirms;
          return Promise.resolve(rest.find((button) => button === wanted));
        }
        this.offered.push(rest);
        return this.messagesStay
          ? new Promise(() => undefined)
          : Promise.resolve(this.press(message, rest));
      };
    const bar = Object.assign(this.bar, {
      show: () => (this.bar.shown = true),
      hide: () => (this.bar.shown = false),
      dispose: nothing,
    });
    return withDefault(
      Object.assign(this.windowMembers, {
      onDidChangeActiveTextEditor: this.turned.event,
      onDidChangeVisibleTextEditors: this.turned.event,
      createTreeView: (id: string, { treeDataProvider }: { treeDataProvider: Provider }) => {
        this.trees.set(id, () => treeDataProvider.getChildren());
        return { dispose: nothing };
      },
      tabGroups: this.tabGroups,
      createWebviewPanel: () => this.webviewPanel(),
      createTerminal: () => this.terminal(),
      onDidCloseTerminal: this.ended.event,
      onDidChangeWindowState: this.focusChanged.event,
      createTextEditorDecorationType: () => ({ dispose: nothing }),
      createOutputChannel: () => this.outputChannel(),
      createStatusBarItem: () => bar,
      setStatusBarMessage: say(this.messages),
      showErrorMessage: say(this.errors),
      showInformationMessage: say(this.messages),
      showWarningMessage: say(this.messages),
      showQuickPick: async (items: Promise<Choice[]>, options?: { title?: string }) =>
        this.choose(this.noted(await items), options?.title),
      showInputBox: ({ value }: { value?: string }) => {
        this.drafts.push(value ?? "");
        return Promise.resolve("why?");
      },
      showTextDocument: (target: Uri | Document, options?: { selection?: Range }) => {
        const { fsPath } = target instanceof Uri ? target : target.uri;
        this.show(fsPath, options?.selection?.start.line);
        return Promise.resolve(this.active);
      },
      withProgress: (
        { title }: { title: string },
        task: (report: object, cancellation: object) => Promise<void>,
      ) => {
        this.progress.push(title);
        const report = ({ message = "" }: { message?: string }): void => void this.steps.push(message);
        return task({ report }, { onCancellationRequested: nothing });
      },
      }),
    );
  }

  private noted(items: Choice[]): Choice[] {
    this.rows.push(...items.map(({ label, detail }) => `${label} ${detail ?? ""}`));
    return items;
  }

  private terminal(): object {
    const terminal = { show: nothing, sendText: (line: string) => this.typed.push(line), exitStatus: {} };
    this.endTerminal = (code) => {
      terminal.exitStatus = { code };
      this.ended.fire(terminal);
    };
    return terminal;
  }

  private webviewPanel(): object {
    const at = this.pages.push("") - 1;
    const webview = { options: {} };
    Object.defineProperty(webview, "html", { set: (html: string) => (this.pages[at] = html) });
    return withDefault({ webview });
  }

  private outputChannel(): object {
    const add = (...words: unknown[]): void => {
      this.log.push(words.map(String).join(" "));
    };
    const levels = ["trace", "debug", "info", "warn", "error", "append", "appendLine"];
    return withDefault({
      ...Object.fromEntries(levels.map((level) => [level, add])),
      onDidChangeLogLevel: new Emitter().event,
      logLevel: 3,
    });
  }
}
