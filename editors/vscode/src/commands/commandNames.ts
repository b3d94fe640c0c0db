// The server names commands in its sentences by their palette titles. Pure.

/** Where the editor speaks another language than English, a text and what it was. */
type Title = string | { value: string; original: string };

/** As much of the manifest as is needed. */
export interface Palette {
  commands: readonly { command: string; category?: Title; title: Title }[];
  menus: { commandPalette: readonly { command: string; when: string }[] };
}

/** For the server: how a command is named in a sentence, and the title of each verb. */
export interface CommandForm {
  template: string;
  titles: Record<string, string>;
}

/** Commands without an entry of their own, and the entry that leads to them. */
const WITHIN = { resume: "sessions", claim: "curriculum" };

/** `tutor.start` as "Tutor: Start Exercise", without the parentheses in the title. */
export function commandForm({ commands, menus }: Palette): CommandForm {
  const hidden = new Set(menus.commandPalette.map(({ command }) => command));
  const titles = Object.fromEntries(
    commands
      .filter(({ command }) => !hidden.has(command))
      .map(({ command, title }) => [
        command.replace("tutorLsp.", ""),
        shown(title).replace(/ \(.*\)$/, ""),
      ]),
  );
  for (const [command, entry] of Object.entries(WITHIN)) {
    titles[command] = titles[entry] ?? "";
  }
  return { template: `"${shown(commands[0]?.category ?? "Tutor")}: %s"`, titles };
}

function shown(title: Title): string {
  return typeof title === "string" ? title : title.value;
}
