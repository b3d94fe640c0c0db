// The language client: the server's initialization options, and what is handled here instead of by
// the client itself.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type MessageTransports,
  type LanguageClientOptions,
  ResponseError,
  RevealOutputChannelOn,
  type ServerOptions,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import type { CommandForm } from "../commands/commandNames";
import { Diagnostics } from "../code/diagnostics";
import { LANGUAGES } from "../code/errorCodes";
import { hoverLinks, LINKED } from "../code/hover";
import { exerciseRoot, isReading } from "../window/paths";
import { windowFolders } from "../window/place";
import { answer } from "./model";
import { ASK, HEARD, type Heard, MODEL } from "./protocol";
import type { ProgressNotifications } from "./progress";
import type { Known } from "./known";
import type { Reading } from "../reading/reading";
import type { ModelRequest } from "./question";
import { sourcesIn } from "./selector";
import { initialOptions } from "./settings";
import { showNamed } from "../exercises/show";
import type { Telling } from "./telling";

/** Code of an answer that says why the editor's model did not answer. */
const REFUSED = -32000;
/** How long (ms) a server whose connection has ended may take to end itself. */
const ENDS_WITHIN = 1000;

/** What a client works with. */
export interface Around {
  readonly log: vscode.LogOutputChannel;
  readonly progress: Pick<ProgressNotifications, "handle">;
  readonly reading: Pick<Reading, "showAt">;
  readonly commandForm: CommandForm;
  readonly state: Known;
  readonly telling: Pick<Telling, "settings">;
  /** The server has just shown a document itself. */
  noteShown(): void;
}

/** How notifications of the server are handled, and commands of lenses, links and code actions. */
export interface ClientReactions extends Heard {
  /** A server command that is not asked for by this extension itself. */
  execute(command: string, argument: object, next: () => unknown): unknown;
}

type Failed<T> = Parameters<typeof LanguageClient.prototype.handleFailedRequest<T>>;

/** A client whose errors only go to the log: the extension itself tells the learner. */
class QuietClient extends LanguageClient {
  private readonly shown: Diagnostics;
  private spawned: ChildProcess | undefined;
  /** Whether it is asked to end: what fails from then on has come too late. */
  private ending = false;

  constructor(server: ServerOptions, options: LanguageClientOptions, showsAll: () => boolean) {
    const diagnostics = new Diagnostics(showsAll);
    const handleDiagnostics = diagnostics.handle.bind(diagnostics);
    const middleware = { ...options.middleware, handleDiagnostics };
    super("tutor", "Tutor", server, { ...options, middleware });
    this.shown = diagnostics;
  }

  /** See `MakeClient`. */
  async ended(): Promise<NodeJS.Signals | null> {
    const { spawned } = this;
    if (spawned?.exitCode === null && spawned.signalCode === null) {
      const signal = AbortSignal.timeout(ENDS_WITHIN);
      await once(spawned, "exit", { signal }).catch(() => undefined);
    }
    return spawned?.signalCode ?? null;
  }

  protected override async createMessageTransports(encoding: string): Promise<MessageTransports> {
    const transports = await super.createMessageTransports(encoding);
    // The client itself forgets it as soon as it has ended.
    this.spawned = this.serverProcess;
    return transports;
  }

  /** A request that its server's end has overtaken has no answer; that is no fault. */
  override handleFailedRequest<T>(...failed: Failed<T>): T {
    return this.isRunning() ? super.handleFailedRequest(...failed) : failed[3];
  }

  override error(message: string, data?: unknown): void {
    if (this.ending) {
      this.debug(message, data, false);
    } else {
      super.error(message, data, false);
    }
  }

  override async dispose(timeout?: number): Promise<void> {
    this.ending = true;
    this.shown.dispose();
    await super.dispose(timeout);
  }
}

