// Collects the extension's own texts for translators: those of the sources into l10n/bundle.l10n.json,
// those of package.json into package.nls.json. `make catalogue` takes both into the one catalogue, and
// scripts/l10n.py makes the bundle of each language from its translation.
//   node scripts/l10n.mjs           write them
//   node scripts/l10n.mjs --check   exit 1 where they differ, or where a text is not translated
//   node scripts/l10n.mjs --fix     put the tag `t` before texts that lack it, then write them
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { externalized, readManifest, resolved } from "./manifest.mjs";
import { sources, tagged, textsOf } from "./texts.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const check = process.argv.includes("--check");
if (process.argv.includes("--fix")) {
  for (const [file, text] of sources(root)) {
    writeFileSync(join(root, file), tagged(file, text));
  }
}
const problems = [];
const told = new Set();
for (const [file, text] of sources(root)) {
  const { source, translated, bare } = textsOf(file, text);
  translated.forEach((said) => told.add(said));
  for (const node of bare) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    problems.push(`${file}:${line + 1} is shown but not translated: run node scripts/l10n.mjs --fix`);
  }
}
const [manifest, texts] = externalized(resolved(...readManifest(root)));
const wanted = {
  "l10n/bundle.l10n.json": Object.fromEntries([...told].sort().map((said) => [said, said])),
  "package.json": manifest,
  "package.nls.json": texts,
};
for (const [name, content] of Object.entries(wanted)) {
  const path = join(root, name);
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (existsSync(path) && readFileSync(path, "utf8") === text) {
    continue;
  }
  if (check) {
    problems.push(`${name} does not hold the texts: run node scripts/l10n.mjs, then make catalogue`);
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
for (const problem of problems) {
  console.error(problem);
}
process.exitCode = problems.length > 0 ? 1 : 0;
