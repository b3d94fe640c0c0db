// Links above what the server says of a stub, where they do not scroll away. Pure.
import type { OpenSession, UnitInfo } from "../server/protocol";
import { t } from "../words/words";

/** Server commands that a link in a hover may run. */
export const LINKED = [
  "tutor.hint",
  "tutor.open",
  "tutor.compare",
  "tutor.reveal",
  "tutor.ask",
  "tutor.start",
];

/**
 * What can be done with the unit that a hover in the exercise at `root` begins with, as Markdown.
 * "" for any other hover, and where `session` is of another exercise, whose units have the same ids.
 */
export function hoverLinks(
  text: string,
  root: string | undefined,
  session: OpenSession | null,
  units: readonly UnitInfo[],
): string {
  const id = /^\*\*(\S+) /.exec(text)?.[1];
  const unit = units.find((candidate) => candidate.id === id);
  if (session === null || session.workspace !== root || unit === undefined) {
    return "";
  }
  const link = (title: string, command: string, argument: object): string => {
    const given = encodeURIComponent(JSON.stringify([argument])).replaceAll("(", "%28").replaceAll(")", "%29");
    return `[${title.replace(/[\\[\]<`*]/g, "\\$&")}](command:${command}?${given})`;
  };
  const here = { session: session.id, unit: unit.id };
  const ways = unit.actions.map(({ title, command, argument }) => link(title, command, argument));
  const first = [
    unit.state === "passing"
      ? link(t`Compare with the Reference`, "tutor.compare", here)
      : link(t`Hint`, "tutor.hint", here),
    link(t`Lesson`, "tutor.open", { ...here, target: "lesson" }),
    link(t`Test`, "tutor.open", { ...here, target: "test" }),
  ];
  return [first, ways].filter(({ length }) => length > 0).map((row) => row.join(" · ")).join("\n\n");
}
