// Owns the client, the status bar item and everything else that must be disposed; knows what the
// server last said.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { FolderChoice } from "./folderChoice";
import { Installation, type Installed } from "./install";
import type { Change, Known } from "./known";
import { type Problem, readProblem, restricted, type ServerState } from "./messages";
import { hasModel } from "./model";
import { meantRoot, named, rootOf, saveExercise, which } from "./place";
import { ProgressNotifications } from "./progress";
import {
  type Command,
  type Commands,
  MODEL_CHANGED,
  NOTIFICATIONS,
  type HintReady,
  type Report,
  type SessionFailed,
  type SessionReady,
  type TestResult,
  type TestsRan,
  type UnitsChanged,
} from "./protocol";
import { Reading } from "./reading";
import { type MakeClient, Server } from "./server";
import { explicitSettings } from "./settings";
import { Starts } from "./starts";
import { StatusBar } from "./statusBar";
import type { Storage } from "./storage";
import { offer, type Offer, offerRemedies, showProgress } from "./ui";

/** Context key: the views say so where the server does not run though it should. */
const FAILED = "tutorLsp.serverFailed";
/** Context key: tests have run here, so that the walkthrough goes on. */
const TESTED = "tutorLsp.tested";

/** What main.ts does when the server says something unasked. */
export interface Reactions {
  sessionReady(ready: SessionReady): unknown;
  sessionFailed(failed: SessionFailed): unknown;
  hintReady(ready: HintReady): unknown;
  /** The server runs, for the first time or again. */
  running(): unknown;
  /** A server command that a lens, a link or a code action runs. */
  execute(command: string, argument: object, next: () => unknown): unknown;
}

export class Context {
  readonly log = vscode.window.createOutputChannel("Tutor", { log: true });
  readonly progress: ProgressNotifications;
  readonly installation: Installation;
  private readonly folder: FolderChoice;
  readonly which = which;
  readonly save = saveExercise;
  readonly reading = new Reading();
  state: Known = { info: null, units: [], tests: [], review: null };
  readonly starts = new Starts();

  private readonly changed = new vscode.EventEmitter<Change>();
  private readonly ran = new vscode.EventEmitter<Report>();
  readonly onDidChange = this.changed.event;
  readonly onDidRun = this.ran.event;

  private readonly bar = new StatusBar();
  private readonly disposables: { dispose(): unknown }[] = [
    this.log,
    this.bar,
    this.changed,
    this.ran,
  ];
  /** The tutor's home, where it makes exercises, as soon as the server has told. */
  home: string | undefined;
  private shown = false;
  /** The exercise of which the state was read last. */
  private looked: string | undefined;
  /** Of every session's last run that has some. */
  private readonly results = new Map<string, readonly TestResult[]>();
  private offeredModel = false;
  private readonly life: Server;

