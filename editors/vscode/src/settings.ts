// Which settings the server is told: only those that somebody set. A default of the extension must
// not outweigh the learner's config.toml or environment, which the server reads itself.

export interface Inspection {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** Settings that belong to the extension, not to the server. */
const OWN = /^(server|trace)\./;

/** The server's keys (without `tutor.`) among the properties that the manifest declares. */
export function serverKeys(properties: readonly string[]): string[] {
  return properties
    .filter((key) => key.startsWith("tutor."))
    .map((key) => key.slice("tutor.".length))
    .filter((key) => !OWN.test(key));
}

/** What was set, nested by the dots of the keys: the closest to the folder wins. */
export function explicitSettings(
  keys: readonly string[],
  inspect: (key: string) => Inspection | undefined,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const key of keys) {
    const seen = inspect(key);
    const value = seen?.workspaceFolderValue ?? seen?.workspaceValue ?? seen?.globalValue;
    if (value === undefined || value === null) {
      continue;
    }
    const parts = key.split(".");
    const last = parts.pop() ?? key;
    let place = found;
    for (const part of parts) {
      place = (place[part] ??= {}) as Record<string, unknown>;
    }
    place[last] = value;
  }
  return found;
}

/**
 * What goes along with `initialize`, for settings that count from the start, such as the home.
 * `model` means something else there (whether the editor answers as a model), so the setting of
 * that name comes later.
 */
export function initialOptions(
  settings: Record<string, unknown>,
  model: boolean,
): Record<string, unknown> {
  const early = Object.entries(settings).filter(([key]) => key !== "model");
  return { ...Object.fromEntries(early), ui: "client", ask: true, reports: true, model };
}

/** The part of `settings` that a section such as `tutor.openai` names; null if there is none. */
export function sectionOf(settings: Record<string, unknown>, section: string): unknown {
  let place: unknown = { tutor: settings };
  for (const part of section.split(".")) {
    place = (place as Record<string, unknown> | undefined)?.[part];
    if (typeof place !== "object" || place === null) {
      return place ?? null;
    }
  }
  return place;
}
