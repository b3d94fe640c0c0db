// What waits for a learner: an exercise to continue, topics to review. Kept from window to window, so
// that one without an exercise says it before its server runs, or without one. Pure.
import type { Status } from "../server/protocol";
import type { Storage } from "../window/storage";
import { type Branch, branch } from "../views/trees";
import { t } from "../words/words";

export interface Onward {
  /** The exercise to continue: its row's label, and the session. */
  resume: { label: string; session: string } | undefined;
  due: number;
  dueWords: string;
}

/** What is kept before a server has said anything. */
export const NOTHING: Onward = { resume: undefined, due: 0, dueWords: "" };

const KEY = "onward";

export function onwardOf({ resume, due, dueWords }: Pick<Status, "resume" | "due" | "dueWords">): Onward {
  const session: unknown = resume?.argument.session;
  return {
    resume:
      resume === null || typeof session !== "string" ? undefined : { label: resume.label, session },
    due,
    dueWords,
  };
}

export function keptOnward(storage: Storage): Onward {
  return { ...NOTHING, ...(storage.kept(KEY) as Partial<Onward> | undefined) };
}

export function keepOnward(storage: Storage, onward: Onward): void {
  storage.keep(KEY, onward);
}

/** Rows for a window without an exercise; none where nothing waits. */
export function onwardTree({ resume, due, dueWords }: Onward): Branch[] {
  if (resume === undefined && due === 0) {
    return [];
  }
  return [
    ...(resume === undefined
      ? []
      : [
          branch({
            id: "continue",
            label: resume.label,
            icon: "debug-continue",
            command: ["tutorLsp.resume", resume.session],
          }),
        ]),
    ...(due === 0
      ? []
      : [branch({ id: "due", label: dueWords, icon: "bell", command: ["tutorLsp.start"] })]),
    branch({ id: "start", label: t`Start Exercise`, icon: "add", command: ["tutorLsp.start"] }),
  ];
}
