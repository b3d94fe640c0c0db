// Every sentence the extension says, and which remedies it offers. Pure.
import { basename, dirname } from "node:path";
import { EXECUTABLE, type Search } from "./discovery";
import type {
  Diagnosis,
  HintResult,
  Recommendation,
  Report,
  SessionFailed,
  Tool,
  Unit,
  Standing,
} from "./protocol";
import { doneText } from "./results";

/** What a button under a message does; main.ts maps each to a command. */
export type Remedy =
  | "start"
  | "retry"
  | "doctor"
  | "log"
  | "settings"
  | "trust"
  | "restart"
  | "install";

export const REMEDY_TITLES: Record<Remedy, string> = {
  start: "Choose an Exercise",
  retry: "Try Again",
  doctor: "Doctor",
  log: "Show Log",
  settings: "Open Settings",
  trust: "Manage Trust",
  restart: "Restart Server",
  install: "Set It Up",
};

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

export function restricted(): TutorProblem {
  return new TutorProblem(
    "RESTRICTED",
    "This window is in Restricted Mode. The tutor runs the code you write, so it waits until you trust the folder.",
    ["trust"],
  );
}

/**
 * What is said before the editor asks whether an exercise's folder is trusted, or does not ask.
 * Folders around it are recommended only in the tutor's `home`.
 */
export function trustText(root: string, home: string | undefined, again = false): string {
  const parent = basename(dirname(root));
  const folder = dirname(dirname(root));
  const own = folder === home;
  if (again) {
    return (
      `Your editor asks whether you trust it, or opens it in Restricted Mode, with "Manage Trust" ` +
      `in a message.` +
      (own ? ` Trust the parent folder "${parent}", and this is over for that language.` : "")
    );
  }
  return (
    `The tutor runs the code that you write, so your editor wants to know first whether you ` +
    `trust the folder ${basename(root)}. Either it asks at once, or it opens it in Restricted Mode, ` +
    `where a message leads you on with "Manage Trust": choose "Trust".` +
    (own
      ? ` Trust its parent folder "${parent}", too (in the question, or by "Add Folder" in Manage ` +
        `Trust), and you are not asked again for exercises in that language; add ` +
        `"${basename(folder)}" there for all languages.`
      : "")
  );
}

/** What is said where nobody would answer a question. */
export const NO_MODEL =
  "Questions about your code need a model, and none is in use here. Doctor tells which there are, " +
  "the setting tutor.backend names one. Hints need none.";

/** `canInstall`: the extension brings the server along and could set it up. */
export function missingServer(search: Search & { found: false }, canInstall = false): TutorProblem {
  const remedies: Remedy[] = canInstall ? ["install", "settings", "log"] : ["settings", "log"];
  if (search.setting !== "") {
    const own = canInstall ? " The tutor can also set up one of its own." : "";
    const message = `The setting tutor.server.command says "${search.setting}", but there is no program that can be run. Correct the path, or clear the setting to let the tutor look for itself.${own}`;
    return new TutorProblem("NO_SERVER", message, remedies);
  }
  const message = canInstall
    ? `The tutor's server (${EXECUTABLE}) is not installed where this window can find it. It can be set up for this editor alone; or set tutor.server.command to its full path.`
    : `The tutor's server (${EXECUTABLE}) is not installed where this window can find it. Install it with "pipx install ${EXECUTABLE}", or set tutor.server.command to its full path.`;
  return new TutorProblem("NO_SERVER", message, remedies);
}

export function notOnWindows(): TutorProblem {
  const message =
    "The tutor runs on Linux, macOS and in WSL, not on Windows itself. Connect this editor to WSL " +
    '(command "WSL: Connect to WSL"), install the extension there, and start again.';
  return new TutorProblem("WINDOWS", message);
}

/** A private server of this version could not be made; an older one is there. */
export function worksOn(problem: Problem, old: string, own: string): TutorProblem {
  const message = `${problem.message} The server of version ${old} works on meanwhile; this extension is ${own}.`;
  return new TutorProblem("OLD_SERVER", message, ["install", "log"]);
}

/** What is said where server and extension are of different versions, and the button's title. */
export function otherVersion(
  file: string,
  server: string,
  own: string,
  canInstall: boolean,
): { message: string; button: string[] } {
  const message =
    `The tutor's server (${file}) has version ${server}, this extension ${own}: some things may ` +
    `not work. Update it with "pipx upgrade ${EXECUTABLE}"` +
    (canInstall ? ", or let the extension use a server of its own." : ".");
  return { message, button: canInstall ? ["Use Its Own Server"] : [] };
}

export function startFailed(file: string, canInstall: boolean): TutorProblem {
  const message = `The tutor's server (${file}) could not be started. The log says why.`;
  const install: Remedy[] = canInstall ? ["install"] : [];
  return new TutorProblem("NO_SERVER", message, ["restart", ...install, "log", "settings"]);
}

export function wrongArgs(): TutorProblem {
  const message =
    `The setting tutor.server.args must be a list of words, such as ["serve"]. Correct it, or ` +
    `clear it.`;
  return new TutorProblem("NO_SERVER", message, ["settings", "log"]);
}

/** Of a start that is not wanted any more. */
export function overtaken(): TutorProblem {
  return new TutorProblem("CANCELLED", "The tutor was stopped before its server started.");
}

