// Puts the server's settings into package.json, and their texts into package.nls.json: the section whose
// id is tutor.server-settings is rewritten whole, nothing else is touched.
//   node scripts/settings.mjs FILE|-           write it
//   node scripts/settings.mjs FILE|- --check   exit 1 if package.json says something else
// The input is a JSON object: setting name (tutor.*) to VS Code's configuration property.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { externalized, readManifest, resolved } from "./manifest.mjs";

const SECTION = "tutor.server-settings";
const root = dirname(dirname(fileURLToPath(import.meta.url)));

function fail(message) {
  console.error(message);
  process.exit(1);
}

const [source, flag] = process.argv.slice(2);
if (source === undefined || (flag !== undefined && flag !== "--check")) {
  fail("usage: node scripts/settings.mjs FILE|- [--check]");
}
const properties = JSON.parse(readFileSync(source === "-" ? 0 : source, "utf8"));
const wrong = Object.keys(properties).filter((key) => !/^tutor\.(?!server\.|trace\.)/.test(key));
if (wrong.length > 0) {
  fail(`not settings of the server: ${wrong.join(", ")}`);
}

const manifest = resolved(...readManifest(root));
const section = manifest.contributes.configuration.find((part) => part.id === SECTION);
if (section === undefined) {
  fail(`package.json has no configuration section with the id ${SECTION}`);
}
section.properties = properties;
const wanted = externalized(manifest);
["package.json", "package.nls.json"].forEach((name, at) => {
  const file = join(root, name);
  const text = `${JSON.stringify(wanted[at], null, 2)}\n`;
  if (flag !== "--check") {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    fail(`${name} does not hold the server's settings: run scripts/settings.mjs again`);
  }
});
