// The sentences of the extension itself, and which remedies it offers. What comes of the exercise is
// said in the server's words. Pure.
import { EXECUTABLE, type Search } from "../setUp/discovery";
import type { SessionFailed } from "../server/protocol";
import { t } from "./words";

/** The buttons under messages: the title of each, and the command that it runs. */
export const REMEDIES = {
  start: [t`Choose an Exercise`, "tutorLsp.start"],
  retry: [t`Try Again`, "tutorLsp.start", "again"],
  doctor: [t`Doctor`, "tutorLsp.doctor"],
  log: [t`Show Log`, "tutorLsp.showLog"],
  settings: [t`Open Settings`, "workbench.action.openSettings", "tutor.server"],
  trust: [t`Trust`, "tutorLsp.trust"],
  restart: [t`Restart Server`, "tutorLsp.restart"],
  install: [t`Set It Up`, "tutorLsp.setUp"],
  again: [t`Try Again`, "tutorLsp.start"],
  python: [t`Install Python`, "tutorLsp.mend", "python"],
  compiler: [t`Install Them`, "tutorLsp.mend", "compiler"],
  elsewhere: [t`Use Another Folder`, "tutorLsp.mend", "elsewhere"],
  reinstall: [t`Install It Again`, "tutorLsp.mend", "reinstall"],
  home: [t`Choose Another Folder`, "tutorLsp.setting", "tutor.home"],
} as const;

export type Remedy = keyof typeof REMEDIES;

export interface Problem {
  kind: string;
  message: string;
  remedies: Remedy[];
  /** The server would do it for this unit if it were asked with `confirm`. */
  confirmable?: { unit: string; stub: string };
}

/** Kinds that are answers rather than faults: they are said without alarm. */
const CALM: ReadonlySet<string> = new Set(["REFUSED", "RESTRICTED", "NO_SESSION", "NO_EXERCISE", "NO_FILE", "WINDOWS", "OLD_SERVER"]);

export function isCalm(problem: Problem): boolean {
  return CALM.has(problem.kind);
}

/** An error that the extension itself raises, ready to be shown. */
export class TutorProblem extends Error implements Problem {
  constructor(
    readonly kind: string,
    message: string,
    readonly remedies: Remedy[] = [],
  ) {
    super(message);
  }
}

/** Shown while the editor asks for trust, in one line. `all`: about the folder of all exercises. */
export function trustText(all: boolean): string {
  return all
    ? t`This folder has your exercises in all languages: trust it once.`
    : t`The tutor runs your code here once you trust this folder.`;
}

export function restricted(): TutorProblem {
  const message =
    t`The tutor runs the code that you write here, so it waits until you trust this folder.
      Until then you can read, and nothing runs.`;
  return new TutorProblem("RESTRICTED", message, ["trust"]);
}

/** Shown if nobody could answer a question. */
export const NO_MODEL =
  t`Questions about your code need a model, and none is in use. Doctor shows which are available;
    choose one with the setting tutor.backend. Hints work without one.`;

/** `canInstall`: the extension brings the server along and could set it up. */
export function missingServer(search: Search & { found: false }, canInstall = false): TutorProblem {
  const remedies: Remedy[] = canInstall ? ["install", "settings", "log"] : ["settings", "log"];
  const own = canInstall ? t` The tutor can also set up one of its own.` : "";
  const how = canInstall
    ? t`It can be set up for this editor alone`
    : t`Install it with pipx, from a clone or its wheel`;
  const message =
    search.setting === ""
      ? t`The tutor's server (${EXECUTABLE}) is not installed where this window can find it. ${how}; or set tutor.server.command to its full path.`
      : t`The setting tutor.server.command is "${search.setting}", which is not an executable program. Correct the path, or clear the setting to let the tutor find its server.${own}`;
  return new TutorProblem("NO_SERVER", message, remedies);
}

export function notOnWindows(): TutorProblem {
  const message =
    t`The tutor runs on Linux, macOS and in WSL, not on Windows itself. Connect this editor to WSL
      (command "WSL: Connect to WSL"), install the extension there, and start again.`;
  return new TutorProblem("WINDOWS", message);
}

/** A private server of this version could not be made; an older one is there. */
export function worksOn(problem: Problem, old: string, own: string): TutorProblem {
  const message = t`${problem.message} Until then, server version ${old} is used with extension version ${own}.`;
  return new TutorProblem("OLD_SERVER", message, ["install", "log"]);
}

/** Shown if server and extension have different versions, and the button's title. */
export function otherVersion(
  file: string,
  server: string,
  own: string,
  canInstall: boolean,
): { message: string; button: string[] } {
  const message =
    t`The tutor's server (${file}) has version ${server}, but this extension ${own}: some things may
      not work. Update it as it was installed${canInstall ? t`, or let the extension use a server of its own.` : "."}`;
  return { message, button: canInstall ? [t`Use Its Own Server`] : [] };
}

export function startFailed(file: string, canInstall: boolean): TutorProblem {
  const message = t`The tutor's server (${file}) could not be started. The log says why.`;
  const install: Remedy[] = canInstall ? ["install"] : [];
  return new TutorProblem("NO_SERVER", message, ["restart", ...install, "log", "settings"]);
}

export function wrongArgs(): TutorProblem {
  const message =
    t`The setting tutor.server.args must be a list of strings, such as ["serve"]. Correct it, or
      clear it.`;
  return new TutorProblem("NO_SERVER", message, ["settings", "log"]);
}

