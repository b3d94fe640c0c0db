// A real VS Code in a browser: one code-server with its own user data, one Chromium, nothing shared
// with other runs or with the machine's user.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { PATIENCE_MS, until, Workbench } from "./workbench";

export const ROOT = join(__dirname, "..", "..");
/** The server under test. */
export const SERVER =
  process.env.TUTOR_LSP_SERVER ?? join(ROOT, "..", "..", ".venv", "bin", "tutor-lsp");
/** Where screenshots and logs are kept. */
export const ARTEFACTS = join(ROOT, "build", "artefacts");

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "workbench.colorTheme": "Default Light Modern",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "chat.disableAIFeatures": true,
  "editor.minimap.enabled": false,
  "editor.fontSize": 13,
  "security.workspace.trust.enabled": false,
};

export interface HostOptions {
  /** Added to the user's settings. */
  settings?: Record<string, unknown>;
  /** Added to the machine's settings, where programs and folders belong; undefined leaves out. */
  machine?: Record<string, unknown>;
  /** Whether the test's own second extension is there, too. */
  companion?: boolean;
  /** Added to the environment of the extension host. */
  env?: Record<string, string>;
}

export class Host {
  private process: ChildProcess | undefined;
  private browser: BrowserContext | undefined;
  private port = 0;

  private constructor(
    private readonly name: string,
    readonly folder: string,
    private readonly options: HostOptions,
  ) {}

  /** The tutor's home of this host. */
  get home(): string {
    return join(this.folder, "tutor");
  }

  /** The home of the user that the editor runs as. */
  get userHome(): string {
    return join(this.folder, "home");
  }

  get context(): BrowserContext {
    assert.ok(this.browser !== undefined);
    return this.browser;
  }

  static async start(name: string, options: HostOptions = {}): Promise<Host> {
    const host = new Host(name, mkdtempSync(join(tmpdir(), `tutor-e2e-${name}-`)), options);
    try {
      await host.prepare();
      return host;
    } catch (error) {
      await host.stop();
      throw error;
    }
  }

  /** Processes that run the tutor's server for this host, by id. */
  servers(): number[] {
    const home = Buffer.from(`HOME=${this.userHome}`);
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => {
        try {
          const argv = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
          const mine = readFileSync(`/proc/${name}/environ`).includes(home);
          return mine && argv.includes("serve") && argv.some((word) => word.endsWith("tutor-lsp"));
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  /** A new page on a folder, or on none. */
  async open(folder?: string): Promise<Workbench> {
    const page = await this.context.newPage();
    const query = folder === undefined ? "?ew=true" : `?folder=${encodeURIComponent(folder)}`;
    await page.goto(`http://127.0.0.1:${this.port}/${query}`);
    const workbench = new Workbench(page);
    await workbench.ready();
    return workbench;
  }

  /** Ends browser and server with everything they started, and removes the folder. */
  async stop(): Promise<void> {
    await this.browser?.close();
    const { process: child } = this;
    if (child?.pid !== undefined) {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      signalGroup(child.pid, "SIGTERM");
      const late = setTimeout(() => {
        signalGroup(child.pid ?? 0, "SIGKILL");
      }, 5000);
      if (child.exitCode === null && child.signalCode === null) {
        await gone;
      }
      clearTimeout(late);
      // Whatever of the group outlived its leader.
      signalGroup(child.pid, "SIGKILL");
    }
    this.keepLogs();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** Keeps what the extension logged, one file per window. */
  private keepLogs(): void {
    const logs = join(this.folder, "data", "logs");
    const found = existsSync(logs) ? readdirSync(logs, { recursive: true, encoding: "utf8" }) : [];
    for (const [index, log] of found.filter((name) => name.endsWith("Tutor.log")).entries()) {
      copyFileSync(join(logs, log), join(ARTEFACTS, `${this.name}-tutor-${index}.log`));
    }
  }

  private async prepare(): Promise<void> {
    const data = join(this.folder, "data");
    for (const place of [
      this.userHome,
      this.home,
      join(this.folder, "tmp"),
      join(data, "User"),
      join(data, "Machine"),
    ]) {
      mkdirSync(place, { recursive: true });
    }
    mkdirSync(ARTEFACTS, { recursive: true });
    const { settings, machine, companion } = this.options;
    writeJson(join(data, "User", "settings.json"), { ...SETTINGS, ...settings });
    // Undefined ones are left out by JSON.
    writeJson(join(data, "Machine", "settings.json"), {
      "tutor.server.command": SERVER,
      "tutor.home": this.home,
      "tutor.backend": "library",
      ...machine,
    });
    const extensions = join(this.folder, "extensions");
    const packed = companion === true ? "extensions-companion" : "extensions";
    cpSync(join(ROOT, "build", packed), extensions, { recursive: true });
    this.port = await freePort();
    this.process = this.spawn(data, extensions);
    await until("code-server answers", () => this.healthy());
    this.browser = await chromium.launchPersistentContext(join(this.folder, "browser"), {
      executablePath: process.env.TUTOR_LSP_CHROMIUM ?? "/usr/bin/chromium",
      viewport: { width: 1280, height: 800 },
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-popup-blocking",
      ],
    });
    this.browser.setDefaultTimeout(PATIENCE_MS);
  }

  private spawn(data: string, extensions: string): ChildProcess {
    const host = process.env.TUTOR_LSP_VSCODE_HOST;
    assert.ok(host !== undefined, "TUTOR_LSP_VSCODE_HOST is not set: run test.sh");
    const config = join(this.folder, "config.yaml");
    writeFileSync(config, "auth: none\n");
    const child = spawn(
      join(host, "bin", "code-server"),
      [
        ...["--config", config, "--bind-addr", `127.0.0.1:${this.port}`, "--auth", "none"],
        ...["--user-data-dir", data, "--extensions-dir", extensions],
        ...["--reconnection-grace-time", "3"],
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-getting-started-override",
      ],
      { detached: true, stdio: ["ignore", "pipe", "pipe"], env: this.environment() },
    );
    const log = createWriteStream(join(ARTEFACTS, `${this.name}-server.log`));
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    return child;
  }

  private environment(): Record<string, string> {
    const { PATH = "", CARGO_HOME, RUSTUP_HOME, HOME = "" } = process.env;
    // How pip and npm reach their registries.
    const registries = Object.entries(process.env).filter(([name]) =>
      /^(PIP_|SSL_|REQUESTS_|.*_proxy$)/i.test(name),
    );
    return {
      ...Object.fromEntries(registries.map(([name, value]) => [name, value ?? ""])),
      PATH,
      // The toolchains of the machine, which live under the user's real home.
      CARGO_HOME: CARGO_HOME ?? join(HOME, ".cargo"),
      RUSTUP_HOME: RUSTUP_HOME ?? join(HOME, ".rustup"),
      HOME: this.userHome,
      TMPDIR: join(this.folder, "tmp"),
      EXTENSIONS_GALLERY: "{}",
      LANG: "C.UTF-8",
      ...this.options.env,
    };
  }

  private async healthy(): Promise<boolean> {
    assert.equal(this.process?.exitCode ?? null, null, "code-server ended");
    try {
      return (await fetch(`http://127.0.0.1:${this.port}/healthz`)).ok;
    } catch {
      return false;
    }
  }
}

/** Keeps something that was measured; run.sh shows it at the end. */
export function noteFigure(what: string, value: number): void {
  appendFileSync(join(ARTEFACTS, "figures.txt"), `${what}: ${Math.round(value)}\n`);
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value, undefined, 2));
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // The group is gone.
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
  });
}
