// Finding the server, and making a private one where there is none.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { expand, findServer, type Origin, type Search } from "./discovery";
import {
  type Environment,
  makeEnvironment,
  privateServer,
  removeUnused,
  useEnvironment,
  wheelIn,
} from "./environment";
import {
  missingServer,
  notOnWindows,
  otherVersion,
  readProblem,
  TutorProblem,
  worksOn,
  wrongArgs,
} from "./messages";
import { isInside } from "./paths";
import { windowFolders } from "./place";
import type { Storage } from "./storage";
import { offerRemedies } from "./ui";

/** What is known of the extension itself. */
export interface Installed {
  version: string;
  /** Folder of the extension. */
  folder: string;
  /** Folder of its own on this machine. */
  storage: string;
}

export interface Found {
  file: string;
  origin: Origin | "private";
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export class Installation {
  private making: Promise<Environment> | undefined;

  constructor(
    private readonly own: Installed,
    private readonly storage: Storage,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Below it are the private environments. */
  private get home(): string {
    return join(this.own.storage, "server");
  }

  /** The server, without asking anybody; undefined where there is none. */
  look(): Found | undefined {
    const search = this.search();
    if (search.found) {
      return search;
    }
    const environment = search.setting === "" ? this.environment() : undefined;
    return environment && { file: environment.file, origin: "private" };
  }

  /** What the server is started with. Throws a TutorProblem where the setting makes no sense. */
  args(): readonly string[] {
    const args: unknown = vscode.workspace.getConfiguration("tutor.server").get("args", ["serve"]);
    if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) {
      throw wrongArgs();
    }
    return args;
  }

  /** Whether there is a server that can be started as it is. */
  isReady(): boolean {
    const found = this.look();
    return found !== undefined && !this.isOutdated(found);
  }

  /** Whether the extension brings a server along that runs on this machine. */
  get canInstall(): boolean {
    return process.platform !== "win32" && this.wheel() !== undefined;
  }

  /**
   * The server. Where there is none: offers to set it up if the learner `asked` for something, else
   * throws a TutorProblem with that remedy.
   */
  async find(asked: boolean): Promise<Found> {
    const found = this.look() ?? (await this.offer(asked));
    if (found.origin !== "private") {
      return found;
    }
    if (this.isOutdated(found)) {
      await this.update();
    }
    const { file, folder } = this.environment() ?? (await this.make());
    useEnvironment(this.home, folder);
    removeUnused(this.home, folder).catch((error: unknown) => {
      this.log.warn(`An old server could not be removed: ${String(error)}`);
    });
    return { file, origin: "private" };
  }

  /** Makes a private environment, with progress and Cancel; at most one at a time. */
  make(): Promise<Environment> {
    this.making ??= this.withProgress().finally(() => {
      this.making = undefined;
    });
    return this.making;
  }

  /** Whether the setting must name the private server for it to be used; may ask the learner. */
  async mustPin(): Promise<boolean> {
    const found = this.look();
    if (found === undefined || found.origin === "private") {
      return found === undefined;
    }
    const detail = `Without it ${found.file} is started, which comes first (found by: ${found.origin}).`;
    const yes = "Use Its Own Server";
    const chosen = await vscode.window.showInformationMessage(
      "The server is set up. Let the setting tutor.server.command name it?",
      { modal: true, detail },
      yes,
    );
    return chosen === yes;
  }

  /** Lets the setting name the private server, of whatever version it will be. */
  async pin(file: string): Promise<void> {
    await vscode.workspace
      .getConfiguration("tutor.server")
      .update("command", file, vscode.ConfigurationTarget.Global);
  }

  /** Says once for each pair of versions that the server is another than the extension's. */
  async compare(found: Found, version: string | undefined): Promise<void> {
    const [server, own] = [version ?? "unknown", this.own.version];
    const key = `version ${found.file} ${server} ${own}`;
    // Of a private server of another version it was said why it is used.
    if (
      found.origin === "private" ||
      minor(server) === minor(own) ||
      this.storage.noted(key)
    ) {
      return;
    }
    this.log.warn(`The server is ${server}, the extension is ${own}`);
    this.storage.note(key, true);
    const { message, button } = otherVersion(found.file, server, own, this.canInstall);
    const chosen = await vscode.window.showWarningMessage(message, ...button);
    if (chosen !== undefined) {
      const present = this.environment();
      await this.pin(present?.version === own ? present.file : (await this.make()).file);
    }
  }

  private environment(): Environment | undefined {
    return privateServer(this.home, this.own.version);
  }

  /** Whether a private server of another version is to be replaced, which is tried once a day. */
  private isOutdated({ origin }: Found): boolean {
    return (
      origin === "private" &&
      this.environment()?.version !== this.own.version &&
      this.wheel() !== undefined &&
      !this.storage.noted(this.failedUpdate)
    );
  }

  private get failedUpdate(): string {
    return `update to ${this.own.version} failed on ${new Date().toDateString()}`;
  }

  /** Makes the private server of this version; where that fails, the old one works on. */
  private async update(): Promise<void> {
    try {
      await this.make();
    } catch (error) {
      const old = this.environment();
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

  /** Sets it up where the learner says so; else throws a TutorProblem. */
  private async offer(asked: boolean): Promise<Found> {
    const search = this.search();
    if (search.found) {
      return search;
    }
    this.log.error(`Looked for the server at: ${search.tried.join(", ")}`);
    if (process.platform === "win32" && search.setting === "") {
      throw notOnWindows();
    }
    const problem = missingServer(search, this.canInstall);
    if (search.setting !== "" || !asked || !this.canInstall) {
      throw problem;
    }
    const detail =
      "It goes into a private environment of this extension and changes nothing else on your " +
      "machine. It needs Python 3.11 or later; the packages it uses come from the package index " +
      "that your pip is configured for.";
    const chosen = await vscode.window.showInformationMessage(
      "The tutor's server is not installed yet. Set it up now?",
      { modal: true, detail },
      "Set It Up",
    );
    if (chosen !== "Set It Up") {
      throw problem;
    }
    return { file: (await this.make()).file, origin: "private" };
  }

  private wheel(): string | undefined {
    return wheelIn(join(this.own.folder, "dist"));
  }

  private search(): Search {
    const setting = vscode.workspace.getConfiguration("tutor.server").get("command", "");
    if (isInside(this.home, expand(setting, windowFolders(), homedir()))) {
      // The private server of some version: which one to take is not the setting's business.
      return { found: false, setting: "", tried: [setting] };
    }
    return findServer(
      {
        setting,
        folders: windowFolders(),
        pathVariable: process.env.PATH ?? "",
        home: homedir(),
      },
      isExecutable,
    );
  }

  private async withProgress(): Promise<Environment> {
    if (process.platform === "win32") {
      throw notOnWindows();
    }
    const wheel = this.wheel();
    if (wheel === undefined) {
      throw new TutorProblem("NO_WHEEL", "This build of the extension brings no server along.", [
        "settings",
      ]);
    }
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: "Setting up the tutor's server",
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const aborting = new AbortController();
      token.onCancellationRequested(() => {
        aborting.abort();
      });
      let reached = 0;
      return makeEnvironment(this.home, wheel, this.own.version, {
        log: (line) => {
          this.log.info(line);
        },
        step: (message, percent) => {
          progress.report({ message, increment: percent - reached });
          reached = percent;
        },
        signal: aborting.signal,
      });
    });
  }
}

/** Versions that differ in the last place only speak the same protocol. */
function minor(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
