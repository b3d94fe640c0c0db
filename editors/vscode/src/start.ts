// From "Start Exercise" to an open exercise.
import * as vscode from "vscode";
import { perform } from "./actions";
import type { Context } from "./context";
import { failureOf } from "./messages";
import {
  begunRows,
  browseRows,
  languageRows,
  sessionRows,
  type StartChoice,
  startRows,
} from "./pickers";
import type {
  Curriculum,
  ListedSession,
  SessionFailed,
  SessionReady,
  StartArgument,
} from "./protocol";
import { windowFolders } from "./place";
import { begunOn } from "./sessions";
import { pick, tell } from "./ui";
import { openExercise } from "./windows";

/** How often a set-up is begun anew when its window or server ends. */
const MOST_TRIES = 3;
/** How often (ms) to look whether the window that asked for a set-up has ended. */
const LOOK_MS = 1000;

/** Longest topic the server takes, in characters. */
const TOPIC_LENGTH = 200;

/** An exercise that took longer than this (ms) does not open by itself. */
const OPENS_ITSELF_WITHIN = 5000;

/** The one list: Continue · Recommended · Browse · Your own topic. */
export async function chooseExercise(context: Context): Promise<void> {
  const curriculum = context.request("tutor.curriculum", {});
  const sessions = context.request("tutor.sessions", {});
  const rows = Promise.all([curriculum, sessions]).then(([topics, all]) =>
    startRows(topics, all, likelyLanguage(), Date.now()),
  );
  const choice = await pick(rows, "What would you like to work on?");
  switch (choice?.do) {
    case "resume":
      await take(context, choice);
      break;
    case "start":
      await startOrGoOn(context, choice.argument, await sessions);
      break;
    case "browse":
      await browse(context, await curriculum);
      break;
    case "topic":
      await ownTopic(context, await curriculum);
      break;
    case undefined:
      break;
  }
}

/** Starts an exercise; where one on its topic was begun, the learner says which it is to be. */
export async function startOrGoOn(
  context: Context,
  argument: StartArgument,
  sessions?: readonly ListedSession[],
): Promise<void> {
  const all = sessions ?? (await context.request("tutor.sessions", {}));
  const begun = begunOn(argument.node ?? "", all, argument.language);
  const choice: StartChoice | undefined =
    begun.length === 0
      ? { do: "start", argument }
      : await pick(begunRows(begun, argument, Date.now()), "You have begun this topic");
  await take(context, choice);
}

async function take(context: Context, choice: StartChoice | undefined): Promise<void> {
  if (choice?.do === "resume") {
    await perform(context, "tutor.resume", { session: choice.session });
  } else if (choice?.do === "start") {
    await perform(context, "tutor.start", choice.argument);
  }
}

/** All topics of one language by track. */
export async function browse(context: Context, given?: Curriculum): Promise<void> {
  const curriculum = given ?? (await context.request("tutor.curriculum", {}));
  const language = await chooseLanguage(curriculum.languages);
  if (language === undefined) {
    return;
  }
  const title = "Choose a topic";
  const sessions = await context.request("tutor.sessions", {});
  let choice = await pick(browseRows(curriculum, sessions, language, false), title);
  if (choice?.do === "all") {
    choice = await pick(browseRows(curriculum, sessions, language, true), title);
  }
  if (choice?.do === "start") {
    await startOrGoOn(context, choice.argument, sessions);
  }
}

export async function chooseSession(context: Context): Promise<void> {
  const sessions = await context.request("tutor.sessions", {});
  if (sessions.length === 0) {
    context.offer("There are no sessions yet.", [
      { title: "Choose an Exercise", run: () => chooseExercise(context) },
    ]);
    return;
  }
  const choice = await pick(
    sessionRows(sessions, Date.now()),
    "Which session would you like to go on with?",
  );
  if (choice?.do === "resume") {
    await perform(context, "tutor.resume", { session: choice.session });
  } else if (choice?.do === "gone") {
    tell(`The folder ${choice.workspace} is no longer there. Your record of it is kept.`);
  }
}

