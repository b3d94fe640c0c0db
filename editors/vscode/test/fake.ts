// A stand-in for the editor: enough of the module `vscode` that the bundle and its language client
// run under Node. What the tests look at is recorded; everything else is an empty callable thing.
import { Module } from "node:module";
import { join } from "node:path";
import {
  anything,
  Diagnostic,
  Document,
  Emitter,
  nothing,
  Position,
  Range,
  TabInputCustom,
  TokenSource,
  Uri,
  withDefault,
} from "./fakeParts";
import { FakeTesting } from "./fakeTesting";
import { eventually } from "./waiting";

export interface Choice {
  label: string;
  description?: string;
  kind?: number;
}

interface Provider {
  getChildren(): unknown;
}

interface FakeTextEditor {
  document: Document;
  selection: { active: Position };
  viewColumn: number;
}

export class FakeEditor {
  readonly commands = new Map<string, (...args: unknown[]) => unknown>();
  readonly executed: { id: string; args: unknown[] }[] = [];
  readonly errors: string[] = [];
  readonly messages: string[] = [];
  /** What modal questions said below their first line. */
  readonly details: string[] = [];
  readonly progress: string[] = [];
  readonly log: string[] = [];
  readonly bar = { text: "", tooltip: "", shown: false, show: nothing, hide: nothing };
  readonly settings: Record<string, unknown> = {};
  readonly folders: string[] = [];
  isTrusted = true;
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
  readonly testing = new FakeTesting();
  /** What is shown on files, by path. */
  readonly diagnostics = new Map<string, Diagnostic[]>();
  /** Roots of the views, by id. */
  readonly trees = new Map<string, () => unknown>();
  private readonly turned = new Emitter();
  private readonly windowMembers = {
    activeTextEditor: undefined,
    visibleTextEditors: [] as unknown[],
  };
  readonly tabGroups = { all: [] as object[], activeTabGroup: { activeTab: {}, tabs: [] } };

  private readonly documents: Document[] = [];
  private readonly opened = new Emitter();
  private readonly trusted = new Emitter();
  private readonly configured = new Emitter();
  private readonly models = new Emitter();
  private readonly offered: object[] = [];
  /** What stood in the boxes that were opened, before anything was typed. */
  readonly drafts: string[] = [];

  /** Changes settings of the server's program. */
  configure(settings: Record<string, unknown>): void {
    Object.assign(this.settings, settings);
    const changed = Object.keys(settings).join() === "home" ? "tutor.home" : "tutor.server";
    const affectsConfiguration = (name: string): boolean => changed.startsWith(name);
    this.configured.fire({ affectsConfiguration });
  }

  /** Registers a language model, as an extension that is slow to start. */
  offerModel(): void {
    this.offered.push({});
    this.models.fire(undefined);
  }

  grantTrust(): void {
    this.isTrusted = true;
    this.trusted.fire(undefined);
  }

  document(file: string): Document {
    const known = this.documents.find(({ uri }) => uri.fsPath === file);
    if (known !== undefined) {
      return known;
    }
    const document = new Document(Uri.file(file));
    document.getText();
    this.documents.push(document);
    this.opened.fire(document);
    return document;
  }

  /** What VS Code gives to `activate`; `storage` is the extension's own folder. */
  extension(packageJSON: unknown, storage: string): object {
    return {
      extension: { packageJSON },
      extensionPath: join(storage, "extension"),
      globalStorageUri: Uri.file(storage),
    };
  }

  /** Turns to the tab of a file, with the cursor at a zero-based line. */
  show(file: string, line = 0): void {
    const at = new Position(line, 0);
    this.active = { document: this.document(file), selection: { active: at }, viewColumn: 1 };
    Object.assign(this.windowMembers, {
      activeTextEditor: this.active,
      visibleTextEditors: [this.active],
    });
    this.turned.fire(this.active);
  }

  /** Puts a rendered file in front of the second group, and others behind it. */
  read(...files: string[]): void {
    const tabs = files.map((file) => ({ input: new TabInputCustom(Uri.file(file)) }));
    this.tabGroups.all = [{ viewColumn: 2, tabs, activeTab: tabs[0] }];
  }

  /** Whether the status bar says that the server is. */
  get isReady(): boolean {
    return this.bar.text.includes("mortar-board");
  }

  /** Waits until something holds, and says what the editor was told where it does not. */
  eventually(what: string, holds: () => unknown): Promise<void> {
    return eventually(what, holds, () => {
      return `errors: ${this.errors.join("|")}\nlog: ${this.log.join("\n")}`;
    });
  }

  /** Runs a command as the palette does. */
  async run(id: string, ...args: unknown[]): Promise<void> {
    const command = this.commands.get(id);
    if (command === undefined) {
      throw new Error(`${id} is not registered`);
    }
    await command(...args);
  }

