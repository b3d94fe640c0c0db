// A private environment for the server, made from the wheel that comes with the extension. What the
// wheel needs comes from the package index that the learner's pip is configured for.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { EXECUTABLE } from "./discovery";
import { TutorProblem } from "./messages";

/** Python versions that the server runs on, newest first. */
const PYTHONS = ["python3", "python3.13", "python3.12", "python3.11", "python"];
const FITS = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
/** Holds the version; written last, so that a half-made environment is never used. */
const MARK = "tutor-lsp-version";

export interface Steps {
  /** A line for the log. */
  log(line: string): void;
  /** What is being done, in a few words, and how far it is (0–100). */
  step(message: string, percent: number): void;
  /** Aborted when the learner cancels. */
  signal: AbortSignal;
}

/** The server of the private environment, if it is whole. */
export function privateServer(folder: string): string | undefined {
  const file = join(folder, "bin", EXECUTABLE);
  return existsSync(join(folder, MARK)) && existsSync(file) ? file : undefined;
}

/** Version of the private environment; undefined where there is none. */
export function privateVersion(folder: string): string | undefined {
  return privateServer(folder) === undefined
    ? undefined
    : readFileSync(join(folder, MARK), "utf8").trim();
}

/** The wheel in a folder of the extension. */
export function wheelIn(folder: string): string | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const wheel = names.find((name) => name.startsWith("tutor_lsp-") && name.endsWith(".whl"));
  return wheel === undefined ? undefined : join(folder, wheel);
}

/**
 * Makes the environment anew and gives the server's path. Rejects with a TutorProblem; then, and
 * when cancelled, nothing of it is left.
 */
export async function makeEnvironment(
  folder: string,
  wheel: string,
  version: string,
  steps: Steps,
): Promise<string> {
  steps.step("looking for Python", 2);
  const python = await findPython(steps);
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
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
    const server = join(folder, "bin", EXECUTABLE);
    await run(server, ["--version"], steps);
    writeFileSync(join(folder, MARK), version);
    steps.step("done", 100);
    return server;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
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
    const child = spawn(program, argv, { detached: true, stdio: ["ignore", "pipe", "pipe"] });
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
