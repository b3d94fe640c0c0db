// Puts the server's settings into package.json: the section whose id is tutor.server-settings is
// rewritten whole, nothing else is touched.
//   node scripts/settings.mjs FILE|-           write it
//   node scripts/settings.mjs FILE|- --check   exit 1 if package.json says something else
// The input is a JSON object: setting name (tutor.*) to VS Code's configuration property.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SECTION = "tutor.server-settings";
const file = join(dirname(dirname(fileURLToPath(import.meta.url))), "package.json");

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

const text = readFileSync(file, "utf8");
const manifest = JSON.parse(text);
const section = manifest.contributes.configuration.find((part) => part.id === SECTION);
if (section === undefined) {
  fail(`package.json has no configuration section with the id ${SECTION}`);
}
section.properties = properties;
const wanted = `${JSON.stringify(manifest, null, 2)}\n`;
if (flag === "--check") {
  if (wanted !== text) {
    fail("package.json does not hold the server's settings: run scripts/settings.mjs again");
  }
} else {
  writeFileSync(file, wanted);
}
