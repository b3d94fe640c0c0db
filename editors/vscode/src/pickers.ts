// What the lists show: plain data made from the server's payloads. Pure.
import { joined, minutesText } from "./messages";
import type {
  Curriculum,
  Job,
  ListedSession,
  Node,
  Recommendation,
  StartArgument,
  Status,
  Unit,
} from "./protocol";
import { agoText, attemptsText, begunOn, continuing, progressText } from "./sessions";
import { STATES, unitText } from "./units";

/** A row of a list. `then` says what choosing it does; rows without it are headings. */
export interface Row<T> {
  label: string;
  description?: string;
  detail?: string;
  heading?: true;
  then?: T;
}

export type StartChoice =
  | { do: "resume"; session: string }
  | { do: "start"; argument: StartArgument }
  | { do: "browse" }
  | { do: "topic" };

const CONTINUE_ROWS = 3;
const RECOMMENDED_ROWS = 4;

function heading(label: string): Row<never> {
  return { label, heading: true };
}

/** One of each language in turn, the likely language first, in the server's order. */
export function recommended(curriculum: Curriculum, likely?: string): Recommendation[] {
  const lists = likelyFirst(curriculum.languages, likely).map((language) => {
    return curriculum.recommended[language] ?? [];
  });
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }).flatMap((_, place) => {
    return lists.flatMap((list) => list[place] ?? []);
  });
}

/** Rows to go on with what was begun on a topic, or to begin anew. */
export function begunRows(
  begun: readonly ListedSession[],
  argument: StartArgument,
  now: number,
): Row<StartChoice>[] {
  return [
    ...begun.slice(0, CONTINUE_ROWS).map((session) => continueRow(session, now)),
    {
      label: "$(add) A new exercise",
      description: "what you have begun stays",
      then: { do: "start", argument },
    },
  ];
}

function continueRow(session: ListedSession, now: number): Row<StartChoice> {
  return {
    label: `$(debug-continue) ${session.title}`,
    description: joined(
      session.language,
      progressText(session),
      agoText(session.updatedAt, now),
      session.folder,
    ),
    then: { do: "resume", session: session.id },
  };
}

/** The first list: Continue · Recommended · Browse · Your own topic. */
export function startRows(
  curriculum: Curriculum,
  sessions: readonly ListedSession[],
  likely: string | undefined,
  now: number,
): Row<StartChoice>[] {
  const rows: Row<StartChoice>[] = [];
  const open = continuing(sessions).slice(0, CONTINUE_ROWS);
  if (open.length > 0) {
    rows.push(heading("Continue"), ...open.map((session) => continueRow(session, now)));
  }
  const nodes = new Map(curriculum.nodes.map((node) => [node.id, node]));
  const best = recommended(curriculum, likely).slice(0, RECOMMENDED_ROWS);
  if (best.length > 0) {
    rows.push(heading("Recommended"));
    rows.push(
      ...best.map((item) => ({
        label: `$(star) ${item.title}`,
        description: joined(
          nodes.get(item.node)?.language,
          minutesText(nodes.get(item.node)?.minutes),
          begunOn(item.node, sessions).length > 0 && "begun",
          item.reason,
        ),
        then: { do: "start" as const, argument: { node: item.node } },
      })),
    );
  }
  rows.push(
    heading("More"),
    {
      label: "$(list-tree) Browse",
      description: `${curriculum.nodes.length} topics by track`,
      then: { do: "browse" },
    },
    {
      label: "$(edit) Your own topic",
      description: "say in your own words what you want to learn",
      then: { do: "topic" },
    },
  );
  return rows;
}

/** `languages` with the likely one in front. */
function likelyFirst(languages: readonly string[], likely: string | undefined): string[] {
  return [...languages].sort((a, b) => Number(b === likely) - Number(a === likely));
}

/** Rows to choose a language from, those of the workspace's files first. */
export function languageRows(languages: readonly string[], likely?: string): Row<string>[] {
  return likelyFirst(languages, likely).map((language) => ({ label: language, then: language }));
}

const LEVELS = [
  { marks: "○○○", words: "not begun" },
  { marks: "●○○", words: "seen" },
  { marks: "●●○", words: "working" },
  { marks: "●●●", words: "fluent" },
];

/** Whether anything was done on a topic. */
export function isBegun({ mastery, claimed, standing }: Node): boolean {
  return mastery > 0 || claimed || (standing ?? "not begun") !== "not begun";
}

/** A topic's mastery as it is seen, and in words. */
export function levelOf(
  { id, language, mastery, standing }: Node,
  sessions: readonly ListedSession[] = [],
): { marks: string; words: string } {
  if (mastery <= 0) {
    // A pass with help lifts no level, and is a pass.
    const begun = begunOn(id, sessions, language).length > 0 ? "begun" : "not begun";
    return { marks: "○○○", words: standing ?? begun };
  }
  return LEVELS[Math.max(0, Math.min(3, mastery))] ?? { marks: "", words: "" };
}

/** One topic: its level, size, and what it builds on as advice (never a bar). */
export function nodeRow(
  node: Node,
  titles: ReadonlyMap<string, string>,
  sessions: readonly ListedSession[] = [],
): Row<StartChoice> {
  const missing = node.missingPrerequisites.map((id) => titles.get(id) ?? id);
  const level = levelOf(node, sessions);
  return {
    label: `${level.marks} ${node.title}`,
    description: joined(
      level.words,
      minutesText(node.minutes),
      node.due && "due for review",
      node.claimed && "you know this",
      node.offline ? "works offline" : "needs a model",
    ),
    ...(missing.length === 0
      ? {}
      : { detail: `Builds on ${missing.join(", ")}. You can start anyway.` }),
    then: { do: "start", argument: { node: node.id, language: node.language } },
  };
}

