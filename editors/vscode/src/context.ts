// Owns the client, the status bar item and everything else that must be disposed; knows what the
// server last said.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { Installation } from "./setUp/install";
import type { ClientReactions } from "./server/client";
import type { CommandForm } from "./commands/commandNames";
import type { Change, Known } from "./server/known";
import { type Problem, readProblem, type ServerState } from "./words/messages";
import { onwardOf } from "./exercises/onward";
import { Waiting } from "./exercises/waiting";
import { meantRoot, mayRun, named, rootOf, saveExercise, which } from "./window/place";
import { ProgressNotifications } from "./server/progress";
import type { Installed } from "./setUp/privateServer";
import {
  type Command,
  type Interface,
  type Said,
  type TestReport,
  type TestResult,
  type TestsRan,
  type UnitsChanged,
} from "./server/protocol";
import { Reading } from "./reading/reading";
import { Screen } from "./window/screen";
import { type MakeClient, Server } from "./server/server";
import { Starts } from "./exercises/starts";
import { StatusBar } from "./views/statusBar";
import type { Storage } from "./window/storage";
import { Telling } from "./server/telling";
import { offer, type Offer, offerRemedies, showProgress } from "./words/ui";
import { t } from "./words/words";

/** Context key: the views say so where the server does not run though it should. */
const FAILED = "tutorLsp.serverFailed";
/** Context key: it has run in this window, so that it can be started again. */
const RAN = "tutorLsp.serverRan";
/** Context key: tests have run here, so that the walkthrough goes on. */
const TESTED = "tutorLsp.tested";

/** What main.ts does when the server says something unasked. */
export interface Reactions extends Omit<ClientReactions, "unitsChanged" | "testsRan"> {
  /** The server runs, for the first time or again. */
  running(): unknown;
}

export class Context {
  readonly log = vscode.window.createOutputChannel("Tutor", { log: true });
  readonly progress: ProgressNotifications;
  readonly installation: Installation;
  readonly which = which;
  readonly save = saveExercise;
  readonly screen: Screen;
  readonly reading: Reading;
  state: Known = { info: null, units: [], tests: [], review: null };
  readonly starts = new Starts();

  private readonly changed = new vscode.EventEmitter<Change>();
  private readonly ran = new vscode.EventEmitter<Said<TestReport>>();
  readonly onDidChange = this.changed.event;
  readonly onDidRun = this.ran.event;

  private readonly bar = new StatusBar();
  private readonly disposables: { dispose(): unknown }[] = [
    this.log,
    this.bar,
    this.changed,
    this.ran,
  ];
  /** The tutor's home, where it makes exercises; known from the first status on. */
  home: string | undefined;
  readonly onward: Waiting;
  private shown = false;
  /** Whether the server could not be started when it was tried last. */
  private failed = false;
  /** The exercise of which the state was read last. */
  private looked: string | undefined;
  /** Of every session's last run that has some. */
  private readonly results = new Map<string, readonly TestResult[]>();
  private readonly life: Server;
  readonly telling: Telling;
  private tried = false;