/** For a start that is no longer wanted. */
export function overtaken(): TutorProblem {
  return new TutorProblem("CANCELLED", t`The tutor was stopped before its server started.`);
}

/** `hasWork`: the window is on an exercise. */
export function givenUp(hasWork: boolean): TutorProblem {
  const message = hasWork
    ? t`The tutor's server stopped several times in a row. Your work is saved.`
    : t`The tutor's server stopped several times in a row.`;
  return new TutorProblem("NO_SERVER", message, ["restart", "log"]);
}

const REQUEST_CANCELLED = -32800;
const SERVER_CANCELLED = -32802;
const INTERNAL_ERROR = -32603;
const CONNECTION_ENDED: ReadonlySet<unknown> = new Set([-32097, -32096]);

const BY_KIND: Partial<Record<string, Remedy[]>> = {
  NO_SESSION: ["start"],
  NO_EXERCISE: ["start"],
  TOOLCHAIN_MISSING: ["doctor"],
  STORE: ["doctor", "log"],
  EXECUTION_FAILED: ["start", "log"],
};

/** Why a record can only be kept in another folder. */
const ELSEWHERE: ReadonlySet<unknown> = new Set(["forbidden", "newer", "unknown-form"]);

/** Details of a refusal that can be overruled. */
interface Confirmable {
  confirm?: boolean;
  unit?: string;
  stub?: string;
}

/** Anything that was thrown, as a sentence with remedies. A cancelled request has kind CANCELLED. */
export function readProblem(error: unknown): Problem {
  if (error instanceof TutorProblem) {
    return error;
  }
  const { code, data, message, name } = error as {
    code?: unknown;
    data?: unknown;
    message?: unknown;
    name?: unknown;
  };
  const text = typeof message === "string" && message !== "" ? message : String(error);
  if (code === REQUEST_CANCELLED || code === SERVER_CANCELLED || name === "Canceled") {
    return { kind: "CANCELLED", message: text, remedies: [] };
  }
  const { kind, reason, details } = (data ?? {}) as { kind?: unknown; reason?: unknown; details?: Confirmable };
  if (typeof kind === "string") {
    const home: Remedy[] = kind === "STORE" && ELSEWHERE.has(reason) ? ["home"] : [];
    const problem = { kind, message: text, remedies: [...home, ...(BY_KIND[kind] ?? [])] };
    const { confirm, unit, stub } = details ?? {};
    return confirm === true && unit !== undefined && stub !== undefined
      ? { ...problem, confirmable: { unit, stub } }
      : problem;
  }
  if (CONNECTION_ENDED.has(code)) {
    const message = t`The tutor's server stopped before it had finished. Please try again.`;
    return { kind: "SERVER_ENDED", message, remedies: ["restart", "log"] };
  }
  return {
    kind: "UNEXPECTED",
    message: code === INTERNAL_ERROR ? t`The tutor's server had a problem: ${text}` : text,
    remedies: ["log"],
  };
}

export function failureOf(failed: SessionFailed): Problem {
  const cancelled = failed.reason === "CANCELLED";
  return {
    kind: failed.reason,
    message: failed.message,
    remedies: cancelled ? [] : ["retry", "log"],
  };
}

/** Those of several remarks that are not empty, in one line. */
export function joined(...parts: (string | false | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== "").join(" · ");
}

export type ServerState = "off" | "starting" | "ready" | "failed";

export interface Bar {
  text: string;
  /** Also what screen readers say, who cannot see the icon. */
  tooltip: string;
  warning: boolean;
  /** What a click runs; the status by default. */
  command?: [id: string, ...args: string[]];
}

export interface BarState {
  server: ServerState;
  /** How far the exercise of this window is, in a few words; undefined where it has none. */
  progress?: string | undefined;
  /** What the server said of it last. */
  said?: string | undefined;
  working?: string | undefined;
  /** Whether the server has yet to tell which exercise is open here. */
  untold?: boolean;
  /** What a window without an exercise offers: one to continue, or the list. */
  onward?: { label: string; session: string } | "start" | undefined;
}

/** The status bar item; null where there is nothing to say. */
export function barOf({ server, progress, said, working, untold, onward }: BarState): Bar | null {
  const resume = progress === undefined && typeof onward === "object" ? onward : undefined;
  if (resume !== undefined && working === undefined && server !== "failed") {
    return {
      text: `$(mortar-board) ${resume.label}`,
      tooltip: resume.label,
      warning: false,
      command: ["tutorLsp.resume", resume.session],
    };
  }
  if (server === "off") {
    return null;
  }
  const bar = (icon: string, short: string, tooltip: string, warning = false): Bar => {
    return { text: `$(${icon}) ${short}`, tooltip, warning };
  };
  if (server === "failed") {
    const tooltip = t`The tutor's server is not running. Click to start it again.`;
    return bar("warning", "Tutor", tooltip, true);
  }
  if (server === "starting" || working !== undefined || untold === true) {
    return bar("sync~spin", "Tutor", working ?? t`Starting the tutor …`);
  }
  if (progress !== undefined) {
    return bar("mortar-board", progress || "Tutor", said ?? progress);
  }
  const choose = bar("mortar-board", "Tutor", t`No exercise is open here. Click to choose one.`);
  return onward === undefined ? choose : { ...choose, command: ["tutorLsp.start"] };
}
