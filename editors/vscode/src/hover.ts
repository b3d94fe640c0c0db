// Links below what the server says of a stub. Pure.
import type { SessionInfo, Unit } from "./protocol";

/** Server commands that a link in a hover may run. */
export const LINKED = ["tutor.hint", "tutor.open", "tutor.compare"];

/**
 * What can be done with the unit that a hover in the exercise at `root` begins with, as Markdown.
 * "" for any other hover, and where `session` is of another exercise, whose units have the same ids.
 */
export function hoverLinks(
  text: string,
  root: string | undefined,
  session: SessionInfo | null,
  units: readonly Unit[],
): string {
  const id = /^\*\*(\S+) /.exec(text)?.[1];
  const unit = units.find((candidate) => candidate.id === id);
  if (session === null || session.workspace !== root || unit === undefined) {
    return "";
  }
  const link = (title: string, command: string, more: object = {}): string => {
    const argument = JSON.stringify([{ session: session.id, unit: unit.id, ...more }]);
    return `[${title}](command:${command}?${encodeURIComponent(argument)})`;
  };
  return [
    unit.state === "passing"
      ? link("Compare with the Reference", "tutor.compare")
      : link("Hint", "tutor.hint"),
    link("Lesson", "tutor.open", { target: "lesson" }),
    link("Test", "tutor.open", { target: "test" }),
  ].join(" · ");
}
