// What a part of the tests has to itself on the common host: settings, a home of the tutor, a
// profile of the browser with its windows, and what is kept of it.
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { ARTEFACTS, type Host, SERVER } from "./host";
import { servers } from "./processes";
import { PATIENCE_MS } from "./waiting";
import { Workbench } from "./workbench";

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "workbench.colorTheme": "Default Light Modern",
  "workbench.reduceMotion": "on",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "chat.disableAIFeatures": true,
  // As on the desktop.
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
  "editor.fontSize": 13,
  "security.workspace.trust.enabled": false,
};

/** What the companion is to do. */
export interface Orders {
  /** File with a model's answers, `ROLE CALL` to text. */
  answers?: string;
  /** While this file holds the name of a role, answers of that role wait. */
  hold?: string;
  /** rust-analyzer to start. */
  analyzer?: string;
  /** A code that is reported on the first line of every Rust file. */
  error?: string;
  /** File for the window's default keybindings. */
  keys?: string;
}

/** A window's size in CSS pixels, and how many pixels of the screen each of them has. */
export interface Size {
  width: number;
  height: number;
  scale: number;
}

export interface StageOptions {
  size?: Size;
  /** Added to the user's settings. */
  settings?: Record<string, unknown>;
  /** Given to `setMachine`. */
  machine?: Record<string, unknown>;
  orders?: Orders;
  /** What the browser calls itself, which says for VS Code what the machine at hand is. */
  userAgent?: string;
}

export class Stage {
  private constructor(
    readonly name: string,
    readonly host: Host,
    readonly context: BrowserContext,
    /** What was there before: windows that were closed end a moment later. */
    private readonly before: { servers: number[]; logs: string[] },
  ) {}

  static async begin(
    name: string,
    { host, browser }: { host: Host; browser: Browser },
    {
      settings,
      machine,
      orders,
      userAgent,
      size = { width: 1280, height: 800, scale: 1 },
    }: StageOptions = {},
  ): Promise<Stage> {
    mkdirSync(join(host.folder, name, "tutor"), { recursive: true });
    writeJson(host.orders, orders ?? {});
    const { scale, ...viewport } = size;
    const context = await browser.newContext({
      viewport,
      deviceScaleFactor: scale,
      ...(userAgent !== undefined && { userAgent }),
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const stage = new Stage(name, host, context, {
      servers: servers(host.userHome),
      logs: logsOf(host),
    });
    stage.setUser(settings ?? {});
    stage.setMachine(machine ?? {});
    return stage;
  }

  /** Sets the learner's own settings, which windows follow at once. */
  setUser(settings: Record<string, unknown>): void {
    writeJson(this.userSettings, { ...SETTINGS, ...settings });
  }

  /** File of the learner's own settings. */
  get userSettings(): string {
    return join(this.host.data, "User", "settings.json");
  }

  /** Sets the machine's settings, where programs and folders belong; undefined leaves one out. */
  setMachine(settings: Record<string, unknown>): void {
    // Undefined ones are left out by JSON.
    writeJson(join(this.host.data, "Machine", "settings.json"), {
      "tutor.server.command": SERVER,
      "tutor.home": this.home,
      "tutor.backend": "library",
      ...settings,
    });
  }

  /** A folder of this part, which need not exist. */
  get folder(): string {
    return join(this.host.folder, this.name);
  }

  /** The tutor's home. */
  get home(): string {
    return join(this.folder, "tutor");
  }

  /** Processes that run the tutor's server for this part, by id. */
  servers(): number[] {
    return servers(this.host.userHome).filter((pid) => !this.before.servers.includes(pid));
  }

  /** A new window on a folder, on those of a workspace file, or on none. */
  async open(on?: string): Promise<Workbench> {
    const page = await this.context.newPage();
    const kind = on?.endsWith(".code-workspace") === true ? "workspace" : "folder";
    const query = on === undefined ? "?ew=true" : `?${kind}=${encodeURIComponent(on)}`;
    await page.goto(`http://${this.host.authority}/${query}`);
    const workbench = new Workbench(page);
    await workbench.ready();
    return workbench;
  }

  /** File of a picture that is kept. */
  picture(what: string): string {
    const folder = join(ARTEFACTS, "pictures");
    mkdirSync(folder, { recursive: true });
    return join(folder, `${what.replace(/[^a-z0-9-]+/gi, "-")}.png`);
  }

  /** Keeps pictures and pages of all windows; gives the names' common beginning. */
  async keepPictures(what: string): Promise<string> {
    const slug = `broken-${this.name}-${what.replace(/[^a-z0-9]+/gi, "-").slice(0, 60)}`;
    for (const [index, page] of this.context.pages().entries()) {
      const path = join(ARTEFACTS, `${slug}-${index}`);
      await page.screenshot({ path: `${path}.png`, timeout: 5000 }).catch(() => undefined);
      writeFileSync(`${path}.html`, await page.content().catch(() => ""));
    }
    // What a preview shows may be older than its file.
    for (const [index, file] of filesBelow(this.home, "coach.md").entries()) {
      copyFileSync(file, join(ARTEFACTS, `${slug}-coach-${index}.md`));
    }
    return join(ARTEFACTS, slug);
  }

  /** Closes the windows and keeps what was logged in them. */
  async end(): Promise<void> {
    await this.context.close();
    const logs = logsOf(this.host).filter((log) => !this.before.logs.includes(log));
    for (const [index, log] of logs.entries()) {
      const kind = log.endsWith("Tutor.log") ? "tutor" : "extension-host";
      const kept = join(ARTEFACTS, `${this.name}-${kind}-${index}.log`);
      copyFileSync(join(this.host.data, "logs", log), kept);
    }
  }
}

/** What extension and extension host logged, one file per window. */
function logsOf(host: Host): string[] {
  const logs = join(host.data, "logs");
  return namesBelow(logs).filter((name) => /(Tutor|remoteexthost)\.log$/.test(name));
}

function namesBelow(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).sort() : [];
}

function filesBelow(folder: string, name: string): string[] {
  return namesBelow(folder)
    .map((each) => join(folder, each))
    .filter((file) => basename(file) === name);
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify(value, undefined, 2));
}
