// Owns the client, the status bar item and everything else that must be disposed.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename } from "node:path";
import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient, State } from "vscode-languageclient/node";
import { createClient } from "./client";
import { findServer } from "./discovery";
import {
  type BarState,
  missingServer,
  type Problem,
  readProblem,
  restricted,
  startFailed,
  TutorProblem,
} from "./messages";
import { exerciseRoot, isInside, sessionFile } from "./paths";
import { ProgressNotifications } from "./progress";
import {
  type Command,
  type Commands,
  type Job,
  NOTIFICATIONS,
  type SessionFailed,
  type SessionReady,
  type StartArgument,
  type UnitsChanged,
  type Which,
} from "./protocol";
import { explicitSettings } from "./settings";
import { StatusBar } from "./statusBar";
import { offerRemedies } from "./ui";

/** What main.ts does when the server says something unasked. */
export interface Reactions {
  sessionReady(ready: SessionReady): unknown;
  sessionFailed(failed: SessionFailed): unknown;
  /** A server command that a lens, a link or a code action runs. */
  execute(command: string, argument: object, next: () => unknown): unknown;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export class Context {
  readonly log = vscode.window.createOutputChannel("Tutor", { log: true });
  readonly progress: ProgressNotifications;
  /** What was last asked for, and when: for "Try Again" and to judge the wait. */
  lastStart: { argument: StartArgument; at: number } | undefined;

  private readonly bar = new StatusBar();
  private readonly disposables: { dispose(): unknown }[] = [this.log, this.bar];
  private sessionId: string | undefined;
  private shown = false;
  private running: Promise<LanguageClient> | undefined;
  private client: LanguageClient | undefined;

  constructor(
    private readonly reactions: Reactions,
    private readonly settingKeys: readonly string[],
  ) {
    this.progress = new ProgressNotifications(
      (title, body) => {
        void vscode.window.withProgress(
          { location: vscode.ProgressLocation.Notification, title, cancellable: true },
          (report, cancellation) => {
            cancellation.onCancellationRequested(() => {
              body.cancelled();
            });
            body.attach((step) => {
              report.report(step);
            });
            return body.done;
          },
        );
      },
      (token) => {
        void this.client?.sendNotification("window/workDoneProgress/cancel", { token });
      },
    );
  }

  own(...disposables: { dispose(): unknown }[]): void {
    this.disposables.push(...disposables);
  }

  async dispose(): Promise<void> {
    await this.stop();
    for (const disposable of this.disposables.splice(0).reverse()) {
      disposable.dispose();
    }
  }

  /** The running server, started if need be. Throws TutorProblem where that cannot be. */
  async server(): Promise<LanguageClient> {
    if (!vscode.workspace.isTrusted) {
      throw restricted();
    }
    this.running ??= this.start();
    try {
      const client = await this.running;
      if (client.needsStart()) {
        await client.start();
      }
      return client;
    } catch (error) {
      this.running = undefined;
      this.bar.show({ server: "failed" });
      throw error;
    }
  }

  get isRunning(): boolean {
    return this.client?.isRunning() ?? false;
  }

  /** Ends the server; the next command starts it anew. */
  async stop(): Promise<void> {
    const { client, running } = this;
    this.running = undefined;
    this.client = undefined;
    this.progress.closeAll();
    this.bar.show({ server: "off", working: undefined });
    if (client !== undefined && !client.isRunning()) {
      // A client that is still starting cannot be stopped, and its server may never answer.
      client.serverProcess?.kill();
      await running?.catch(() => undefined);
    }
    if (client?.isRunning()) {
      await client.dispose().catch((error: unknown) => {
        this.log.warn(`The server did not end in good order: ${String(error)}`);
      });
    }
  }

  /** Runs a command on the server. Rejects with what the server answered. */
  async request<C extends Command>(
    command: C,
    argument: Commands[C]["argument"],
  ): Promise<Commands[C]["result"]> {
    const client = await this.server();
    const params = { command, arguments: [argument] };
    return (await client.sendRequest(ExecuteCommandRequest.type, params)) as Commands[C]["result"];
  }

  /** The server's settings that somebody set, without the section's name. */
  settings(): Record<string, unknown> {
    const all = vscode.workspace.getConfiguration("tutor");
    return explicitSettings(this.settingKeys, (key) => all.inspect(key));
  }

  /** Tells a running server that settings have changed. */
  async sendSettings(): Promise<void> {
    if (this.client?.isRunning()) {
      const settings = { tutor: this.settings() };
      await this.client.sendNotification("workspace/didChangeConfiguration", { settings });
    }
  }

  /** Which session this window means, for the server. */
  which(): Which {
    const file = this.sessionFile();
    return file === undefined ? {} : { uri: vscode.Uri.file(file).toString() };
  }

  /** Folder of the exercise that this window means. Asks the server if no editor says so. */
  async root(): Promise<string | undefined> {
    const file = this.sessionFile();
    const root = file === undefined ? undefined : exerciseRoot(file, existsSync);
    if (root !== undefined) {
      return root;
    }
    const { session } = await this.request("tutor.status", {});
    return session !== null && "workspace" in session ? session.workspace : undefined;
  }

  /** Saves what the learner has changed in the exercise, so that runs see what is on the screen. */
  async save(): Promise<void> {
    const file = this.sessionFile();
    const root = file === undefined ? undefined : exerciseRoot(file, existsSync);
    for (const document of vscode.workspace.textDocuments) {
      const { scheme, fsPath } = document.uri;
      const meant = root !== undefined && scheme === "file" && isInside(root, fsPath);
      if (meant && document.isDirty && !(await document.save())) {
        throw new TutorProblem(
          "UNSAVED",
          `${basename(fsPath)} could not be saved. Save it yourself, then try again.`,
        );
      }
    }
  }

  /** Shows what went wrong. Something that was cancelled is only mentioned in the status bar. */
  async report(error: unknown): Promise<void> {
    const problem = readProblem(error);
    this.log.error(`${problem.kind}: ${problem.message}`);
    await this.showProblem(problem);
  }

  async showProblem(problem: Problem): Promise<void> {
    if (problem.kind === "CANCELLED") {
      vscode.window.setStatusBarMessage("Tutor: stopped", 4000);
    } else {
      await offerRemedies(problem);
    }
  }

  /** Remembers that the server has just shown a document itself. */
  noteShown(): void {
    this.shown = true;
  }

  /** Whether the server has shown a document since the last call. */
  takeShown(): boolean {
    const shown = this.shown;
    this.shown = false;
    return shown;
  }

  /** A long job began or (undefined) ended. */
  working(what: string | undefined): void {
    this.bar.show({ working: what });
  }

  showSession(session: { id: string; title: string } | null, units?: BarState["units"]): void {
    this.sessionId = session?.id;
    this.bar.show({ title: session?.title, units: session === null ? undefined : units });
  }

  /** Reads the session anew for the status bar. */
  async refresh(): Promise<void> {
    const status = await this.request("tutor.status", this.which());
    const session = status.session !== null && "id" in status.session ? status.session : null;
    this.showSession(session, status.units ?? undefined);
    this.bar.show({ backend: status.backend, working: runningJob(status.jobs) });
  }

  private sessionFile(): string | undefined {
    const file = ({ uri }: vscode.TextDocument): string[] =>
      uri.scheme === "file" ? [uri.fsPath] : [];
    const active = vscode.window.activeTextEditor;
    return sessionFile(
      {
        active: active && file(active.document)[0],
        visible: vscode.window.visibleTextEditors.flatMap((editor) => file(editor.document)),
        folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
      },
      existsSync,
    );
  }

  private async start(): Promise<LanguageClient> {
    const settings = vscode.workspace.getConfiguration("tutor.server");
    const search = findServer(
      {
        setting: settings.get("command", ""),
        folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
        pathVariable: process.env.PATH ?? "",
        home: homedir(),
      },
      isExecutable,
    );
    if (!search.found) {
      this.log.error(`Looked for the server at: ${search.tried.join(", ")}`);
      throw missingServer(search);
    }
    this.log.info(`Starting ${search.file} (found by: ${search.origin})`);
    this.bar.show({ server: "starting" });
    const client = createClient(this, search.file, settings.get("args", ["serve"]), this.reactions);
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      this.onState(client, newState);
    });
    client.onNotification(NOTIFICATIONS.unitsChanged, (changed: UnitsChanged) => {
      this.onUnits(changed);
    });
    try {
      await client.start();
    } catch (error) {
      this.log.error(`${search.file} did not start: ${String(error)}`);
      throw startFailed(search.file);
    }
    return client;
  }

  private onState(client: LanguageClient, state: State): void {
    if (client !== this.client) {
      return;
    }
    if (state !== State.Running) {
      this.progress.closeAll();
      this.bar.show({
        server: state === State.Stopped ? "failed" : "starting",
        working: undefined,
      });
    } else {
      this.bar.show({ server: "ready" });
      this.refresh().catch((error: unknown) => {
        this.log.warn(`The status could not be read: ${readProblem(error).message}`);
      });
    }
  }

  private onUnits({ sessionId, units }: UnitsChanged): void {
    if (this.sessionId === sessionId) {
      this.bar.show({ units });
      return;
    }
    this.refresh().catch((error: unknown) => {
      this.log.warn(`The status could not be read: ${readProblem(error).message}`);
    });
  }
}

function runningJob(jobs: readonly Job[]): string | undefined {
  return jobs.find((job) => job.state === "running")?.title;
}
