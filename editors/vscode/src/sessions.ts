// Which sessions can be gone on with, and what is told of one. Pure.
import type { ListedSession } from "./protocol";

/** Sessions that can be gone on with: nobody is asked to continue what is finished. */
export function continuing(sessions: readonly ListedSession[]): ListedSession[] {
  return openSessions(sessions).filter((session) => session.continues ?? !session.passed);
}

/** Sessions that are not ended, folder there, newest first as the server sent. */
export function openSessions(sessions: readonly ListedSession[]): ListedSession[] {
  return sessions.filter((session) => session.endedAt === null && !session.missing);
}

/**
 * Sessions on a topic that were begun, and not passed yet. Learners' own topics may have the same id
 * in several languages: `language` says which is meant.
 */
export function begunOn(
  node: string,
  sessions: readonly ListedSession[],
  language?: string,
): ListedSession[] {
  return continuing(sessions).filter(
    (session) =>
      session.node === node &&
      (language === undefined || session.language === language),
  );
}

/** How long ago, in plain words; empty if the time cannot be read. */
export function agoText(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (Number.isNaN(minutes)) {
    return "";
  }
  if (minutes < 1) {
    return "just now";
  }
  const [amount, unit] =
    minutes < 60
      ? [minutes, "minute"]
      : minutes < 24 * 60
        ? [Math.floor(minutes / 60), "hour"]
        : [Math.floor(minutes / (24 * 60)), "day"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"} ago`;
}

/** How many units pass; with the folder it tells sessions of one title apart. */
export function progressText({ units, unitsPassing, standing }: ListedSession): string {
  if (standing?.old === true) {
    return standing.words;
  }
  return units === 0 ? "" : `${unitsPassing} of ${units} done`;
}

export function attemptsText(attempts: number): string {
  return attempts === 0 ? "" : `${attempts} attempt${attempts === 1 ? "" : "s"}`;
}
