// Codes that compilers and linters give to their errors. Pure.
/** A diagnostic's code as text; "" if it has none. */
export function codeOf(code: string | number | { value: string | number } | undefined): string {
  const value = typeof code === "object" ? code.value : code;
  return value === undefined ? "" : String(value);
}

/** Whether a code looks like one that compilers and linters explain. */
export function worthPractising(code: string, source: string | undefined): boolean {
  return source !== "tutor" && /^(E\d{4}|-W[\w=+-]+|report[A-Z]\w+|[A-Z]{1,4}\d{3,4})$/.test(code);
}