/**
 * Browsing one language by track: what opens now stands under its track; what needs a model is one
 * row at the end (`all` shows it too).
 */
export function browseRows(
  curriculum: Curriculum,
  sessions: readonly ListedSession[],
  language: string,
  all: boolean,
): Row<StartChoice | { do: "all" }>[] {
  const nodes = curriculum.nodes.filter((node) => node.language === language);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const titles = new Map(curriculum.nodes.map((node) => [node.id, node.title]));
  const shown = new Set<string>();
  const rows: Row<StartChoice | { do: "all" }>[] = [];
  const section = (title: string, members: readonly Node[]): void => {
    const fresh = members.filter((node) => !shown.has(node.id) && (all || node.openable));
    if (fresh.length > 0) {
      rows.push(heading(title), ...fresh.map((node) => nodeRow(node, titles, sessions)));
      fresh.forEach((node) => shown.add(node.id));
    }
  };
  for (const track of curriculum.tracks.filter((candidate) => candidate.language === language)) {
    section(
      track.title,
      track.nodes.flatMap((id) => byId.get(id) ?? []),
    );
  }
  section("Other topics", nodes);
  const rest = nodes.length - shown.size;
  if (rest > 0) {
    rows.push(heading("With a model"), {
      label: `$(ellipsis) ${rest} more with a model`,
      description: "written for you and proven before you see them",
      then: { do: "all" },
    });
  }
  return rows;
}

export type SessionChoice = { do: "resume"; session: string } | { do: "gone"; workspace: string };

/** All sessions, newest first; those whose folder is gone are marked. */
export function sessionRows(sessions: readonly ListedSession[], now: number): Row<SessionChoice>[] {
  return sessions.map((session) => {
    const { missing: gone, endedAt } = session;
    const icon = gone ? "$(circle-slash)" : endedAt ? "$(check)" : "$(debug-continue)";
    return {
      label: `${icon} ${session.title}`,
      description: joined(
        session.language,
        progressText(session),
        agoText(session.updatedAt, now),
        attemptsText(session.attempts),
        session.passed && "passed",
        endedAt !== null && "ended",
        session.active && "active",
        gone && "folder is gone",
      ),
      detail: joined(session.proven, session.workspace),
      then: gone
        ? { do: "gone", workspace: session.workspace }
        : { do: "resume", session: session.id },
    };
  });
}

/** A unit as a row; the state is also said in words. */
export function unitRow(unit: Unit): Row<string> {
  const { icon } = STATES[unit.state];
  return {
    label: `${icon} ${unit.stub}`,
    description: unitText(unit),
    detail: unit.firstPrinciple,
    then: unit.id,
  };
}

export type StatusChoice = { do: "unit"; unit: string } | { do: "start" } | { do: "doctor" };

/** What is going on: the exercise with its units, jobs, who answers. */
export function statusRows(status: Status): Row<StatusChoice>[] {
  const rows: Row<StatusChoice>[] = [];
  const units = status.units ?? [];
  if (status.session === null) {
    rows.push({
      label: "$(mortar-board) Choose an exercise",
      description: "none is open",
      then: { do: "start" },
    });
  } else if ("error" in status.session) {
    rows.push({
      label: "$(warning) The exercise cannot be opened",
      detail: status.session.error.message,
      then: { do: "start" },
    });
  } else {
    rows.push(heading(joined(status.session.title, attemptsText(status.session.attempts))));
    rows.push(
      ...units.map((unit) => ({ ...unitRow(unit), then: { do: "unit" as const, unit: unit.id } })),
    );
  }
  if (status.jobs.length > 0) {
    rows.push(heading("In the background"), ...status.jobs.map(jobRow));
  }
  rows.push(heading("About"), {
    label: `$(info) Answers come from: ${status.backend?.name ?? "nobody yet"}`,
    description: status.backend?.why ?? "",
    detail: `tutor-lsp ${status.version} · ${status.home}`,
    then: { do: "doctor" },
  });
  return rows;
}

function jobRow(job: Job): Row<never> {
  const running = job.state === "running";
  return {
    label: `${running ? "$(sync~spin)" : "$(history)"} ${job.title}`,
    description: joined(
      running ? `${job.percent} %` : job.state,
      job.error?.message ?? job.message,
    ),
  };
}

/** What reset may put back: one unit, everything, or what the last reset took. */
export function resetRows(units: readonly Unit[]): Row<{ unit?: string; undo?: true }>[] {
  return [
    ...units.map((unit) => ({ ...unitRow(unit), then: { unit: unit.id } })),
    { label: "$(discard) Everything", description: "all stubs of this exercise", then: {} },
    {
      label: "$(history) Undo the last reset",
      description: "what you had written comes back, in tests and lesson too",
      then: { undo: true },
    },
  ];
}

/** What can be done with a topic of the curriculum. */
export function topicRows(claimed: boolean): Row<"start" | "known" | "unknown">[] {
  return [
    { label: "$(play) Start", description: "an exercise on this topic", then: "start" },
    claimed
      ? { label: "$(circle-outline) I would rather learn this", then: "unknown" }
      : { label: "$(pass) I know this", description: "it counts as done", then: "known" },
  ];
}
