// The commands of palette, keys, buttons and menus.
import { goTo, perform } from "./actions";
import { askAbout } from "./asking";
import type { Context } from "../context";
import { openSetting, typeInTerminal } from "../doctor/panel";
import { confirmedHere, confirmedWhich } from "./elsewhere";
import { type Here, here, hereInTests, unitHere } from "./here";
import { readProblem } from "../words/messages";
import { showPage } from "../reading/pages";
import { mend, type Mend } from "../setUp/mend";
import type { NodeInfo, Place, Target, Which } from "../server/protocol";
import { resetRows, restoreRows, statusRows, topicRows } from "../exercises/rows";
import { showCode } from "../exercises/show";
import { choose, chooseFirst, chooseSession, offerRows, take } from "../exercises/start";
import { focusUnit } from "../exercises/units";
import { confirm, pick, tell } from "../words/ui";
import { askForTrust } from "../trust/ask";
import { mayRun, named } from "../window/place";
import { t } from "../words/words";

type Run = (context: Context, argument: unknown) => unknown;

/** Every palette command. The ids differ from the server's, which the client registers itself. */
export const COMMANDS: Readonly<Record<string, Run>> = {
  "tutorLsp.start": start,
  "tutorLsp.next": meaning(confirmedWhich, (context, which) => perform(context, "tutor.next", which)),
  "tutorLsp.check": (context, argument) =>
    perform(context, "tutor.check", named(argument) ?? context.which()),
  "tutorLsp.attempt": meaning(confirmedWhich, (context, which) =>
    perform(context, "tutor.attempt", which),
  ),
  "tutorLsp.hint": meaning(confirmedHere, (context, which) => perform(context, "tutor.hint", which)),
  "tutorLsp.ask": meaning(confirmedHere, askAbout),
  "tutorLsp.review": (context) => perform(context, "tutor.review", context.which()),
  "tutorLsp.reveal": meaning(confirmedHere, reveal),
  "tutorLsp.easier": easier,
  "tutorLsp.reset": reset,
  "tutorLsp.restore": restore,
  "tutorLsp.status": status,
  "tutorLsp.curriculum": (context) => choose(context, "topics"),
  "tutorLsp.sessions": chooseSession,
  "tutorLsp.resume": resume,
  "tutorLsp.end": end,
  "tutorLsp.topic": topic,
  "tutorLsp.compare": (context, argument) => perform(context, "tutor.compare", here(named(argument))),
  "tutorLsp.refresh": (context) => context.refresh(),
  "tutorLsp.openLesson": opener("lesson"),
  "tutorLsp.openStub": opener("stub"),
  "tutorLsp.openTest": opener("test"),
  "tutorLsp.openCoach": openCoach,
  "tutorLsp.place": (context, argument) => goTo(context, argument as Place & Which),
  "tutorLsp.report": (context) => perform(context, "tutor.report", context.which()),
  "tutorLsp.cancel": (context) => perform(context, "tutor.cancel", {}),
  "tutorLsp.doctor": (context) => perform(context, "tutor.doctor", {}),
  "tutorLsp.showLog": (context) => {
    context.log.show();
  },
  "tutorLsp.setting": (_context, key) => openSetting(String(key)),
  "tutorLsp.type": (_context, line) => {
    typeInTerminal(String(line));
  },
  "tutorLsp.file": (_context, file) => showCode(String(file), 1),
  "tutorLsp.restart": (context) => context.restart(true),
  "tutorLsp.setUp": setUp,
  "tutorLsp.trust": () => askForTrust(),
  "tutorLsp.mend": async (context, argument) => {
    if (await mend(context, argument as Mend)) {
      await chooseFirst(context);
    }
  },
};

async function start(context: Context, argument: unknown): Promise<void> {
  const { last } = context.starts;
  if (argument === "again" && last !== undefined) {
    await perform(context, "tutor.start", last.argument);
  } else if (typeof argument === "object" && argument !== null) {
    await perform(context, "tutor.start", argument);
  } else {
    await chooseFirst(context);
  }
}

/** A command that changes something in the exercise, which must be the one that is meant. */
function meaning<W extends Which>(
  confirmed: (context: Context, argument: unknown) => Promise<W | undefined>,
  run: (context: Context, which: W) => unknown,
): Run {
  return async (context, argument) => {
    const which = await confirmed(context, argument);
    return which && run(context, which);
  };
}

/** Opens a part of the step that a row or button names, else of the one under the cursor. */
function opener(target: Target): Run {
  return (context, argument) => {
    const { unit, test } = (argument ?? {}) as { unit?: string; test?: string };
    const own = named(argument);
    const at = target === "stub" ? (own ?? hereInTests()) : here(own);
    const which = unit === undefined ? at : { ...(own ?? context.which()), unit };
    return perform(context, "tutor.open", { ...which, target, ...(test && { test }) });
  };
}

