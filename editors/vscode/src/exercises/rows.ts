// Rows of lists: those of the server with icons, and the few that are the extension's own. Pure.
import type { Choice, Command, NodeInfo, Said, StartArguments } from "../server/protocol";
import { t } from "../words/words";

/** A row of a list. `then` says what choosing it does; rows without it are headings. */
export interface Row<T> {
  label: string;
  detail?: string;
  heading?: true;
  then?: T;
}

/** Topics and units begin with a mark of the server. */
const ICONS: Partial<Record<Choice["kind"], string>> = {
  session: "$(debug-continue) ",
  language: "$(code) ",
  list: "$(list-tree) ",
  ask: "$(edit) ",
};

function rowOf(choice: Choice): Row<Choice> {
  const { kind, label, detail } = choice;
  return { label: `${ICONS[kind] ?? ""}${label}`, detail, then: choice };
}

/** The rows of a list of the server under their headings. */
export function choiceRows(choices: readonly Choice[]): Row<Choice>[] {
  return choices.flatMap((choice, at) =>
    choice.group === choices[at - 1]?.group
      ? [rowOf(choice)]
      : [{ label: choice.group, heading: true as const }, rowOf(choice)],
  );
}

/** A row of the extension's own. */
function own(label: string, detail: string, command: Command, argument: object = {}): Row<Choice> {
  return rowOf({
    kind: "topic",
    label,
    detail,
    group: "",
    command,
    argument: { ...argument },
    language: "",
  });
}

/** Rows to resume one of the sessions on a topic, or to start a new one. */
export function begunRows(
  begun: ReadonlySet<string>,
  sessions: readonly Choice[],
  argument: StartArguments,
): Row<Choice>[] {
  const rows = sessions.filter((row) => begun.has(String(row.argument.session))).map(rowOf);
  return [...rows, own(t`$(add) A new exercise`, t`your earlier work is kept`, "tutor.start", argument)];
}

/** The status: all of it behind the first row, the exercise's `units` below. */
export function statusRows({ say }: Said<object>, units: readonly Choice[]): Row<Choice | "all">[] {
  const start = own(t`$(mortar-board) Choose an Exercise`, "", "tutor.choices");
  return [
    { label: `$(info) ${say.title}`, detail: say.oneLine, then: "all" },
    ...(units.length > 0 ? units.map(rowOf) : [start]),
    own(t`$(tools) Doctor`, t`Which tools work, and how to fix those that do not`, "tutor.doctor"),
  ];
}

/** What reset may put back: one unit, everything, or what the last reset took. */
export function resetRows(units: readonly Choice[]): Row<{ unit?: string; undo?: true }>[] {
  return [
    ...units.map(({ label, detail, argument }) => {
      return { label, detail, then: { unit: String(argument.unit) } };
    }),
    { label: t`$(discard) Everything`, detail: t`all stubs of this exercise`, then: {} },
    {
      label: t`$(history) Undo the last reset`,
      detail: t`brings back what you had written, in tests and lesson too`,
      then: { undo: true },
    },
  ];
}

/** What restore may bring back; the record is that of the learner, not of one exercise. */
export function restoreRows(): Row<"given" | "record" | "dismiss">[] {
  return [
    { label: t`$(discard) Tests and lesson`, detail: t`as they were given`, then: "given" },
    { label: t`$(history) Record`, detail: t`your record from its backup`, then: "record" },
    { label: t`$(close) Dismiss`, detail: t`continue without what your record lost`, then: "dismiss" },
  ];
}

/** What can be done with a topic of the curriculum. */
export function topicRows({ id: node, language, claimed }: NodeInfo): Row<Choice>[] {
  const claim = { node, known: !claimed };
  return [
    own(t`$(play) Start`, t`an exercise on this topic`, "tutor.start", { node, language }),
    claimed
      ? own(t`$(circle-outline) I would rather learn this`, "", "tutor.claim", claim)
      : own(t`$(pass) I know this`, t`it counts as done`, "tutor.claim", claim),
  ];
}
