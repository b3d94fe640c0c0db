// A stand-in for the editor: enough of the module `vscode` that the bundle and its language client
// run under Node. What the tests look at is recorded; everything else is an empty callable thing.
import { Module } from "node:module";
import { dirname, join } from "node:path";
import {
  anything,
  Diagnostic,
  type Document,
  Emitter,
  nothing,
  Position,
  Range,
  TabInputCustom,
  TabInputText,
  TokenSource,
  Uri,
  withDefault,
} from "./fakeParts";
import { FakeTesting } from "./fakeTesting";
import { FakeWindow } from "./fakeWindow";
import { filled } from "../src/words/words";
import { eventually } from "./waiting";

export interface HoverProvider {
  provideHover(document: Document, position: Position, token: object): Promise<unknown>;
}

export class FakeEditor extends FakeWindow {
  readonly commands = new Map<string, (...args: unknown[]) => unknown>();
  readonly executed: { id: string; args: unknown[] }[] = [];
  /** Extensions that are there besides, by id, and whether each runs. */
  readonly others = new Map<string, { isActive: boolean }>();
  readonly testing = new FakeTesting();
  /** What is shown on files, by path. */
  readonly diagnostics = new Map<string, Diagnostic[]>();
  /** What gives hovers, in the order in which it came. */
  readonly hovers: HoverProvider[] = [];
  private readonly diagnosed = new Emitter();
  private readonly models = new Emitter();
  private readonly languageModels: object[] = [];

  /** Registers a language model, as an extension that is slow to start. */
  offerModel(): void {
    this.languageModels.push({});
    this.models.fire(undefined);
  }

  /** Shows these diagnostics on a file. */
  diagnose(file: string, diagnostics: Diagnostic[]): void {
    this.diagnostics.set(file, diagnostics);
    this.diagnosed.fire({ uris: [Uri.file(file)] });
  }

  /** What VS Code gives to `activate`; `storage` is the extension's own folder. */
  extension(packageJSON: unknown, storage: string): object {
    return {
      extension: { packageJSON, id: "someone.tutor-lsp" },
      extensionPath: join(storage, "extension"),
      globalStorageUri: Uri.file(storage),
    };
  }

  /** What a `when` clause of the manifest sees under this name. */
  contextKey(name: string): unknown {
    const set = this.executed.filter(({ id, args }) => id === "setContext" && args[0] === name);
    return set.at(-1)?.args[1];
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
    for (const part of [file, ...["tutor.js", "languageclient.js"].map((name) => join(dirname(file), name))]) {
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
      delete require.cache[part];
    }
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return require(file) as Record<string, unknown>;
  }

  private module(): object {
    // Bundled imports only see a module's own members.
    const seen = [
      ...["ProgressLocation", "QuickPickItemKind", "StatusBarAlignment", "ViewColumn"],
      ...["TreeItem", "TreeItemCollapsibleState", "ThemeIcon", "TestRunRequest", "TestMessage"],
      ...["TestRunProfileKind", "CodeAction", "CodeActionKind"],
      ...["Location", "ConfigurationTarget", "LanguageModelChatMessage"],
      ...["DecorationRangeBehavior", "TextEditorRevealType", "MarkdownString"],
    ];
    const remoteName = (): string | undefined => this.remoteName;
    return withDefault({
      ...Object.fromEntries(seen.map((name) => [name, anything()])),
      ViewColumn: { One: 1 },
      UIKind: { Desktop: 1, Web: 2 },
      TabInputCustom,
      TabInputText,
      TabInputTextDiff: Map,
      CancellationTokenSource: TokenSource,
      Diagnostic,
      DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
      EventEmitter: Emitter,
      Position,
      Range,
      ThemeColor: anything(),
      Uri,
      QuickPickItemKind: { Separator: -1 },
      l10n: { t: filled },
      env: withDefault({
        appName: "Stand-in",
        language: "en",
        get remoteName() {
          return remoteName();
        },
        uiKind: 1,
        openExternal: () => {
          this.openedOutside += 1;
          return Promise.resolve(this.opensExternally);
        },
      }),
      lm: withDefault({
        selectChatModels: () => Promise.resolve(this.languageModels),
        onDidChangeChatModels: this.models.event,
      }),
      version: "1.100.0",
      extensions: withDefault({
        getExtension: (id: string) => this.others.get(id),
      }),
      tests: this.testing.part(),
      tasks: { fetchTasks: () => this.answerAboutTrust() },
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
            this.diagnose(fsPath, diagnostics);
          },
        }),
      registerHoverProvider: (_selector: unknown, provider: HoverProvider) => {
        this.hovers.push(provider);
        return { dispose: nothing };
      },
      onDidChangeDiagnostics: this.diagnosed.event,
      getDiagnostics: ({ fsPath }: Uri) => this.diagnostics.get(fsPath) ?? [],
    });
  }
}
