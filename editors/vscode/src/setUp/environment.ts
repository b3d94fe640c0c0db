// Private environments for the server, made from the wheel that comes with the extension. What the
// wheel needs comes from the package index that the learner's pip is configured for. Each is made in
// a folder of its own, so that one that works is never touched by the making of the next.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { EXECUTABLE } from "./discovery";
import { takeLock } from "./lock";
import { TutorProblem } from "../words/messages";
import { type Failed, failureOf, noPython, noVenv } from "./failures";
import { findPython, isRecent, type Places, placesHere, type Python, succeeds, usesMusl } from "./find";
import { isAlive } from "../window/storage";
import { t } from "../words/words";

/** Whether a Python can make an environment: on Debian that is a package of its own. */
const MAKES = "import venv, ensurepip";
/** Holds the version; written last, so that a half-made environment is never used. */
const MARK = "tutor-lsp-version";
/** Holds a file for each process that makes or uses the environment, called by its id. */
const USERS = "users";
const LOCK = "lock";
/** How often (ms) to look whether another window has finished making one. */
const LOOK_MS = 200;
/** How many lines of a program that fails are looked at. */
const MOST_LINES = 200;
/** A disk with less room than this (bytes) is full: a step may have removed what it wrote last. */
const FULL_BELOW = 20_000_000;

export interface Steps {
  /** A line for the log. */
  log(line: string): void;
  /** What is being done, in a few words, and how far it is (0–100). */
  step(message: string, percent: number): void;
  /** Where a Python is looked for, if not where one usually is. */
  places?: Places;
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
    .sort((a, b) => +(b.version === version) - +(a.version === version) || b.made - a.made);
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
  noteUser(folder);
}

function noteUser(folder: string): void {
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
  steps.step(t`looking for Python`, 2);
  const python = await ownPython(steps);
  const failing = { folder: home, musl: usesMusl(python) };
  let release: () => void;
  try {
    mkdirSync(home, { recursive: true });
    release = await waitForLock(join(home, LOCK), steps);
  } catch (error) {
    throw told(error, failing, steps);
  }
  try {
    const [present] = environments(home, version);
    if (present?.version === version && present.folder !== before) {
      return present;
    }
    return await make(python.file, home, wheel, version, steps);
  } catch (error) {
    throw told(error, failing, steps);
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
    noteUser(folder);
    steps.step(t`making a private environment`, 5);
    await run(python, ["-m", "venv", folder], steps);
    steps.step(t`installing`, 20);
    let percent = 20;
    const pip = ["-m", "pip", "install", "--no-input", "--disable-pip-version-check"];
    pip.push("--prefer-binary");
    await run(join(folder, "bin", "python"), [...pip, wheel], steps, (line) => {
      const [, collected] = /^Collecting ([\w.-]+)/.exec(line) ?? [];
      if (collected !== undefined || line.startsWith("Installing ")) {
        percent = Math.min(95, percent + 3);
        steps.step(collected === undefined ? t`installing` : t`collecting ${collected}`, percent);
      }
    });
    await run(executable(folder), ["--version"], steps);
    writeFileSync(join(folder, MARK), version);
    steps.step(t`done`, 100);
    return { folder, file: executable(folder), version };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Waits while another window makes an environment. */
async function waitForLock(file: string, steps: Steps): Promise<() => void> {
  for (;;) {
    stopIfCancelled(steps.signal);
    const release = takeLock(file);
    if (release !== undefined) {
      return release;
    }
    steps.step(t`waiting for another window`, 2);
    await delay(LOOK_MS);
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

async function ownPython(steps: Steps): Promise<Python> {
  let without: string | undefined;
  const makes = async (python: Python): Promise<boolean> => {
    stopIfCancelled(steps.signal);
    const lacks = isRecent(python) && !(await succeeds(python.file, ["-I", "-c", MAKES]));
    without ??= lacks ? python.file : undefined;
    return isRecent(python) && !lacks;
  };
  const { python, other } = await findPython(steps.places ?? placesHere(), makes, (line) => {
    steps.log(line);
  });
  stopIfCancelled(steps.signal);
  if (python === undefined) {
    throw without === undefined ? noPython(other) : noVenv(without);
  }
  return python;
}

/** What is shown of an error: what a program said is in the log. */
function told(error: unknown, failed: Omit<Failed, "said">, steps: Steps): TutorProblem {
  if (error instanceof TutorProblem) {
    return error;
  }
  const said = error instanceof Error ? error.message : String(error);
  steps.log(said);
  return failureOf({ ...failed, said, state: stateOf(failed.folder) });
}

/** What keeps anything from being written to a folder, which need not exist. */
function stateOf(folder: string): "full" | "read-only" | undefined {
  if (!existsSync(folder) && dirname(folder) !== folder) {
    return stateOf(dirname(folder));
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return "read-only";
  }
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < FULL_BELOW ? "full" : undefined;
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
async function run(
  program: string,
  argv: readonly string[],
  steps: Steps,
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const { signal } = steps;
  stopIfCancelled(signal);
  steps.log(`$ ${program} ${argv.join(" ")}`);
  const child = spawn(program, argv, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    // Python imports from where it is started, and the editor may be started in any folder.
    cwd: "/",
    env: ownEnvironment(),
  });
  const stop = (): void => {
    try {
      process.kill(-Number(child.pid), "SIGKILL");
    } catch {
      // It has just ended, or could not be started.
    }
  };
  signal.addEventListener("abort", stop, { once: true });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      said.push(line);
      steps.log(line);
      onLine(line);
    });
  }
  const problem = await once(child, "close").then(
    ([code]) => (code === 0 ? undefined : said.slice(-MOST_LINES).join("\n")),
    (error: unknown) => String(error),
  );
  signal.removeEventListener("abort", stop);
  stopIfCancelled(signal);
  if (problem !== undefined) {
    throw new Error(problem);
  }
}

function stopIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new TutorProblem("CANCELLED", t`Setting up the tutor's server was cancelled.`);
  }
}
