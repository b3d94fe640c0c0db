// Codes that compilers and linters give to their errors, as far as an exercise practises them. Pure.
import known from "./codes.json";

/** Languages that the tutor teaches, by the ids that editors give them. */
export const LANGUAGES = Object.keys(known);

/** A diagnostic's code as text; "" if it has none. */
export function codeOf(code: string | number | { value: string | number } | undefined): string {
  const value = typeof code === "object" ? code.value : code;
  return value === undefined ? "" : String(value);
}

/** As the server compares them: without case, `-W`, and the linter's name. */
function normalCode(code: string): string {
  const plain = code.trim().toLowerCase();
  const named = /^(?:error|warning)\[([^\]]+)\]$/.exec(plain)?.[1] ?? plain;
  return named.replace(/^(?:-werror=|-w|clippy::)(?=.)/, "");
}

/** Whether an exercise on a code of this language is bundled; the tutor's own have none. */
export function worthPractising(
  code: string,
  source: string | undefined,
  language: string,
): boolean {
  const codes: Partial<Record<string, string[]>> = known;
  return source !== "tutor" && codes[language]?.includes(normalCode(code)) === true;
}