  constructor(
    private readonly reactions: Reactions,
    settingKeys: readonly string[],
    readonly commandForm: CommandForm,
    readonly installed: Installed,
    readonly storage: Storage,
  ) {
    this.onward = new Waiting(storage, this.bar);
    this.installation = new Installation(installed, storage, this.log);
    this.screen = new Screen(storage, this.log);
    this.reading = new Reading(() => this.screen.makeRoom());
    this.life = new Server(this.installation, this.log, {
      prepare: () => this.prepare(),
      home: () => this.telling.settings().home,
      state: (state) => {
        this.onState(state);
      },
      hasWork: () => meantRoot() !== undefined,
      report: (error) => this.report(error),
    });
    this.telling = new Telling(settingKeys, storage, {
      log: this.log,
      life: this.life,
      report: (error) => this.report(error),
      modelTold: () => {
        this.refreshQuietly();
      },
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
      await mayRun(asked);
    }
    this.tried = true;
    return this.life.get(asked);
  }

  /** As `server`, with a server that is new. */
  async restart(asked: boolean): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      await mayRun(asked);
    }
    await this.life.restart(asked);
  }

  /** Starts the server before anybody asks: a failure only goes to log and status bar. */
  async getReady(): Promise<void> {
    await this.installation.prepare();
    if (this.installation.isReady()) {
      await this.server(false).catch((error: unknown) => {
        this.log.warn(`The server did not get ready: ${readProblem(error).message}`);
      });
    }
  }

  get isRunning(): boolean {
    return this.life.isRunning;
  }

  /** Whether this window has started a server, or tried to. */
  get wasTried(): boolean {
    return this.tried;
  }

  /**
   * Restarts a server that is no longer the one in the settings. Returns whether there was one.
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
    return this.isRunning || this.installation.mayStart();
  }

  /** Whether jobs end because the server is being stopped, not because they were cancelled. */
  get isStopping(): boolean {
    return this.life.isStopping;
  }

  /** Stops the server; the next command starts it again. */
  stop(): Promise<void> {
    return this.life.stop();
  }

  /** Runs a command on the server; `token` cancels it. Rejects with the server's error. */
  async request<C extends Command>(
    command: C,
    argument: Interface[C]["argument"],
    token?: vscode.CancellationToken,
  ): Promise<Interface[C]["result"]> {
    const client = await this.server(true);
    const params = { command, arguments: [argument] };
    const method = "workspace/executeCommand";
    return token === undefined
      ? client.sendRequest(method, params)
      : client.sendRequest(method, params, token);
  }

  /**
   * Folder of the exercise that a command's argument names, whichever is in front by then. Asks the
   * server if neither the document nor the state has it.
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
    const level = problem.kind === "CANCELLED" ? "info" : "error";
    this.log[level](`${problem.kind}: ${problem.message}`);
    await this.showProblem(problem);
  }

  async showProblem(problem: Problem): Promise<void> {
    if (problem.kind === "CANCELLED") {
      vscode.window.setStatusBarMessage(t`Tutor: stopped`, 4000);
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

  /** Reads session, units and the last review again. */
  async refresh(): Promise<void> {
    const root = meantRoot();
    this.looked = root ?? this.looked;
    const before = this.state.units;
    const status = await this.request("tutor.status", this.which());
    this.home = status.home;
    this.onward.note(onwardOf(status));
    void this.screen.heard(status.layout);
    const info = status.session !== null && "id" in status.session ? status.session : null;
    const reviewed = info?.history.some(({ verdict }) => verdict !== null) === true;
    const review = reviewed ? await this.request("tutor.review", { session: info.id }) : null;
    if ((meantRoot() ?? root) !== root) {
      // The window has turned to another exercise meanwhile.
      return this.refresh();
    }
    const tests = this.results.get(info?.id ?? "") ?? [];
    const sameSession = info !== null && info.id === this.state.info?.id;
    // A change reported while the review was read is newer than the status.
    const newer = reviewed && sameSession && this.state.units !== before;
    const units = newer ? this.state.units : info === null ? [] : (status.units ?? []);
    const standing = newer ? (this.state.info?.standing ?? null) : (info?.standing ?? null);
    this.state = { info: info && { ...info, standing }, units, tests, review };
    // One that ended while the review was read is not brought back.
    const job = status.jobs.find(({ jobId, state }) => {
      return state === "running" && !this.starts.isOver(jobId);
    });
    this.bar.show({ working: job?.title, ...(newer ? {} : { said: status.say.oneLine }) });
    this.show("record");
  }

  /** Whether the window means another exercise than the one that was read last. */
  hasTurned(): boolean {
    return (meantRoot() ?? this.looked) !== this.looked;
  }

  private show(change: Change): void {
    const { info } = this.state;
    // The server answers with the exercise used last, where this window has none of its own.
    const isOwn = this.looked !== undefined && info !== null;
    this.bar.show({ untold: false, progress: isOwn ? (info.standing?.words ?? "") : undefined });
    this.changed.fire(change);
  }

  /** Loads what a client needs. Later than the extension itself: a window shows code first. */
  private async prepare(): Promise<MakeClient> {
    const [{ createClient }, model] = await Promise.all([
      import("./server/client.js"),
      this.telling.looksForModel(),
    ]);
    return (file, args, onEnd) => {
      this.telling.startsWith(model);
      const reactions = {
        ...this.reactions,
        unitsChanged: this.onUnits.bind(this),
        testsRan: this.onTests.bind(this),
      };
      return createClient(this, file, args, reactions, model, onEnd);
    };
  }

  private onState(state: ServerState): void {
    this.bar.show({ server: state });
    void vscode.commands.executeCommand("setContext", FAILED, state === "failed");
    const { failed } = this;
    this.failed = state === "failed" || (failed && state !== "ready");
    if (state !== "ready") {
      this.progress.closeAll();
      this.bar.show({ working: undefined, untold: true });
    } else {
      void vscode.commands.executeCommand("setContext", RAN, true);
      if (failed) {
        // What was said of that is no longer so; the list of notifications keeps it.
        void vscode.commands.executeCommand("notifications.hideToasts");
      }
      this.refreshQuietly();
      this.reactions.running();
      this.telling.askAboutFolder();
    }
  }

  private onUnits({ sessionId, units, standing, say }: Said<UnitsChanged>): void {
    const { info } = this.state;
    if (info?.id === sessionId) {
      this.state = { ...this.state, units, info: { ...info, standing } };
      this.bar.show({ said: `${info.title}: ${say.oneLine}` });
      this.show("units");
    } else {
      this.refreshQuietly();
    }
  }

  private onTests({ sessionId, report, say }: Said<TestsRan>): void {
    if (report.tests.length > 0) {
      void vscode.commands.executeCommand("setContext", TESTED, true);
      this.results.set(sessionId, report.tests);
    }
    const known = this.state.info?.id === sessionId ? Promise.resolve() : this.refresh();
    known.then(
      () => {
        if (this.state.info?.id === sessionId) {
          this.state = { ...this.state, tests: this.results.get(sessionId) ?? [] };
          this.ran.fire({ ...report, say });
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