export function createClient(
  context: Around,
  command: string,
  args: readonly string[],
  reactions: ClientReactions,
  offersModel: boolean,
  onEnd: () => void,
): QuietClient {
  const options: LanguageClientOptions = {
    documentSelector: [
      ...LANGUAGES.map((language) => ({ scheme: "file", language })),
      // VS Code may have no name for a language that was added.
      ...windowFolders().flatMap((folder) => sourcesIn(folder, existsSync)),
      { scheme: "file", language: "markdown", pattern: "**/LESSON.md" },
      { scheme: "file", language: "markdown", pattern: "**/.tutor/*.md" },
    ],
    initializationOptions: () => initialOptions(context.telling.settings(), offersModel, context.commandForm),
    outputChannel: context.log,
    traceOutputChannel: context.log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    diagnosticCollectionName: "tutor",
    // Models and authors contribute to the server's texts: only the extension's own links run.
    markdown: { isTrusted: false, supportHtml: false },
    initializationFailedHandler: (error: unknown) => {
      context.log.error(`The server refused to start: ${String(error)}`);
      return false;
    },
    errorHandler: {
      error: (error, _message, count) => {
        context.log.error(`The connection to the server has a problem: ${error.message}`);
        const action = (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown;
        return { action, handled: true };
      },
      // Server starts it again, with a new client: this one gives up where that fails once.
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
    middleware: {
      handleWorkDoneProgress: (token, progress, next) => {
        context.progress.handle(token, progress, () => {
          next(token, progress);
        });
      },
      provideHover: async (document, position, token, next) => {
        const hover = await next(document, position, token);
        if (!hover) {
          return hover;
        }
        const [first] = hover.contents;
        const text = first instanceof vscode.MarkdownString ? first.value : "";
        const { info, units } = context.state;
        const root = exerciseRoot(document.uri.fsPath, existsSync);
        const links = hoverLinks(text, root, info, units);
        if (links === "") {
          return hover;
        }
        const more = new vscode.MarkdownString(links);
        more.isTrusted = { enabledCommands: LINKED };
        return new vscode.Hover([more, ...hover.contents], hover.range);
      },
      executeCommand: (name, given: unknown[], next) => {
        const argument = typeof given[0] === "object" && given[0] !== null ? given[0] : {};
        return reactions.execute(name, argument, () => next(name, given));
      },
      workspace: {
        configuration: (params, token, next) => {
          const answers = next(params, token);
          if (!Array.isArray(answers)) {
            return answers;
          }
          return answers.map((answer: unknown, index) =>
            params.items[index]?.section === "tutor" ? context.telling.settings() : answer,
          );
        },
        // Telling.sendSettings does it, without the defaults of the manifest.
        didChangeConfiguration: () => Promise.resolve(),
      },
      window: {
        showDocument: async (params, token, next) => {
          const uri = vscode.Uri.parse(params.uri);
          if (params.external === true && uri.scheme === "file") {
            // The report, which the command's answer shows: a browser may be on another machine.
            return { success: true };
          }
          context.noteShown();
          if (params.external || uri.scheme !== "file") {
            return next(params, token);
          }
          const line = params.selection?.start.line ?? 0;
          if (isReading(uri.fsPath, existsSync)) {
            await context.reading.showAt(uri.fsPath, line);
          } else {
            await showNamed(context.state, uri.fsPath, line + 1);
          }
          return { success: true };
        },
      },
    },
  };

  const client = new QuietClient(
    { command, args: [...args], transport: TransportKind.stdio },
    options,
    () => context.telling.settings().buildErrors === "always",
  );
  for (const name of HEARD) {
    const react = reactions[name] as (payload: unknown) => void;
    client.onNotification(`tutor/${name}`, react);
  }
  client.onRequest(ASK, async ({ prompt }: { prompt: string }) => ({
    text: (await vscode.window.showInputBox({ prompt, ignoreFocusOut: true })) ?? null,
  }));
  client.onRequest(MODEL, async (request: ModelRequest, token: vscode.CancellationToken) => {
    const { model: wanted } = context.telling.settings();
    try {
      return await answer(request, typeof wanted === "string" ? wanted : "", token);
    } catch (error) {
      throw new ResponseError(REFUSED, error instanceof Error ? error.message : String(error));
    }
  });
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Stopped || newState === State.StartFailed) {
      onEnd();
    }
  });
  return client;
}
