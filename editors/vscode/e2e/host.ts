// A real VS Code in a browser: one code-server with its own user data and one Chromium, nothing
// shared with other runs or with the machine's user.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { leftOvers } from "./processes";
import { until } from "./waiting";

export const ROOT = join(__dirname, "..", "..");
/** The server under test. */
export const SERVER =
  process.env.TUTOR_LSP_SERVER ?? join(ROOT, "..", "..", ".venv", "bin", "tutor-lsp");
/** Where screenshots and logs are kept. */
export const ARTEFACTS = join(ROOT, "build", "artefacts");

/** How long (ms) what was started may take to end. */
const ENDING_MS = 15_000;

/** One Chromium for all; each part gets a profile of its own in it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.TUTOR_LSP_CHROMIUM ?? "/usr/bin/chromium",
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
}

export interface HostOptions {
  /** Whether tests can be run inside the extension host; messages are not shown then. */
  driver?: boolean;
  /** Programs that are found, instead of those of the machine's user; folders. */
  path?: readonly string[];
  /** Language of the window, by its tag. */
  language?: string;
  /** Fills the folder of what the editor keeps, before it starts. */
  prepare?: (data: string) => void;
  /** Program and arguments that start the editor: its own come behind them. */
  starter?: readonly string[];
}

/** A running code-server with the extension and its companion. */
export class Host {
  private process: ChildProcess | undefined;
  private port = 0;

  private constructor(
    private readonly name: string,
    readonly folder: string,
    private readonly options: HostOptions,
  ) {}

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

  /** The process that everything else of the editor descends from. */
  get pid(): number {
    return this.process?.pid ?? 0;
  }

  /** The home of the user that the editor runs as. */
  get userHome(): string {
    return join(this.folder, "home");
  }

  /** What the editor keeps: settings, logs, the extensions' own files. */
  get data(): string {
    return join(this.folder, "data");
  }

  /** Folder of the extensions that are installed. */
  get extensions(): string {
    return join(this.folder, "extensions");
  }

  /** Folder of an installed extension, by publisher and name. */
  installed(name: string): string {
    const folder = readdirSync(this.extensions).find((each) => each.startsWith(`${name}-`));
    assert.ok(folder !== undefined, `${name} is not installed`);
    return join(this.extensions, folder);
  }

  /** What the companion is to do; read when a window opens. */
  get orders(): string {
    return join(this.folder, "companion.json");
  }

  /** Where checks inside the extension host leave what they found. */
  get results(): string {
    return join(this.folder, "inside.json");
  }

  /** Address and port. */
  get authority(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Ends everything it started, and removes the folder. Throws if something would not end. */
  async stop(): Promise<void> {
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
    try {
      await until("everything has ended", () => leftOvers(this.folder).length === 0, ENDING_MS);
    } catch (error) {
      const left = leftOvers(this.folder);
      left.forEach(({ pid }) => process.kill(pid, "SIGKILL"));
      throw new Error(`left running: ${left.map(({ argv }) => argv.join(" ")).join("; ")}`, {
        cause: error,
      });
    } finally {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }

  private async prepare(): Promise<void> {
    for (const place of [this.userHome, join(this.folder, "tmp")]) {
      mkdirSync(place, { recursive: true });
    }
    mkdirSync(ARTEFACTS, { recursive: true });
    // VS Code asks a login shell for its PATH, and finds what rustup puts into this file.
    const { PATH = "" } = this.environment();
    writeFileSync(join(this.userHome, ".profile"), `export PATH="${PATH}"\n`);
    cpSync(join(ROOT, "build", "extensions"), this.extensions, { recursive: true });
    this.options.prepare?.(this.data);
    this.port = await freePort();
    this.process = this.spawn();
    await until("code-server answers", () => this.healthy());
  }

  private spawn(): ChildProcess {
    const host = process.env.TUTOR_LSP_VSCODE_HOST;
    assert.ok(host !== undefined, "TUTOR_LSP_VSCODE_HOST is not set: run test.sh");
    const config = join(this.folder, "config.yaml");
    writeFileSync(config, "auth: none\n");
    // Programs that run another one take it and its arguments as their own.
    const [program = "env", ...before] = this.options.starter ?? [];
    const child = spawn(
      program,
      [
        ...[...before, join(host, "bin", "code-server")],
        ...["--config", config, "--bind-addr", this.authority, "--auth", "none"],
        ...["--user-data-dir", this.data, "--extensions-dir", this.extensions],
        ...["--reconnection-grace-time", "3"],
        ...(this.options.language === undefined ? [] : ["--locale", this.options.language]),
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-getting-started-override",
        ...(this.options.driver === true ? ["--vscode-option", "enable-smoke-test-driver"] : []),
      ],
      { detached: true, stdio: ["ignore", "pipe", "pipe"], env: this.environment() },
    );
    const log = createWriteStream(join(ARTEFACTS, `code-server-${this.name}.log`));
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    return child;
  }

  private environment(): Record<string, string> {
    const { PATH = "", CARGO_HOME, RUSTUP_HOME, HOME = "" } = process.env;
    const path = this.options.path ?? PATH.split(":");
    // How pip and npm reach their registries, and what pip has fetched before.
    const registries = Object.entries(process.env).filter(([name]) =>
      /^(PIP_|SSL_|REQUESTS_|.*_proxy$)/i.test(name),
    );
    return {
      ...Object.fromEntries(registries.map(([name, value]) => [name, value ?? ""])),
      // Without a server that the machine's user may have: settings name the one under test.
      PATH: path.filter((folder) => !existsSync(join(folder, "tutor-lsp"))).join(":"),
      // The toolchains of the machine, which live under the user's real home.
      CARGO_HOME: CARGO_HOME ?? join(HOME, ".cargo"),
      RUSTUP_HOME: RUSTUP_HOME ?? join(HOME, ".rustup"),
      HOME: this.userHome,
      TMPDIR: join(this.folder, "tmp"),
      EXTENSIONS_GALLERY: "{}",
      LANG: "C.UTF-8",
      TUTOR_COMPANION: this.orders,
      TUTOR_INSIDE_RESULTS: this.results,
    };
  }

  private async healthy(): Promise<boolean> {
    assert.equal(this.process?.exitCode ?? null, null, "code-server ended");
    try {
      return (await fetch(`http://${this.authority}/healthz`)).ok;
    } catch {
      return false;
    }
  }
}

/** Keeps something that was measured; run.sh shows it at the end. */
export function noteFigure(what: string, value: number): void {
  appendFileSync(join(ARTEFACTS, "figures.txt"), `${what}: ${Math.round(value)}\n`);
}

/** Keeps a bar that was missed, to be shown with the figures. */
export function noteMissed(what: string): void {
  appendFileSync(join(ARTEFACTS, "figures.txt"), `bar missed: ${what}\n`);
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
