// The language client: what the server is told at the start, and what is handled here instead of
// in the client's own way.
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  ResponseError,
  RevealOutputChannelOn,
  type ServerOptions,
  ShowMessageNotification,
  ShowMessageRequest,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import type { Context, Reactions } from "./context";
import { Diagnostics } from "./diagnostics";
import { hoverLinks, LINKED } from "./hover";
import { exerciseRoot, isReading } from "./paths";
import { answer } from "./model";
import { ASK, MODEL, NOTIFICATIONS, type SessionFailed, type SessionReady } from "./protocol";
import type { ModelRequest } from "./question";
import { initialOptions, sectionOf } from "./settings";
import { showCode } from "./show";
import { sayAs } from "./ui";

/** Code of an answer that says why the editor's model did not answer. */
const REFUSED = -32000;

/** A client whose troubles go to the log: what the learner is told, the extension says itself. */
class QuietClient extends LanguageClient {
  private readonly shown: Diagnostics;

  constructor(server: ServerOptions, options: LanguageClientOptions, showsAll: () => boolean) {
    const diagnostics = new Diagnostics(showsAll);
    const handleDiagnostics = diagnostics.handle.bind(diagnostics);
    const middleware = { ...options.middleware, handleDiagnostics };
    super("tutor", "Tutor", server, { ...options, middleware });
    this.shown = diagnostics;
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override async dispose(timeout?: number): Promise<void> {
    this.shown.dispose();
    await super.dispose(timeout);
  }
}

export function createClient(
  context: Context,
  command: string,
  args: readonly string[],
  reactions: Reactions,
  offersModel: boolean,
  onEnd: () => void,
): LanguageClient {
  const options: LanguageClientOptions = {
    documentSelector: [
      ...["rust", "python", "c"].map((language) => ({ scheme: "file", language })),
      { scheme: "file", language: "markdown", pattern: "**/LESSON.md" },
      { scheme: "file", language: "markdown", pattern: "**/.tutor/*.md" },
    ],
    initializationOptions: () => initialOptions(context.settings(), offersModel),
    outputChannel: context.log,
    traceOutputChannel: context.log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    diagnosticCollectionName: "tutor",
    // Models and authors have a part in what the server says: only the extension's links run.
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
        const [first] = hover?.contents ?? [];
        const text = first instanceof vscode.MarkdownString ? first.value : "";
        const { info, units } = context.state;
        const root = exerciseRoot(document.uri.fsPath, existsSync);
        const links = hoverLinks(text, root, info, units);
        if (!hover || links === "") {
          return hover;
        }
        const more = new vscode.MarkdownString(links);
        more.isTrusted = { enabledCommands: LINKED };
        return new vscode.Hover([...hover.contents, more], hover.range);
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
          return answers.map((answer: unknown, index) => {
            const section = params.items[index]?.section;
            return section === "tutor" || section?.startsWith("tutor.")
              ? sectionOf(context.settings(), section)
              : answer;
          });
        },
        // Context.sendSettings does it, without the defaults of the manifest.
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
            await showCode(uri.fsPath, line + 1);
          }
          return { success: true };
        },
      },
    },
  };

  const client = new QuietClient(
    { command, args: [...args], transport: TransportKind.stdio },
    options,
    () => context.settings().buildErrors === "always",
  );
  // Instead of the client's own, which shows the protocol's names of commands.
  client.onNotification(ShowMessageNotification.type, ({ type, message }) => {
    void sayAs(type, message);
  });
  client.onRequest(ShowMessageRequest.type, ({ type, message, actions = [] }) =>
    sayAs(type, message, actions).then((chosen) => chosen ?? null),
  );
  client.onNotification(NOTIFICATIONS.sessionReady, (ready: SessionReady) => {
    reactions.sessionReady(ready);
  });
  client.onNotification(NOTIFICATIONS.sessionFailed, (failed: SessionFailed) => {
    reactions.sessionFailed(failed);
  });
  client.onRequest(ASK, async ({ prompt }: { prompt: string }) => ({
    text: (await vscode.window.showInputBox({ prompt, ignoreFocusOut: true })) ?? null,
  }));
  client.onRequest(MODEL, async (request: ModelRequest, token: vscode.CancellationToken) => {
    const { model: wanted } = context.settings();
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
