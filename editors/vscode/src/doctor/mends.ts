// What can be done about something that does not work, as the server says with it. Pure.
import type { CommandForm } from "../commands/commandNames";
import type { Mend as ServerMend } from "../interface/core.generated";
import { t } from "../words/words";

/** A button; `link` is an address or `command:` URI. */
export interface Mend {
  title: string;
  link: string;
}

export function commandLink(command: string, ...argument: unknown[]): string {
  const given = argument.length === 0 ? "" : `?${encodeURIComponent(JSON.stringify(argument))}`;
  return `command:${command}${given}`;
}

/** The buttons for what the server offers, without those that this client has none for. */
export function buttonsOf(mends: readonly ServerMend[], commandForm: CommandForm): Mend[] {
  return mends.map((mend) => buttonOf(mend, commandForm)).filter((button) => button !== undefined);
}

function buttonOf({ kind, setting, url, line, command, file }: ServerMend, { titles }: CommandForm): Mend | undefined {
  if (kind === "setting" && setting !== null) {
    return { title: t`Open Setting ${setting}`, link: commandLink("tutorLsp.setting", `tutor.${setting}`) };
  }
  if (kind === "page" && url !== null) {
    return { title: t`Open ${url.replace(/^https?:\/\//, "")}`, link: url };
  }
  if (kind === "line" && line !== null) {
    return { title: t`Type “${line}” in a Terminal`, link: commandLink("tutorLsp.type", line) };
  }
  if (kind === "file" && typeof file === "string") {
    const name = file.slice(file.lastIndexOf("/") + 1);
    return { title: t`Open ${name}`, link: commandLink("tutorLsp.file", file) };
  }
  const verb = command?.replace(/^tutor\./, "") ?? "";
  const title = titles[verb];
  // What it is to do it asks for itself, as from the palette.
  return title === undefined ? undefined : { title, link: commandLink(`tutorLsp.${verb}`) };
}
