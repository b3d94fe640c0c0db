// package.json as the editor hands it to the extension: with the texts of package.nls.json.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "..", "..");

export function manifest(): unknown {
  const texts = JSON.parse(readFileSync(join(ROOT, "package.nls.json"), "utf8")) as Record<string, string>;
  const text = readFileSync(join(ROOT, "package.json"), "utf8");
  return JSON.parse(text, (_, value: unknown) => {
    const key = typeof value === "string" ? /^%([^%\s]+)%$/.exec(value)?.[1] : undefined;
    return key === undefined ? value : texts[key];
  });
}
