// Private environments for the server, made from the wheel that comes with the extension. What the
// wheel needs comes from the package index that the learner's pip is configured for. Each is made in
// a folder of its own, so that one that works is never touched by the making of the next.
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { EXECUTABLE } from "./discovery";
import { takeLock } from "./lock";
import { TutorProblem } from "./messages";
import { isAlive } from "./storage";

/** Python versions that the server runs on, newest first. */
const PYTHONS = ["python3", "python3.13", "python3.12", "python3.11", "python"];
const FITS = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
/** Holds the version; written last, so that a half-made environment is never used. */
const MARK = "tutor-lsp-version";
/** Holds a file for each process that makes or uses the environment, called by its id. */
const USERS = "users";
const LOCK = "lock";
/** How often (ms) to look whether another window has finished making one. */
const LOOK_MS = 200;

export interface Steps {
  /** A line for the log. */
  log(line: string): void;
  /** What is being done, in a few words, and how far it is (0–100). */
  step(message: string, percent: number): void;
  /** Aborted when the learner cancels. */
  signal: AbortSignal;
}

export interface Environment {
  folder: string;
  /** The server's executable. */
  file: string;
  version: string;
}

/** The whole environments below `home`, those of `version` first, of one version the newest first. */
function environments(home: string, version: string): Environment[] {
  return folders(home)
    .filter((folder) => existsSync(join(folder, MARK)) && existsSync(executable(folder)))
    .map((folder) => ({
      folder,
      file: executable(folder),
      version: readFileSync(join(folder, MARK), "utf8").trim(),
      made: statSync(join(folder, MARK)).mtimeMs,
    }))
    .sort((a, b) => b.made - a.made)
    .sort((a, b) => Number(b.version === version) - Number(a.version === version));
}

/** The private environment to use: one of `version`, else the newest; undefined if none is whole. */
export function privateServer(home: string, version: string): Environment | undefined {
  return environments(home, version)[0];
}

/** Notes that this process uses the environment in `folder` and no other one. */
export function useEnvironment(home: string, folder: string): void {
  for (const other of folders(home)) {
    rmSync(join(other, USERS, String(process.pid)), { force: true });
  }
  mkdirSync(join(folder, USERS), { recursive: true });
  writeFileSync(join(folder, USERS, String(process.pid)), "");
}

/** Removes what no process uses, save `kept`, unless an environment is being made just now. */
export async function removeUnused(home: string, kept: string): Promise<void> {
  const unused = folders(home).filter((folder) => folder !== kept && !isUsed(folder));
  const release = unused.length === 0 ? undefined : takeLock(join(home, LOCK));
  if (release !== undefined) {
    try {
      const still = unused.filter((folder) => !isUsed(folder));
      await Promise.all(still.map((folder) => rm(folder, { recursive: true, force: true })));
    } finally {
      release();
    }
  }
}

/** The wheel in a folder of the extension. */
export function wheelIn(folder: string): string | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const wheel = names.find((name) => name.startsWith("tutor_lsp-") && name.endsWith(".whl"));
  return wheel === undefined ? undefined : join(folder, wheel);
}

/**
 * Makes an environment below `home` and gives it, or the one that another window was making. Rejects
 * with a TutorProblem; then, and when cancelled, nothing of it is left, and others are as before.
 */
export async function makeEnvironment(
  home: string,
  wheel: string,
  version: string,
  steps: Steps,
): Promise<Environment> {
  const before = environments(home, version)[0]?.folder;
  steps.step("looking for Python", 2);
  const python = await findPython(steps);
  mkdirSync(home, { recursive: true });
  const release = await waitForLock(join(home, LOCK), steps);
  try {
    const [present] = environments(home, version);
    if (present?.version === version && present.folder !== before) {
      return present;
    }
    return await make(python, home, wheel, version, steps);
  } finally {
    release();
  }
}

