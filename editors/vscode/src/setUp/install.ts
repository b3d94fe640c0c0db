// Finding the server, and making a private one where there is none.
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Environment } from "./environment";
import { expand, findServer, type Origin, type Search } from "./discovery";
import { Bundled, type Known } from "./bundled";
import { damaged, failureOf, killed } from "./failures";
import { elsewhere, type Installed, PrivateServer } from "./privateServer";
import { isRecent, Looking, placesHere, type Python, stateOf } from "./find";
import {
  missingServer,
  notOnWindows,
  otherVersion,
  startFailed,
  type TutorProblem,
  wrongArgs,
} from "../words/messages";
import { isInside } from "../window/paths";
import type { Choice } from "../server/protocol";
import { windowFolders } from "../window/place";
import type { Storage } from "../window/storage";
import { t } from "../words/words";

export interface Found {
  file: string;
  /** What stands before the arguments of the settings, where the program is a Python. */
  before?: readonly string[];
  origin: Origin | "bundled" | "private";
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
  private readonly mine: PrivateServer;
  private preparing: Promise<void> | undefined;
  private bundled: Bundled | undefined;
  /** The Python that the bundled server runs with. */
  private python: Known | undefined;
  private readonly looking = new Looking();

  constructor(
    private readonly own: Installed,
    private readonly storage: Storage,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.mine = new PrivateServer(own, storage, log);
    this.bundled = this.libraries();
    this.python = this.bundled?.known();
  }

  /** The libraries of this package: a copy where they could not be used in their own folder. */
  private libraries(): Bundled | undefined {
    const { folder, storage, version } = this.own;
    if (this.storage.noted(this.damagedPackage)) {
      return undefined;
    }
    return Bundled.in(this.copy, storage, version) ?? Bundled.in(folder, storage, version);
  }

  private get copy(): string {
    return join(elsewhere(), `package-${this.own.version}`);
  }

  /** From now on everything is set up in a folder outside the editor's. */
  async moveElsewhere(): Promise<void> {
    await this.bundled?.copyTo(this.copy);
    this.mine.moveElsewhere();
    this.bundled = this.libraries();
  }

  /**
   * The server is set up from its wheel, in this window and in others while the package is what it is:
   * whether it had libraries to be used so far, and has a wheel.
   */
  useWheel(): boolean {
    const follows = this.bundled !== undefined && this.mine.hasWheel;
    if (follows) {
      this.storage.note(this.damagedPackage, true);
      this.bundled = undefined;
    }
    return follows;
  }

  /** Key of the note that these very libraries are damaged. */
  private get damagedPackage(): string {
    const contents = join(this.own.folder, "libs", "contents.json");
    const state = existsSync(contents) ? stateOf(contents) : "gone";
    return /* not shown */ `damaged ${this.own.version} ${state}`;
  }

  /** Whether there is a Python that will do by now; `changedOnly` as for `Looking`. */
  hasPython(changedOnly: boolean): Promise<boolean> {
    const { bundled } = this;
    const fits = (python: Python): boolean => bundled?.fits(python) === true || isRecent(python);
    return this.looking.finds(placesHere(bundled?.carried), fits, changedOnly);
  }

  /** Why a server did not start; `signal`: by which it was ended. */
  async whyNot(found: Found, signal: NodeJS.Signals | null): Promise<TutorProblem> {
    const { bundled, python } = this;
    if (found.origin === "bundled" && bundled !== undefined && python !== undefined) {
      const file = await bundled.damaged();
      if (file !== undefined) {
        this.log.error(`Missing, or not as it was packed: ${file}`);
        return damaged();
      }
      const said = await bundled.tried(python);
      if (said !== "") {
        this.log.error(said);
        return failureOf({ said, folder: this.own.folder, musl: false });
      }
    }
    return signal === null ? startFailed(found.file, this.canInstall) : killed(signal);
  }

  /** The server, without asking anybody; undefined where there is none. */
  look(): Found | undefined {
    const search = this.search();
    if (search.found) {
      return search;
    }
    if (search.setting !== "") {
      return undefined;
    }
    if (this.bundled !== undefined && this.python !== undefined) {
      return { file: this.python.file, before: this.bundled.before, origin: "bundled" };
    }
    const environment = this.mine.present;
    return environment && { file: environment.file, origin: "private" };
  }

  /** Looks for a Python that the bundled server can run with, unless one is known; once at a time. */
  prepare(): Promise<void> {
    this.preparing ??= this.lookForPython().finally(() => {
      this.preparing = undefined;
    });
    return this.preparing;
  }

  private async lookForPython(): Promise<void> {
    if (this.bundled !== undefined && this.python === undefined && !this.search().found) {
      this.python = await this.bundled.find((line) => {
        this.log.info(line);
      });
    }
  }

  /** The server runs: what makes its next start faster is done now. */
  async ran({ origin }: Found): Promise<void> {
    if (origin === "bundled" && this.python !== undefined) {
      await this.bundled?.compile(this.python);
    }
  }

  /** The rows that a fresh learner's list begins with, for a list that is read before there is a server. */
  firstChoices(): Choice[] {
    try {
      return JSON.parse(readFileSync(join(this.own.folder, "dist", "choices.json"), "utf8")) as Choice[];
    } catch {
      return [];
    }
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
    return found !== undefined && !(found.origin === "private" && this.mine.isOutdated);
  }

  /** Whether there is a server that would be started without a question. */
  mayStart(): boolean {
    return this.look() !== undefined || this.bundled !== undefined;
  }

  /** Whether the extension brings a server along that runs on this machine. */
  get canInstall(): boolean {
    return process.platform !== "win32" && this.mine.hasWheel;
  }

  /**
   * The server. Where there is none: offers to set it up if the learner `asked` for something, else
   * throws a TutorProblem with that remedy.
   */
  async find(asked: boolean): Promise<Found> {
    await this.prepare();
    const found = this.look() ?? (await this.offer(asked));
    if (found.origin !== "private") {
      return found;
    }
    const { file } = await this.mine.use();
    return { file, origin: "private" };
  }

  /** As `PrivateServer.make`. */
  make(): Promise<Environment> {
    return this.mine.make();
  }

  /** Whether the setting must name the private server for it to be used; may ask the learner. */
  async mustPin(): Promise<boolean> {
    const found = this.look();
    if (found === undefined || found.origin === "private") {
      return found === undefined;
    }
    const detail = t`Without it ${found.file} is started, which comes first (found by: ${found.origin}).`;
    const yes = t`Use Its Own Server`;
    const chosen = await vscode.window.showInformationMessage(
      t`The server is set up. Should the setting tutor.server.command point to it?`,
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
      found.origin === "bundled" ||
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
      const present = this.mine.present;
      await this.pin(present?.version === own ? present.file : (await this.mine.make()).file);
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
    return { file: (await this.mine.make()).file, origin: "private" };
  }

  private search(): Search {
    const setting = vscode.workspace.getConfiguration("tutor.server").get("command", "");
    if (isInside(this.mine.home, expand(setting, windowFolders(), homedir()))) {
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
}

/** Versions that differ in the last place only speak the same protocol. */
function minor(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
