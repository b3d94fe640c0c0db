// Which settings the server is told: only those that somebody set. A default of the extension must
// not outweigh the learner's config.toml or environment, which the server reads itself.

import { t } from "../words/words";
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

/** Which model is called, as a folder's own settings say. */
export interface Choice {
  backend?: unknown;
  model?: unknown;
}

function ofFolder(seen: Inspection | undefined): unknown {
  return seen?.workspaceFolderValue ?? seen?.workspaceValue;
}

/** What a folder's settings say of models, where that is not what the learner's own say. */
export function chosenByFolder(
  inspect: (key: string) => Inspection | undefined,
): Choice | undefined {
  const [backend, model] = ["backend", "model"].map((key) => {
    const seen = inspect(key);
    const value = ofFolder(seen) ?? undefined;
    return value === seen?.globalValue ? undefined : value;
  });
  const choice: Choice = {
    // With any other one a model may be called, `auto` included.
    ...(backend === undefined || backend === "library" ? {} : { backend }),
    ...(model === undefined || model === "" ? {} : { model }),
  };
  return Object.keys(choice).length === 0 ? undefined : choice;
}

/** The question whether a folder's choice counts. */
export function choiceText({ backend, model }: Choice): string {
  const what = [
    ...(backend === undefined ? [] : [`tutor.backend: ${JSON.stringify(backend)}`]),
    ...(model === undefined ? [] : [`tutor.model: ${JSON.stringify(model)}`]),
  ];
  return (
    t`This folder's settings choose what makes exercises and hints (${what.join(", ")}).
      What you write here would be sent to it. Use it?`
  );
}

/**
 * What was set, nested by the dots of the keys: the closest to the folder wins. `folderCounts`:
 * whether a folder's own settings may choose a model.
 */
export function explicitSettings(
  keys: readonly string[],
  inspect: (key: string) => Inspection | undefined,
  folderCounts = true,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const refused = folderCounts ? {} : (chosenByFolder(inspect) ?? {});
  for (const key of keys) {
    const seen = inspect(key);
    const value = (key in refused ? undefined : ofFolder(seen)) ?? seen?.globalValue;
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
  commandForm: object,
): Record<string, unknown> {
  const early = Object.entries(settings).filter(([key]) => key !== "model");
  return { ...Object.fromEntries(early), ui: "client", ask: true, reports: true, diagnosticsInHover: true, model, commandForm };
}
