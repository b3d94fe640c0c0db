// What can be done about something that does not work: what the server says with it, and what the sentence
// of a problem names. Pure.
import type { CommandForm } from "../commands/commandNames";
import type { Mend as ServerMend } from "../interface/core.generated";
import { t } from "../words/words";

/** A button; `link` is an address or `command:` URI. */
export interface Mend {
  title: string;
  link: string;
}

/** What sentences may name: the server's settings, and the commands of the palette. */
export interface Names {
  settings: readonly string[];
  commandForm: CommandForm;
}

export function commandLink(command: string, ...argument: unknown[]): string {
  const given = argument.length === 0 ? "" : `?${encodeURIComponent(JSON.stringify(argument))}`;
  return `command:${command}${given}`;
}

/** The button for what the server offers, undefined where this client has none for it. */
export function buttonOf({ kind, setting, url, line, command }: ServerMend, { commandForm }: Names): Mend | undefined {
  if (kind === "setting" && setting !== null) {
    return settingButton(setting);
  }
  if (kind === "page" && url !== null) {
    return pageButton(url);
  }
  if (kind === "line" && line !== null) {
    return lineButton(line);
  }
  const verb = command?.replace(/^tutor\./, "") ?? "";
  const title = commandForm.titles[verb];
  // What it is to do it asks for itself, as from the palette.
  return title === undefined ? undefined : { title, link: commandLink(`tutorLsp.${verb}`) };
}

const settingButton = (key: string): Mend => {
  return { title: t`Open Setting ${key}`, link: commandLink("tutorLsp.setting", `tutor.${key}`) };
};
const pageButton = (url: string): Mend => ({ title: t`Open ${url.replace(/^https?:\/\//, "")}`, link: url });
const lineButton = (line: string): Mend => {
  return { title: t`Type “${line}” in a Terminal`, link: commandLink("tutorLsp.type", line) };
};

/** All that a sentence names which one key press can do, in its order. */
export function mendsOf(sentence: string, { settings, commandForm }: Names): Mend[] {
  const all = [
    ...settingsIn(sentence, settings),
    ...found(sentence, /https?:\/\/[^\s)`"'<>]*[\w/]/g, ([address = ""]) => pageButton(address)),
    ...found(sentence, /\brun `([^`\n]+)`/gi, ([, line = ""]) => lineButton(line)),
    ...paletteIn(sentence, commandForm),
  ];
  const ordered = all.sort((one, other) => one.at - other.at);
  return ordered
    .filter(({ link }, at) => ordered.findIndex((other) => other.link === link) === at)
    .map(({ title, link }) => ({ title, link }));
}

interface Found extends Mend {
  at: number;
}

function found(sentence: string, form: RegExp, mend: (match: RegExpMatchArray) => Mend): Found[] {
  return [...sentence.matchAll(form)].map((match) => ({ ...mend(match), at: match.index }));
}

/** A name without a dot may be any word: it counts where it is said to be a setting. */
function settingsIn(sentence: string, settings: readonly string[]): Found[] {
  return settings.flatMap((key) => {
    const name = key.replaceAll(".", "\\.");
    const form = key.includes(".")
      ? new RegExp(`(?<![\\w.])(?:tutor\\.)?${name}(?![\\w]|\\.\\w)`, "g")
      : new RegExp(`(?:tutor\\.|\\bsettings? )${name}(?![\\w]|\\.\\w)`, "g");
    return found(sentence, form, () => settingButton(key));
  });
}

/** Commands as the server names them for this client. */
function paletteIn(sentence: string, { template, titles }: CommandForm): Found[] {
  return Object.entries(titles).flatMap(([verb, title]) => {
    const at = sentence.indexOf(template.replace("%s", title));
    return at === -1 ? [] : [{ title, link: commandLink(`tutorLsp.${verb}`), at }];
  });
}