/** The server says that an exercise is there. */
export async function onReady(context: Context, ready: SessionReady): Promise<void> {
  context.working(undefined);
  if (ready.jobId === null) {
    // Resumed: the command's answer opens it.
    return;
  }
  context.storage.dropPending(ready.jobId);
  const { at = 0, goingOn = false } = context.starts.ready(ready.jobId) ?? {};
  const open = (): Promise<void> => openExercise(context, ready, goingOn);
  if (Date.now() - at <= OPENS_ITSELF_WITHIN) {
    await open();
    context.refreshQuietly();
  } else {
    context.refreshQuietly();
    context.offer(`Ready: ${ready.title}`, [
      { title: "Open", run: open },
      { title: "Later", run: () => undefined },
    ]);
  }
}

export async function onFailed(context: Context, failed: SessionFailed): Promise<void> {
  context.working(undefined);
  if (context.isStopping && failed.reason === "CANCELLED") {
    // Nobody cancelled it: it goes on with the next server.
    return;
  }
  context.storage.dropPending(failed.jobId);
  context.starts.failed(failed.jobId);
  const stage = failed.stage ? ` at ${failed.stage}` : "";
  context.log.error(
    `Set-up failed${stage}: ${failed.reason ?? "?"} ${JSON.stringify(failed.details ?? {})}`,
  );
  await context.showProblem(failureOf(failed));
}

/**
 * Whether set-ups of this window's folder are waiting to be gone on with: their window was
 * reloaded, or their server ended. Waits while that is not certain.
 */
export async function findAbandoned(context: Context): Promise<boolean> {
  const folder = windowFolders()[0] ?? "";
  while (context.storage.hasUndecided(folder, process.pid)) {
    if (context.storage.hasAbandoned(folder)) {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
  }
  return false;
}

/** Goes on with the set-ups that ended with their window or server. */
export async function goOn(context: Context): Promise<void> {
  const folder = windowFolders()[0] ?? "";
  const { storage } = context;
  for (const pending of [
    ...storage.takeAbandoned(folder),
    ...storage.takeOwn(folder, process.pid),
  ]) {
    if (storage.isOld(pending)) {
      askToGoOn(context, pending.argument);
    } else if (pending.tries < MOST_TRIES) {
      vscode.window.setStatusBarMessage("Tutor: going on with your exercise", 6000);
      context.starts.again(pending.tries + 1);
      await perform(context, "tutor.start", pending.argument);
    }
  }
}

/** What was left long ago is not begun unasked: a model may be called for it. */
function askToGoOn(context: Context, argument: StartArgument): void {
  const what = argument.topic ?? argument.node ?? "an exercise";
  context.offer(`Getting "${what}" ready was not finished last time. Go on with it?`, [
    { title: "Go On", run: () => vscode.commands.executeCommand("tutorLsp.start", argument) },
    { title: "Leave It", run: () => undefined },
  ]);
}

/** A topic of the learner's own that was written and not begun, to be there the next time. */
let written = "";

async function ownTopic(context: Context, curriculum: Curriculum): Promise<void> {
  const topic = await vscode.window.showInputBox({
    title: "What would you like to learn?",
    prompt: "A few words are enough",
    placeHolder: "reading large files line by line",
    value: written,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim().length > TOPIC_LENGTH ? `At most ${TOPIC_LENGTH} characters, please.` : undefined,
  });
  if (topic === undefined || topic.trim() === "") {
    return;
  }
  written = topic.trim();
  const language = await chooseLanguage(curriculum.languages);
  if (language !== undefined) {
    await perform(context, "tutor.start", { topic: written, language });
    written = "";
  }
}

async function chooseLanguage(languages: readonly string[]): Promise<string | undefined> {
  if (languages.length <= 1) {
    return languages[0];
  }
  return pick(languageRows(languages, likelyLanguage()), "Which language?");
}

function likelyLanguage(): string | undefined {
  return vscode.window.activeTextEditor?.document.languageId;
}
