// The server's life: started when it is needed, started again when it dies, ended with the window.
import { isDeepStrictEqual } from "node:util";
import type * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Found, Installation } from "../setUp/install";
import { givenUp, overtaken, type ServerState } from "../words/messages";
import { Restarts } from "./restarts";

/** How long (ms) after its start a server is left alone by what can wait. */
const QUIET_MS = 15_000;

/** What is started; without a file where none is found. */
interface Program {
  file: string | undefined;
  args: readonly string[];
  /** The tutor's home in the settings, which a server keeps for life. */
  home: unknown;
}

/** Makes a client for a program, not started yet, that tells when it has ended. */
export type MakeClient = (
  file: string,
  args: readonly string[],
  onEnd: () => void,
) => LanguageClient & {
  /** The signal that has ended its server; null where it ended by itself, or has not yet. */
  ended?: () => Promise<NodeJS.Signals | null>;
};

export type Programs = Pick<
  Installation,
  "look" | "args" | "find" | "compare" | "ran" | "whyNot"
>;

export interface Around {
  /** Loads what a client needs. */
  prepare(): Promise<MakeClient>;
  /** The tutor's home in the settings. */
  home(): unknown;
  /** The server's state is another now. */
  state(state: ServerState): void;
  /** Whether the window is on an exercise. */
  hasWork(): boolean;
  /** Something went wrong that nobody waits for. */
  report(error: unknown): unknown;
}

export class Server {
  private readonly restarts = new Restarts();
  private starting: Promise<LanguageClient> | undefined;
  private present: LanguageClient | undefined;
  /** What is started, as the settings said when that began. */
  private program: Program | undefined;
  /** Whether the present client's server has been started. */
  private ready = false;
  /** How many are being stopped. */
  private stopping = 0;
  /** How often it was stopped. */
  private stops = 0;

  constructor(
    private readonly installation: Programs,
    private readonly log: Pick<vscode.LogOutputChannel, "info" | "warn" | "error">,
    private readonly around: Around,
    private readonly quietMs = QUIET_MS,
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
    return this.stopping > 0;
  }

  /** Whether what runs or starts is what would be started now. Throws as `Installation.args` does. */
  get isCurrent(): boolean {
    // A start that has to wait for the server before to end has not looked yet.
    return this.program === undefined || isDeepStrictEqual(this.program, this.wanted());
  }

  /** Waits until a start that is under way has come to an end, good or bad. */
  async settled(): Promise<void> {
    await this.starting?.catch(() => undefined);
  }

  /**
   * The running server, started if need be; `asked`: by the learner, who may be asked to set it up.
   * Throws TutorProblem where that cannot be; the next call tries again. Who waits for a start that
   * `restart` overtakes gets the next one; if that fails, `CANCELLED`, since it is said there.
   */
  async get(asked: boolean): Promise<LanguageClient> {
    const starting = (this.starting ??= this.start(asked, this.stops));
    const isOvertaken = (): boolean => this.starting !== undefined && this.starting !== starting;
    try {
      const client = await starting;
      if (!isOvertaken()) {
        return client;
      }
    } catch (error) {
      if (this.starting === starting) {
        this.forget();
        this.around.state("failed");
      }
      if (!isOvertaken()) {
        throw error;
      }
    }
    return this.get(asked).catch(() => {
      throw overtaken();
    });
  }

  /** Restarts it. Throws as `get` does. */
  async restart(asked: boolean): Promise<void> {
    const stopped = this.stop();
    const { stops } = this;
    this.starting = stopped.then(() => this.start(asked, stops));
    await this.get(asked);
  }

  /** Stops it; the next `get` starts it again. */
  async stop(): Promise<void> {
    const { present: client, starting } = this;
    this.stopping += 1;
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
        this.log.warn(`The server did not shut down cleanly: ${String(error)}`);
      });
    }
    this.stopping -= 1;
  }

  private forget(): void {
    this.starting = undefined;
    this.present = undefined;
    this.program = undefined;
    this.ready = false;
  }

  private wanted(): Program {
    const { installation, around } = this;
    const { file, before = [] } = installation.look() ?? {};
    return { file, args: [...before, ...installation.args()], home: around.home() };
  }

  /** `stops`: as many as there were when it was asked for; after another it is not wanted. */
  private async start(asked: boolean, stops: number): Promise<LanguageClient> {
    const stillWanted = (): void => {
      if (stops !== this.stops) {
        throw overtaken();
      }
    };
    stillWanted();
    const { home } = (this.program = this.wanted());
    const own = this.installation.args();
    // Both take their time, and neither needs the other.
    const preparing = this.around.prepare();
    preparing.catch(() => undefined);
    const found = await this.installation.find(asked);
    stillWanted();
    const { file, before = [] } = found;
    const args = [...before, ...own];
    this.program = { file, args, home };
    this.log.info(`Starting ${file} (found by: ${found.origin})`);
    this.around.state("starting");
    const make = await preparing;
    stillWanted();
    const client = make(file, args, () => {
      if (client === this.present && this.ready) {
        this.onEnd(client);
      }
    });
    this.present = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(`${file} did not start: ${String(error)}`);
      const signal = (await client.ended?.()) ?? null;
      client.dispose().catch(() => undefined);
      stillWanted();
      throw await this.installation.whyNot(found, signal);
    }
    if (client === this.present) {
      this.ready = true;
      this.around.state("ready");
      const version = client.initializeResult?.serverInfo?.version;
      this.installation.compare(found, version).catch((error: unknown) => {
        this.around.report(error);
      });
      this.whenQuiet(client, found);
    }
    return client;
  }

  /** Has the next start made faster: not while a window or an exercise is opening. */
  private whenQuiet(client: LanguageClient, found: Found): void {
    setTimeout(() => {
      if (client === this.present) {
        this.installation.ran(found).catch((error: unknown) => {
          this.log.warn(`Bytecode could not be written: ${String(error)}`);
        });
      }
    }, this.quietMs).unref();
  }

  private onEnd(client: LanguageClient): void {
    // A client that has ended once cannot be relied on, so there will be a new one.
    this.forget();
    client.dispose().catch(() => undefined);
    this.around.state("failed");
    if (!this.restarts.again(Date.now())) {
      void this.around.report(givenUp(this.around.hasWork()));
      return;
    }
    this.log.warn("The server ended unasked and is started again");
    this.get(false).catch((error: unknown) => this.around.report(error));
  }
}
