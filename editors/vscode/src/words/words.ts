// The extension's own sentences in the editor's language. Pure: how they are translated is set by
// speaking.ts.

type Value = string | number;
type Translate = (text: string, ...values: Value[]) => string;

/** What is said if there is no translation: the text with its values. */
export function filled(text: string, ...values: Value[]): string {
  return text.replace(/\{(\d+)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
}

let translate: Translate = filled;

export function speak(by: Translate): void {
  translate = by;
}

/**
 * A text for the user: t`Reset ${what}?`. In the catalogue its values are `{0}`, `{1}`, …; a line
 * break in the source is a space. scripts/l10n.mjs collects all of them.
 */
export function t(parts: TemplateStringsArray, ...values: Value[]): string {
  const text = parts.map((part, at) => (at === 0 ? part : `{${at - 1}}${part}`)).join("");
  return translate(text.replace(/\s*\n\s*/g, " "), ...values);
}