export function givenUp(): TutorProblem {
  const message = "The tutor's server stopped several times in a row. Your work is saved.";
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
  const { kind, details } = (data ?? {}) as { kind?: unknown; details?: Confirmable };
  if (typeof kind === "string") {
    const problem = { kind, message: text, remedies: BY_KIND[kind] ?? [] };
    const { confirm, unit, stub } = details ?? {};
    return confirm === true && unit !== undefined && stub !== undefined
      ? { ...problem, confirmable: { unit, stub } }
      : problem;
  }
  if (CONNECTION_ENDED.has(code)) {
    const message = "The tutor's server stopped while it was at this. Please try again.";
    return { kind: "SERVER_ENDED", message, remedies: ["restart", "log"] };
  }
  return {
    kind: "UNEXPECTED",
    message: code === INTERNAL_ERROR ? `The tutor's server had a problem: ${text}` : text,
    remedies: ["log"],
  };
}

export function failureOf(failed: SessionFailed): Problem {
  const cancelled = failed.reason === "CANCELLED";
  return {
    kind: cancelled ? "CANCELLED" : (failed.reason ?? "FAILED"),
    message: failed.message,
    remedies: cancelled ? [] : ["retry", "log"],
  };
}

function counts(report: Report): string {
  const passed = report.tests.filter((test) => test.outcome === "passed").length;
  const all = report.tests.length;
  return passed === all && all > 0
    ? all === 1
      ? "The test passes"
      : `All ${all} tests pass`
    : `${passed} of ${all} tests pass`;
}

/** A run in one sentence. */
export function reportText(report: Report): string {
  switch (report.outcome) {
    case "passed":
    case "failed":
      return `${counts(report)}.`;
    case "build_error": {
      const first = report.buildErrors[0];
      return first === undefined
        ? "It does not build yet."
        : `It does not build yet: ${first.message} (${first.file}, line ${first.line}).`;
    }
    case "timeout": {
      const slow = report.tests.find((test) => test.outcome === "timeout");
      return slow === undefined
        ? "The tests did not come to an end in time."
        : `${slow.name} did not come to an end in time.`;
    }
    case "not_run":
      return report.reason ?? "The tests could not be run.";
    case "cancelled":
      return "Stopped.";
  }
}

export function hintText(hint: HintResult): string {
  const checked =
    hint.code !== null && hint.verified ? " Its code was tried against the tests." : "";
  const heading = hint.title ?? `Hint ${hint.level} for ${hint.unit}`;
  return `${heading}.${checked}`;
}

/** The end of a session, and what could be next. */
export function endText(summary: string, next: Recommendation | undefined): string {
  return next === undefined ? summary : `${summary} Next: ${next.title} (${next.reason}).`;
}

/** What there is of several remarks, in one line. */
export function joined(...parts: (string | false | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== "").join(" · ");
}

export function minutesText(minutes: number | null | undefined): string {
  return minutes === null || minutes === undefined ? "" : `${minutes} min`;
}

export type ServerState = "off" | "starting" | "ready" | "failed";

export interface Bar {
  text: string;
  tooltip: string;
  /** For screen readers: the text without icons. */
  label: string;
  warning: boolean;
}

export interface BarState {
  server: ServerState;
  title?: string | undefined;
  units?: readonly Unit[] | undefined;
  standing?: Standing | null | undefined;
  attempts?: number | undefined;
  backend?: { name: string; why: string } | null | undefined;
  working?: string | undefined;
  /** Whether the server has yet to tell which exercise is open here. */
  untold?: boolean;
}

/** The status bar item; null where there is nothing to say. */
export function barOf(state: BarState): Bar | null {
  const { server, title, units, attempts, backend, working, untold } = state;
  if (server === "off") {
    return null;
  }
  if (server === "failed") {
    const tooltip = "The tutor's server is not running. Click to start it again.";
    return { text: "$(warning) Tutor", tooltip, label: `Tutor: ${tooltip}`, warning: true };
  }
  if (server === "starting" || working !== undefined || untold === true) {
    const tooltip = working ?? "Starting the tutor …";
    return { text: "$(sync~spin) Tutor", tooltip, label: `Tutor: ${tooltip}`, warning: false };
  }
  const lines = [];
  let short = "Tutor";
  if (units !== undefined && units.length > 0) {
    const passing = units.filter((unit) => unit.state === "passing").length;
    short = doneText(units, state.standing);
    const tries = attempts === undefined ? "" : `, ${counted(attempts, "attempt")}`;
    lines.push(`${title ?? "Exercise"}: ${short}${state.standing?.old === true ? "" : " done"}${tries}`);
    const focus = units.find((unit) => unit.focus);
    if (focus !== undefined && passing < units.length) {
      lines.push(`Now: ${focus.stub} (${focus.firstPrinciple})`);
    }
  } else {
    lines.push("No exercise is open here. Click to choose one.");
  }
  if (backend !== undefined && backend !== null) {
    // Quietly: working offline is nothing to worry about.
    const offline = backend.name === "library" ? "offline, " : "";
    lines.push(`Answers come from: ${backend.name} (${offline}${backend.why})`);
  }
  const label = `Tutor: ${lines.map((line) => line.replace(/\.$/, "")).join(". ")}`;
  return { text: `$(mortar-board) ${short}`, tooltip: lines.join("\n"), label, warning: false };
}

/** What `tutor.doctor` found: a line per tool with its remedy below, then other problems. */
export function doctorText({ tools, home, problems }: Diagnosis): string {
  return [
    ...tools.map(toolText),
    `Your exercises and your record: ${home}`,
    ...problems.map((problem) => `– ${problem}`),
  ].join("\n");
}

function toolText(tool: Tool): string {
  const state = !tool.found ? "not found" : tool.works ? "works" : "does not work";
  const version = tool.version === null ? "" : ` ${tool.version}`;
  const line = `${tool.works ? "✓" : "–"} ${tool.name}${version}: ${state}`;
  return tool.remedy === null || tool.works ? line : `${line}\n    ${tool.remedy}`;
}

function counted(count: number, what: string): string {
  return `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : "s"}`;
}