async function make(
  python: string,
  home: string,
  wheel: string,
  version: string,
  steps: Steps,
): Promise<Environment> {
  const folder = mkdtempSync(join(home, `${version}-`));
  try {
    mkdirSync(join(folder, USERS));
    writeFileSync(join(folder, USERS, String(process.pid)), "");
    steps.step("making a private environment", 5);
    await run(python, ["-m", "venv", folder], steps);
    steps.step("installing", 20);
    let percent = 20;
    const pip = ["-m", "pip", "install", "--no-input", "--disable-pip-version-check"];
    await run(join(folder, "bin", "python"), [...pip, wheel], steps, (line) => {
      const what = /^(Collecting|Installing) (?:collected packages|[\w.-]+)/.exec(line);
      if (what !== null) {
        percent = Math.min(95, percent + 3);
        steps.step(what[0].toLowerCase(), percent);
      }
    });
    await run(executable(folder), ["--version"], steps);
    writeFileSync(join(folder, MARK), version);
    steps.step("done", 100);
    return { folder, file: executable(folder), version };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Waits while another window makes an environment. */
async function waitForLock(file: string, steps: Steps): Promise<() => void> {
  for (;;) {
    if (steps.signal.aborted) {
      throw cancelled();
    }
    const release = takeLock(file);
    if (release !== undefined) {
      return release;
    }
    steps.step("another window is at it", 2);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function executable(folder: string): string {
  return join(folder, "bin", EXECUTABLE);
}

/** Every folder below `home`, whatever state it is in. */
function folders(home: string): string[] {
  const all = existsSync(home) ? readdirSync(home, { withFileTypes: true }) : [];
  return all.filter((entry) => entry.isDirectory()).map(({ name }) => join(home, name));
}

function isUsed(folder: string): boolean {
  const users = join(folder, USERS);
  return existsSync(users) && readdirSync(users).some((pid) => isAlive(Number(pid)));
}

async function findPython(steps: Steps): Promise<string> {
  for (const python of PYTHONS) {
    try {
      await run(python, ["-c", FITS], steps);
      return python;
    } catch (error) {
      if (steps.signal.aborted) {
        throw error;
      }
    }
  }
  throw new TutorProblem(
    "NO_PYTHON",
    "The tutor's server needs Python 3.11 or later with venv, and none was found on PATH. " +
      "On Debian or Ubuntu: apt-get install python3-venv. Then try again.",
    ["install", "log"],
  );
}

/** The editor's variables without those that would lead Python or pip out of the environment. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own: NodeJS.ProcessEnv = { ...process.env, PYTHONSAFEPATH: "1", PIP_USER: "0" };
  for (const name of ["PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"]) {
    Reflect.deleteProperty(own, name);
  }
  return own;
}

/** Runs a program in a group of its own, its lines to the log; rejects unless it ends with 0. */
function run(
  program: string,
  argv: readonly string[],
  steps: Steps,
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (steps.signal.aborted) {
      reject(cancelled());
      return;
    }
    steps.log(`$ ${program} ${argv.join(" ")}`);
    const child = spawn(program, argv, {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      // Python imports from where it is started, and the editor may be started in any folder.
      cwd: "/",
      env: ownEnvironment(),
    });
    const stop = (): void => {
      if (child.pid !== undefined) {
        try {
          process.kill(-child.pid, "SIGKILL");
        } catch {
          // It has just ended.
        }
      }
    };
    steps.signal.addEventListener("abort", stop, { once: true });
    let last = "";
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        last = line.trim() === "" ? last : line;
        steps.log(line);
        onLine(line);
      });
    }
    child.once("error", (error) => {
      steps.signal.removeEventListener("abort", stop);
      reject(failed(program, error.message));
    });
    child.once("close", (code) => {
      steps.signal.removeEventListener("abort", stop);
      if (steps.signal.aborted) {
        reject(cancelled());
      } else if (code === 0) {
        resolve();
      } else {
        reject(failed(program, last));
      }
    });
  });
}

function cancelled(): TutorProblem {
  return new TutorProblem("CANCELLED", "Setting up the tutor's server was cancelled.");
}

function failed(program: string, why: string): TutorProblem {
  const message = `The tutor's server could not be set up: ${why || program} The log has it all.`;
  return new TutorProblem("SET_UP_FAILED", message, ["log", "install", "settings"]);
}