  constructor(
    private readonly reactions: Reactions,
    private readonly settingKeys: readonly string[],
    installed: Installed,
    readonly storage: Storage,
  ) {
    this.installation = new Installation(installed, storage, this.log);
    this.folder = new FolderChoice(storage, () => this.sendSettings());
    this.life = new Server(this.installation, this.log, {
      prepare: () => this.prepare(),
      home: () => this.settings().home,
      state: (state) => {
        this.onState(state);
      },
      report: (error) => this.report(error),
    });
    this.progress = new ProgressNotifications(showProgress, (token) => {
      void this.life.client?.sendNotification("window/workDoneProgress/cancel", { token });
    });
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

  /**
   * The running server, started if need be; `asked`: by the learner, who may be asked to set it up.
   * Throws TutorProblem where that cannot be.
   */
  async server(asked: boolean): Promise<LanguageClient> {
    if (!vscode.workspace.isTrusted) {
      throw restricted();
    }
    return this.life.get(asked);
  }

  /** As `server`, with a server that is new. */
  async restart(asked: boolean): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw restricted();
    }
    await this.life.restart(asked);
  }

  /** Starts the server where nobody has asked yet: a failure is in log and status bar only. */
  async getReady(): Promise<void> {
    if (this.installation.isReady()) {
      await this.server(false).catch((error: unknown) => {
        this.log.warn(`The server did not get ready: ${readProblem(error).message}`);
      });
    }
  }

  get isRunning(): boolean {
    return this.life.isRunning;
  }

  /**
   * Starts anew a server that is no longer the one that the settings name. Says whether there was
   * one at all.
   */
  async followSettings(): Promise<boolean> {
    if (!this.isRunning && !this.life.isStarting) {
      return false;
    }
    if (!this.life.isCurrent) {
      await this.restart(true);
    }
    return true;
  }

  /** Whether the server would start without a question. */
  canStart(): boolean {
    return this.isRunning || this.installation.look() !== undefined;
  }

  /** Whether jobs end because the server is being stopped, not because somebody cancelled them. */
  get isStopping(): boolean {
    return this.life.isStopping;
  }

  /** Ends the server; the next command starts it anew. */
  stop(): Promise<void> {
    return this.life.stop();
  }

  /** Runs a command on the server; `token` gives it up. Rejects with what the server answered. */
  async request<C extends Command>(
    command: C,
    argument: Commands[C]["argument"],
    token?: vscode.CancellationToken,
  ): Promise<Commands[C]["result"]> {
    const client = await this.server(true);
    const params = { command, arguments: [argument] };
    const method = "workspace/executeCommand";
    return token === undefined
      ? client.sendRequest(method, params)
      : client.sendRequest(method, params, token);
  }

  /** The server's settings that somebody set, without the section's name. */
  settings(): Record<string, unknown> {
    const all = vscode.workspace.getConfiguration("tutor");
    return explicitSettings(this.settingKeys, (key) => all.inspect(key), this.folder.counts());
  }

  /** Tells the server that settings have changed, if there is one. */
  async sendSettings(): Promise<void> {
    // One that is still starting was told what held a moment ago.
    await this.life.settled();
    if (this.isRunning) {
      const settings = { tutor: this.settings() };
      await this.life.client?.sendNotification("workspace/didChangeConfiguration", { settings });
      this.askAboutFolder();
    }
  }

  /**
   * Folder of the exercise that a command's argument names, whatever is in front by now. Asks the
   * server if neither its document nor the state says so.
   */
  async root(argument: object): Promise<string | undefined> {
    const which = named(argument) ?? {};
    const { info } = this.state;
    const known = info !== null && info.id === which.session ? info.workspace : undefined;
    const root = which.uri === undefined ? known : rootOf(which.uri);
    if (root !== undefined) {
      return root;
    }
    const { session } = await this.request("tutor.status", which);
    return session !== null && "workspace" in session ? session.workspace : undefined;
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

  /** Says something with buttons, without waiting; what goes wrong behind one is reported. */
  offer(text: string, offers: readonly Offer[]): void {
    offer(text, offers).catch((error: unknown) => this.report(error));
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

  /** Reads session, units, the last review and backend anew. */
  async refresh(): Promise<void> {
    const root = meantRoot();
    this.looked = root ?? this.looked;
    const before = this.state.units;
    const status = await this.request("tutor.status", this.which());
    this.home = status.home;
    const info = status.session !== null && "id" in status.session ? status.session : null;
    const reviewed = info?.history?.some(({ verdict }) => verdict !== null) === true;
    const review = reviewed ? await this.request("tutor.review", { session: info.id }) : null;
    if ((meantRoot() ?? root) !== root) {
      // The window has turned to another exercise meanwhile.
      return this.refresh();
    }
    const tests = this.results.get(info?.id ?? "") ?? [];
    const sameSession = info !== null && info.id === this.state.info?.id;
    // What was told while the review was read is newer than the status.
    const newer = reviewed && sameSession && this.state.units !== before;
    const units = newer ? this.state.units : info === null ? [] : (status.units ?? []);
    const standing = newer ? this.state.info?.standing : info?.standing;
    this.state = { info: info && { ...info, standing: standing ?? null }, units, tests, review };
    // One that ended while the review was read is not brought back.
    const job = status.jobs.find(({ jobId, state }) => {
      return state === "running" && !this.starts.isOver(jobId);
    });
    this.bar.show({ backend: status.backend, working: job?.title });
    this.show("record");
  }

  /** Whether the window means another exercise than the one that was read last. */
  hasTurned(): boolean {
    return (meantRoot() ?? this.looked) !== this.looked;
  }

  /** Tells a server that was told otherwise that the editor has a model now. */
  async modelsChanged(): Promise<void> {
    const found = !this.offeredModel && (await hasModel());
    // One that is still starting was told what held a moment ago.
    await this.life.settled();
    if (found && this.isRunning && !this.offeredModel) {
      this.log.info("The editor offers a language model now");
      this.offeredModel = true;
      await this.life.client?.sendNotification(MODEL_CHANGED, { available: true });
      this.refreshQuietly();
    }
  }

  private show(change: Change): void {
    const { info, units } = this.state;
    // The server answers with the exercise used last, where this window has none of its own.
    const own = this.looked === undefined ? null : info;
    this.bar.show({
      untold: false,
      title: own?.title,
      units: own === null ? undefined : units,
      standing: own?.standing,
      attempts: own?.attempts,
    });
    this.changed.fire(change);
  }

  /** Loads what a client needs. Later than the extension itself: a window shows code first. */
  private async prepare(): Promise<MakeClient> {
    const wanted = this.settings().backend === "editor";
    const [{ createClient }, model] = await Promise.all([
      import("./client.js"),
      hasModel(wanted, () => this.modelsChanged().catch((error: unknown) => this.report(error))),
    ]);
    return (file, args, onEnd) => {
      this.offeredModel = model;
      const client = createClient(this, file, args, this.reactions, model, onEnd);
      client.onNotification(NOTIFICATIONS.unitsChanged, (changed: UnitsChanged) => {
        this.onUnits(changed);
      });
      client.onNotification(NOTIFICATIONS.testsRan, (ran: TestsRan) => {
        this.onTests(ran);
      });
      client.onNotification(NOTIFICATIONS.hintReady, (ready: HintReady) => {
        this.reactions.hintReady(ready);
      });
      return client;
    };
  }

  private onState(state: ServerState): void {
    this.bar.show({ server: state });
    void vscode.commands.executeCommand("setContext", FAILED, state === "failed");
    if (state !== "ready") {
      this.progress.closeAll();
      this.bar.show({ working: undefined, untold: true });
    } else {
      this.refreshQuietly();
      this.reactions.running();
      this.askAboutFolder();
    }
  }

  private askAboutFolder(): void {
    this.folder.ask().catch((error: unknown) => this.report(error));
  }

  private onUnits({ sessionId, units, standing }: UnitsChanged): void {
    const { info } = this.state;
    if (info?.id === sessionId) {
      this.state = { ...this.state, units, info: { ...info, standing: standing ?? null } };
      this.show("units");
    } else {
      this.refreshQuietly();
    }
  }

  private onTests({ sessionId, report }: TestsRan): void {
    if (report.tests.length > 0) {
      void vscode.commands.executeCommand("setContext", TESTED, true);
      this.results.set(sessionId, report.tests);
    }
    const known = this.state.info?.id === sessionId ? Promise.resolve() : this.refresh();
    known.then(
      () => {
        if (this.state.info?.id === sessionId) {
          this.state = { ...this.state, tests: this.results.get(sessionId) ?? [] };
          this.ran.fire(report);
          this.show("units");
        }
      },
      () => undefined,
    );
  }

  /** As `refresh`, where nobody waits for it. */
  refreshQuietly(): void {
    this.refresh().catch((error: unknown) => {
      this.bar.show({ untold: false });
      this.log.warn(`The status could not be read: ${readProblem(error).message}`);
    });
  }
}
