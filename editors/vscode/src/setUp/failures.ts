// Why a server could not be set up or started: one sentence with its mend, and the button that does
// it. What programs said goes to the log alone. Pure.
import { TutorProblem } from "../words/messages";
import { t } from "../words/words";

/** What is known when a step of the set-up fails. */
export interface Failed {
  /** What the program said, and how the system says that something failed. */
  said: string;
  /** Folder in which it works. */
  folder: string;
  /** What is wrong with that folder itself, whatever the program said. */
  state?: "full" | "read-only" | undefined;
  /** Whether the C library is musl. */
  musl: boolean;
}

export function noPython(other?: string): TutorProblem {
  return new TutorProblem(
    "NO_PYTHON",
    other === undefined
      ? t`The tutor needs Python 3.11 or later, and none was found on this machine: install one.`
      : t`The tutor needs Python 3.11 or later, and the newest on this machine is ${other}: install a newer one beside it.`,
    ["python", "log"],
  );
}

export function noVenv(file: string): TutorProblem {
  const message = t`${file} lacks venv, with which the tutor's server is set up: install it.`;
  return new TutorProblem("NO_PYTHON", message, ["python", "log"]);
}

export function diskFull(folder: string): TutorProblem {
  const message = t`The disk of ${folder} is full: free 200 MB there, then try again.`;
  return new TutorProblem("DISK_FULL", message, ["again", "log"]);
}

export function readOnly(folder: string): TutorProblem {
  const message = t`Nothing can be written to ${folder}, where the tutor's server would be set up: let it use another folder.`;
  return new TutorProblem("READ_ONLY", message, ["elsewhere", "log"]);
}

export function noExec(folder: string): TutorProblem {
  const message = t`Programs in ${folder} may not run on this machine (noexec): let the tutor's server use another folder.`;
  return new TutorProblem("NO_EXEC", message, ["elsewhere", "log"]);
}

export function mustCompile(): TutorProblem {
  const message =
    t`On this system (musl) some libraries of the tutor's server must be compiled: install a C compiler and Python's headers.`;
  return new TutorProblem("MUSL", message, ["compiler", "log"]);
}

export function damaged(): TutorProblem {
  const message = t`Files of the tutor's package are damaged or missing: install the extension again.`;
  return new TutorProblem("DAMAGED", message, ["reinstall", "log"]);
}

export function offline(): TutorProblem {
  const message =
    t`What the tutor's server needs could not be fetched from the package index: connect this machine to the network, then try again.`;
  return new TutorProblem("OFFLINE", message, ["again", "log"]);
}

export function killed(signal: string): TutorProblem {
  const message = t`The tutor's server was ended from outside while it started (${signal}), often because memory is short: close something large, then try again.`;
  return new TutorProblem("KILLED", message, ["again", "log"]);
}

/** Anything else: what it was stands in the log. */
export function setUpFailed(): TutorProblem {
  const message = t`The tutor's server could not be set up; the log says why: try again.`;
  return new TutorProblem("SET_UP_FAILED", message, ["again", "log"]);
}

const SIGNS: [sign: RegExp, problem: (failed: Failed) => TutorProblem][] = [
  [/ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|Errno 28\b/, ({ folder }) => diskFull(folder)],
  [/EROFS|Read-only file system|Errno 30\b/, ({ folder }) => readOnly(folder)],
  [/failed to map segment|EACCES[^\n]*(spawn|bin\/)|spawn[^\n]*EACCES|Operation not permitted[^\n]*\.so|code signature/, ({ folder }) => noExec(folder)],
  [/EACCES|EPERM|Permission denied|Errno 13\b/, ({ folder }) => readOnly(folder)],
  [/not a valid wheel|is not a zip file|BadZipFile|Bad (magic number|CRC)|File is not a zip|has an invalid wheel|Wheel '.*' located at .* is invalid/i, () => damaged()],
];

/** The problem that a failed step shows, by what was said. */
export function failureOf(failed: Failed): TutorProblem {
  if (failed.state !== undefined) {
    return failed.state === "full" ? diskFull(failed.folder) : readOnly(failed.folder);
  }
  const known = SIGNS.find(([sign]) => sign.test(failed.said));
  if (known !== undefined) {
    return known[1](failed);
  }
  if (failed.musl && /No matching distribution|gcc|\bcc\b|Failed building|error: command|Rust/.test(failed.said)) {
    return mustCompile();
  }
  return /NewConnectionError|Connection (broken|aborted|reset)|ConnectionResetError|IncompleteRead|Name or service not known|Temporary failure in name|Network is unreachable|No matching distribution|timed out|ProxyError|SSLError|Connection refused|ConnectTimeout/.test(failed.said)
    ? offline()
    : setUpFailed();
}
