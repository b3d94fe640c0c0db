// Which sessions can be ended or resumed. Pure.
import type { ListedSession } from "../server/protocol";

/** Whether a session is not ended, and its folder there. */
export function isOpen({ endedAt, missing }: ListedSession): boolean {
  return endedAt === null && !missing;
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
  return sessions.filter(
    (session) =>
      session.continues &&
      session.node === node &&
      (language === undefined || session.language === language),
  );
}