/** Opens hints and reviews, at the review of an attempt where one is meant. */
function openCoach(context: Context, argument: unknown): Promise<unknown> {
  const { attempt } = (argument ?? {}) as { attempt?: number };
  const which = named(argument) ?? context.which();
  return perform(context, "tutor.open", { ...which, target: "coach", ...(attempt && { attempt }) });
}

/** Asks first only where the server would not show the solution freely. */
async function reveal(context: Context, argument: Here): Promise<void> {
  try {
    await perform(context, "tutor.reveal", argument);
  } catch (error) {
    const problem = readProblem(error);
    if (problem.confirmable === undefined) {
      throw error;
    }
    const { unit, stub } = problem.confirmable;
    if (await confirm(t`Show the solution of ${stub}?`, problem.message, t`Show It`)) {
      await perform(context, "tutor.reveal", { ...argument, unit, confirm: true });
    }
  }
}

async function setUp(context: Context): Promise<void> {
  await mayRun(true);
  const { installation } = context;
  const { file } = await installation.make();
  const pin = await installation.mustPin();
  await context.stop();
  if (pin) {
    await installation.pin(file);
  }
  await context.server(true);
}

/** What can be done with a topic of the curriculum; menus give its row, a click the topic itself. */
async function topic(context: Context, argument: unknown): Promise<void> {
  const { subject: node = argument as NodeInfo } = argument as { subject?: NodeInfo };
  await offerRows(context, topicRows(node), node.title);
}

/** Resumes a session: that of a row, else one from the list. */
async function resume(context: Context, argument: unknown): Promise<void> {
  const session = subjectOf(argument);
  await (session === undefined
    ? chooseSession(context)
    : perform(context, "tutor.resume", { session }));
}

async function end(context: Context, argument: unknown): Promise<void> {
  const session = subjectOf(argument);
  const which = session === undefined ? await confirmedWhich(context) : { session };
  if (which !== undefined) {
    await perform(context, "tutor.end", which);
  }
}

/** The id that a row of the view stands for, or that was given itself. */
function subjectOf(argument: unknown): string | undefined {
  const subject: unknown =
    typeof argument === "object" && argument !== null
      ? (argument as { subject?: unknown }).subject
      : argument;
  return typeof subject === "string" ? subject : undefined;
}

/** The easier exercise that the step's last hint has led to. */
async function easier(context: Context): Promise<void> {
  const { state } = context;
  const unit = unitHere(state, here()) ?? focusUnit(state.units);
  const way = unit?.actions.find(({ command }) => command === "tutor.start");
  if (way === undefined) {
    tell(t`An easier exercise is offered after the last hint, if there is one.`);
  } else {
    await perform(context, "tutor.start", way.argument);
  }
}

/** The menu of a stub means that one, a key the last reset; the palette asks. */
async function reset(context: Context, given: unknown): Promise<void> {
  const argument = await confirmedWhich(context, given);
  if (argument === undefined) {
    return;
  }
  if ((given as { undo?: boolean } | undefined)?.undo === true) {
    await perform(context, "tutor.reset", { ...argument, undo: true });
    return;
  }
  const meant = named(given) && unitHere(context.state, here(named(given)));
  const units = context.request("tutor.choices", { ...argument, list: "units" });
  const choice = meant
    ? { unit: meant.id }
    : await pick(units.then(resetRows), t`What should be reset?`);
  const what = meant ? meant.stub : choice?.unit === undefined ? t`all stubs` : t`this stub`;
  const detail = t`Your lines are removed from the file, but kept: Reset also brings them back.`;
  const isUndo = choice !== undefined && "undo" in choice;
  if (isUndo || (choice && (await confirm(t`Reset ${what}?`, detail, t`Reset`)))) {
    await perform(context, "tutor.reset", { ...argument, ...choice });
  }
}

async function restore(context: Context, argument: unknown): Promise<void> {
  // A file or an exercise says what is meant; the palette asks.
  const choice = argument === undefined ? await pick(restoreRows(), t`What should be restored?`) : "given";
  if (choice === "record" || choice === "dismiss") {
    await perform(context, "tutor.restore", { record: true, dismiss: choice === "dismiss" });
  }
  const which = choice === "given" ? await confirmedWhich(context, argument) : undefined;
  const detail =
    t`Changes to the tests and LESSON.md are removed from these files, but kept: Reset brings them back.`;
  if (which && (await confirm(t`Restore tests and lesson as given?`, detail, t`Restore`))) {
    await perform(context, "tutor.restore", which);
  }
}

async function status(context: Context): Promise<void> {
  const argument = context.which();
  const found = await context.request("tutor.status", argument);
  const units =
    found.units === null
      ? []
      : await context.request("tutor.choices", { ...argument, list: "units" });
  const choice = await pick(statusRows(found, units), "Tutor");
  if (choice === "all") {
    await showPage(found.say);
  } else if (choice !== undefined) {
    await take(context, choice);
  }
}
