// The private server: made from the wheel that comes along, and made anew where the extension is newer.
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import {
  type Environment,
  makeEnvironment,
  privateServer,
  removeUnused,
  useEnvironment,
  wheelIn,
} from "./environment";
import { joined, notOnWindows, readProblem, TutorProblem, worksOn } from "../words/messages";
import { Pace } from "./pace";
import type { Storage } from "../window/storage";
import { offerRemedies } from "../words/ui";
import { t } from "../words/words";

/** How often (ms) the time left is told as it passes. */
const TICK_MS = 5000;

/** What is known of the extension itself. */
export interface Installed {
  /** As the editor knows it, with the publisher. */
  id: string;
  version: string;
  /** Folder of the extension. */
  folder: string;
  /** Folder of its own on this machine. */
  storage: string;
}

export class PrivateServer {
  private making: Promise<Environment> | undefined;

  constructor(
    private readonly own: Installed,
    private readonly storage: Storage,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Below it are the private environments. */
  get home(): string {
    const other = join(elsewhere(), "server");
    return existsSync(other) ? other : join(this.own.storage, "server");
  }

  /** From now on it is made in a folder outside the editor's. */
  moveElsewhere(): void {
    mkdirSync(join(elsewhere(), "server"), { recursive: true });
  }

  /** The one that would be used; undefined where none is whole. */
  get present(): Environment | undefined {
    return privateServer(this.home, this.own.version);
  }

  /** Whether one of another version is to be replaced, which is tried once a day. */
  get isOutdated(): boolean {
    return (
      this.present?.version !== this.own.version &&
      this.hasWheel &&
      !this.storage.noted(this.failedUpdate)
    );
  }

  /** Whether the extension brings along what it is made from. */
  get hasWheel(): boolean {
    return this.wheel !== undefined;
  }

  /** The one to start, made or made anew if need be. Rejects with a TutorProblem. */
  async use(): Promise<Environment> {
    if (this.isOutdated) {
      await this.update();
    }
    const environment = this.present ?? (await this.make());
    useEnvironment(this.home, environment.folder);
    removeUnused(this.home, environment.folder).catch((error: unknown) => {
      this.log.warn(`An old server could not be removed: ${String(error)}`);
    });
    return environment;
  }

  /** Makes a private environment, with progress and Cancel; at most one at a time. */
  make(): Promise<Environment> {
    this.making ??= this.withProgress().finally(() => {
      this.making = undefined;
    });
    return this.making;
  }

  private get wheel(): string | undefined {
    return wheelIn(join(this.own.folder, "dist"));
  }

  private get failedUpdate(): string {
    return /* not shown */ `update to ${this.own.version} failed on ${new Date().toDateString()}`;
  }

  /** Makes the private server of this version; if that fails, the old one stays in use. */
  private async update(): Promise<void> {
    try {
      await this.make();
    } catch (error) {
      const old = this.present;
      if (old === undefined) {
        throw error;
      }
      this.storage.note(this.failedUpdate, true);
      const problem = worksOn(readProblem(error), old.version, this.own.version);
      this.log.warn(problem.message);
      offerRemedies(problem).catch((reason: unknown) => {
        this.log.error(String(reason));
      });
    }
  }

  private async withProgress(): Promise<Environment> {
    if (process.platform === "win32") {
      throw notOnWindows();
    }
    const { wheel } = this;
    if (wheel === undefined) {
      throw new TutorProblem("NO_WHEEL", t`This build of the extension does not include a server.`, [
        "settings",
      ]);
    }
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: t`Setting up the tutor's server`,
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const aborting = new AbortController();
      token.onCancellationRequested(() => {
        aborting.abort();
      });
      let [reached, said] = [0, ""];
      const pace = new Pace();
      const tell = (increment = 0): void => {
        progress.report({ message: joined(said, pace.left()), increment });
      };
      const ticking = setInterval(tell, TICK_MS, 0);
      try {
        return await makeEnvironment(this.home, wheel, this.own.version, {
          log: (line) => {
            this.log.info(line);
          },
          step: (message, percent) => {
            pace.at(percent);
            said = message;
            tell(percent - reached);
            reached = percent;
          },
          signal: aborting.signal,
        });
      } finally {
        clearInterval(ticking);
      }
    });
  }
}

/** Where the server goes if it cannot be in the editor's own folders. */
export function elsewhere(): string {
  const data = process.env.XDG_DATA_HOME ?? join(homedir(), ".local", "share");
  return join(data, "tutor-lsp", "vscode");
}
