// The server's life: started when it is needed, started again when it dies, ended with the window.
import { isDeepStrictEqual } from "node:util";
import type * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Installation } from "./install";
import { givenUp, type ServerState, startFailed, TutorProblem } from "./messages";
import { Restarts } from "./restarts";

/** What is started. */
export interface Program {
  file: string;
  args: readonly string[];
}

/** Makes a client for a program, not started yet, that tells when it has ended. */
export type MakeClient = (program: Program, onEnd: () => void) => LanguageClient;

export interface Around {
  /** Loads what a client needs. */
  prepare(): Promise<MakeClient>;
  /** What the server is started with. */
  args(): readonly string[];
  /** The server's state is another now. */
  state(state: ServerState): void;
  /** Something went wrong that nobody waits for. */
  report(error: unknown): unknown;
}

export class Server {
  private readonly restarts = new Restarts();
  private starting: Promise<LanguageClient> | undefined;
  /** The start that overtakes the one before. */
  private next: Promise<LanguageClient> | undefined;
  private present: LanguageClient | undefined;
  /** What runs or starts, as soon as that is known. */
  private program: Program | undefined;
  /** Whether the present client's server has been started. */
  private ready = false;
  private stopping = false;
  /** How often it was stopped. */
  private stops = 0;

  constructor(
    private readonly installation: Installation,
    private readonly log: vscode.LogOutputChannel,
    private readonly around: Around,
  ) {}

  /** Of the server that runs or starts; undefined where there is none. */
  get client(): LanguageClient | undefined {
    return this.present;
  }

  get isRunning(): boolean {
    return this.present?.isRunning() ?? false;
  }

  get isStarting(): boolean {
    return this.starting !== undefined && !this.isRunning;
  }

  /** Whether jobs end because it is being stopped, not because somebody cancelled them. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** Whether what runs or starts is what would be started now. */
  get isCurrent(): boolean {
    const now = { file: this.installation.look()?.file, args: this.around.args() };
    return isDeepStrictEqual(now, this.program);
  }

  /** Waits until a start that is under way has come to an end, good or bad. */
  async settled(): Promise<void> {
    await this.starting?.catch(() => undefined);
  }

  /**
   * The running server, started if need be; `asked`: by the learner, who may be asked to set it up.
   * Throws TutorProblem where that cannot be; the next call tries anew.
   */
  async get(asked: boolean): Promise<LanguageClient> {
    const starting = (this.starting ??= this.start(asked));
    try {
      return await starting;
    } catch (error) {
      if (this.starting === starting) {
        this.forget();
        this.around.state("failed");
        throw error;
      }
      // What keeps the next one from starting is said where that was asked for.
      const next = await this.next?.catch(() => undefined);
      if (next === undefined) {
        throw error;
      }
      return next;
    }
  }

  /** Ends it and starts it anew. Who waits for the one before gets this one. */
  async restart(asked: boolean): Promise<void> {
    const next = this.stop().then(() => this.get(asked));
    this.next = next;
    try {
      await next;
    } finally {
      if (this.next === next) {
        this.next = undefined;
      }
    }
  }

  /** Ends it; the next `get` starts it anew. */
  async stop(): Promise<void> {
    const { present: client, starting } = this;
    this.stopping = true;
    this.stops += 1;
    this.forget();
    this.around.state("off");
    if (client !== undefined && !client.isRunning()) {
      // A client that is still starting cannot be stopped, and its server may never answer.
      client.serverProcess?.kill();
      await starting?.catch(() => undefined);
    }
    if (client?.isRunning()) {
      await client.dispose().catch((error: unknown) => {
        this.log.warn(`The server did not end in good order: ${String(error)}`);
      });
    }
    this.stopping = false;
  }

  private forget(): void {
    this.starting = undefined;
    this.present = undefined;
    this.program = undefined;
    this.ready = false;
  }

  private async start(asked: boolean): Promise<LanguageClient> {
    const { stops } = this;
    const stillWanted = (): void => {
      if (stops !== this.stops) {
        throw new TutorProblem("CANCELLED", "The tutor was stopped before its server started.");
      }
    };
    const found = await this.installation.find(asked);
    stillWanted();
    this.log.info(`Starting ${found.file} (found by: ${found.origin})`);
    const program = { file: found.file, args: this.around.args() };
    this.program = program;
    this.around.state("starting");
    const make = await this.around.prepare();
    stillWanted();
    const client = make(program, () => {
      if (client === this.present && this.ready) {
        this.onEnd(client);
      }
    });
    this.present = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(`${found.file} did not start: ${String(error)}`);
      client.dispose().catch(() => undefined);
      throw startFailed(found.file, this.installation.canInstall);
    }
    if (client === this.present) {
      this.ready = true;
      this.around.state("ready");
    }
    const version = client.initializeResult?.serverInfo?.version;
    this.installation.compare(found, version).catch((error: unknown) => this.around.report(error));
    return client;
  }

  private onEnd(client: LanguageClient): void {
    // A client that has ended once cannot be relied on, so there will be a new one.
    this.forget();
    client.dispose().catch(() => undefined);
    this.around.state("failed");
    if (!this.restarts.again(Date.now())) {
      void this.around.report(givenUp());
      return;
    }
    this.log.warn("The server ended unasked and is started again");
    this.get(false).catch((error: unknown) => this.around.report(error));
  }
}