  /** Loads a CommonJS file anew, with this editor as its `vscode`. */
  load(file: string): Record<string, unknown> {
    const vscode = this.module();
    const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
    const original = loader._load;
    // For good, since parts of the bundle ask for it later; the latest editor is asked first.
    loader._load = (name, ...rest) => (name === "vscode" ? vscode : original(name, ...rest));
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
    delete require.cache[file];
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return require(file) as Record<string, unknown>;
  }

  private module(): object {
    // Bundled imports only see a module's own members.
    const seen = [
      ...["ProgressLocation", "QuickPickItemKind", "StatusBarAlignment", "ViewColumn"],
      ...["TreeItem", "TreeItemCollapsibleState", "ThemeIcon", "TestRunRequest", "TestMessage"],
      ...["TestRunProfileKind", "TabInputText", "CodeAction", "CodeActionKind"],
      ...["Location", "ConfigurationTarget", "LanguageModelChatMessage"],
      ...["UIKind"],
    ];
    return withDefault({
      ...Object.fromEntries(seen.map((name) => [name, anything()])),
      ViewColumn: { One: 1 },
      TabInputCustom,
      CancellationTokenSource: TokenSource,
      Diagnostic,
      DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
      EventEmitter: Emitter,
      Position,
      Range,
      ThemeColor: anything(),
      Uri,
      QuickPickItemKind: { Separator: -1 },
      env: withDefault({
        appName: "Stand-in",
        language: "en",
        openExternal: () => Promise.resolve(true),
      }),
      lm: withDefault({
        selectChatModels: () => Promise.resolve(this.offered),
        onDidChangeChatModels: this.models.event,
      }),
      version: "1.100.0",
      tests: this.testing.part(),
      commands: this.commandsPart(),
      languages: this.languagesPart(),
      window: this.windowPart(),
      workspace: this.workspacePart(),
    });
  }

  private commandsPart(): object {
    return withDefault({
      registerCommand: (id: string, run: (...args: unknown[]) => unknown) => {
        this.commands.set(id, run);
        return { dispose: () => this.commands.delete(id) };
      },
      executeCommand: (id: string, ...args: unknown[]) => {
        this.executed.push({ id, args });
        return Promise.resolve(this.commands.get(id)?.(...args));
      },
    });
  }

  private languagesPart(): object {
    return withDefault({
      createDiagnosticCollection: () =>
        withDefault({
          set: ({ fsPath }: Uri, diagnostics: Diagnostic[]) => {
            this.diagnostics.set(fsPath, diagnostics);
          },
        }),
      getDiagnostics: ({ fsPath }: Uri) => this.diagnostics.get(fsPath) ?? [],
    });
  }

  private windowPart(): object {
    const say =
      (to: string[]) =>
      (message: string, ...rest: unknown[]) => {
        to.push(message);
        if (typeof rest[0] === "object") {
          this.details.push(String((rest[0] as { detail?: string }).detail));
          const wanted = this.confirms === true ? rest[1] : this.confirms;
          return Promise.resolve(rest.find((button) => button === wanted));
        }
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
      createTreeView: (id: string, { treeDataProvider }: { treeDataProvider: Provider }) => {
        this.trees.set(id, () => treeDataProvider.getChildren());
        return { dispose: nothing };
      },
      tabGroups: this.tabGroups,
      createOutputChannel: () => this.outputChannel(),
      createStatusBarItem: () => bar,
      setStatusBarMessage: say(this.messages),
      showErrorMessage: say(this.errors),
      showInformationMessage: say(this.messages),
      showWarningMessage: say(this.messages),
      showQuickPick: async (items: Promise<Choice[]>, options?: { title?: string }) =>
        this.choose(await items, options?.title),
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
        return task({ report: nothing }, { onCancellationRequested: nothing });
      },
      }),
    );
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

  private workspacePart(): object {
    const folders = (): object[] | undefined => {
      const all = this.folders.map((folder) => ({ uri: Uri.file(folder), name: folder }));
      return all.length === 0 ? undefined : all;
    };
    const part = {
      textDocuments: this.documents,
      notebookDocuments: [],
      openTextDocument: ({ fsPath }: Uri) => Promise.resolve(this.document(fsPath)),
      onDidOpenTextDocument: this.opened.event,
      onDidGrantWorkspaceTrust: this.trusted.event,
      onDidChangeConfiguration: this.configured.event,
      getConfiguration: () => ({
        update: (key: string, value: unknown) => {
          this.configure({ [key]: value });
          return Promise.resolve();
        },
        get: (key: string, otherwise: unknown) => this.settings[key] ?? otherwise,
        inspect: (key: string) => ({ globalValue: this.settings[key] }),
      }),
    };
    Object.defineProperties(part, {
      isTrusted: { get: () => this.isTrusted },
      workspaceFolders: { get: folders },
    });
    return withDefault(part);
  }
}
