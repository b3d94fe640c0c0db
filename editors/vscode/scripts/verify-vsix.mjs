// Looks into a packaged .vsix: exactly the files that belong there, the bundles that were built, and
// nothing of the machine that built it.  node scripts/verify-vsix.mjs FILE
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// For the extension's code: wheel, README and icon do not count.
const BUNDLE_LIMIT = 600_000;
const PACKAGE_LIMIT = 25_000_000;
const EXPECTED = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE.txt",
  "extension/dist/choices.json",
  "extension/dist/extension.js",
  "extension/dist/languageclient.js",
  "extension/dist/tutor.js",
  `extension/dist/tutor_lsp-${version}-py3-none-any.whl`,
  "extension/media/attempt.md",
  "extension/media/hint.md",
  "extension/media/lesson.css",
  "extension/media/lesson.js",
  "extension/media/icon.png",
  "extension/media/save.md",
  "extension/media/start.md",
  "extension/media/tutor.svg",
  "extension/changelog.md",
  "extension/package.json",
  "extension/package.nls.json",
  "extension/readme.md",
];

/** Names and contents of a zip archive, from its central directory. */
function unzip(zip) {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  const files = new Map();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, nameLength] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const body = zip.subarray(start, start + packed);
    files.set(name, zip.readUInt16LE(at + 10) === 0 ? body : inflateRawSync(body));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

const problems = [];
const packed = readFileSync(process.argv[2]);
const size = packed.length;
const files = unzip(packed);
// Of every language that the catalogue has a translation for.
const OTHER_LANGUAGE = /^extension\/(package\.nls|l10n\/bundle\.l10n|media\/\w+\.nls)\.[\w-]+\.(json|md)$/;
const names = [...files.keys()].filter((name) => !OTHER_LANGUAGE.test(name)).sort();
// One for a target says itself which libraries belong to it.
const listed = files.get("extension/libs/contents.json");
const libraries = Object.entries(listed === undefined ? {} : JSON.parse(String(listed)).files);
const own = listed === undefined ? [] : ["extension/libs/contents.json", "extension/libs/target"];
const expected = new Set([...EXPECTED, ...own, ...libraries.map(([name]) => `extension/${name}`)]);
const odd = names.filter((name) => !expected.has(name));
const missing = [...expected].filter((name) => !files.has(name));
if (odd.length + missing.length > 0) {
  problems.push(`unexpected: ${odd.join(", ")}; missing: ${missing.join(", ")}`);
}
for (const [name, size] of libraries) {
  if ((files.get(`extension/${name}`)?.length ?? 0) !== size) {
    problems.push(`${name} has not ${size} bytes`);
  }
}
if (size >= PACKAGE_LIMIT) {
  problems.push(`the package has ${size} bytes; fewer than ${PACKAGE_LIMIT} are allowed`);
}
let bytes = 0;
for (const name of ["extension.js", "tutor.js", "languageclient.js"]) {
  const bundle = files.get(`extension/dist/${name}`) ?? Buffer.alloc(0);
  bytes += bundle.length;
  if (bundle.length === 0 || !bundle.equals(readFileSync(join(root, "dist", name)))) {
    problems.push(`the packaged ${name} is not the one in dist/`);
  }
}
if (bytes >= BUNDLE_LIMIT) {
  problems.push(`the bundles have ${bytes} bytes; fewer than ${BUNDLE_LIMIT} are allowed`);
}
// Others have compiled what is in libs/ and python/, each on a machine of their own.
const isOurs = (name) => !/^extension\/(libs|python)\//.test(name) || name.includes("/tutor_lsp/");
for (const [name, body] of [...files].filter(([name]) => isOurs(name))) {
  for (const place of [root, homedir()].filter((path) => path.length > 1)) {
    if (body.includes(`${place}/`)) {
      problems.push(`${name} names ${place}`);
    }
  }
}
const manifest = JSON.parse(String(files.get("extension/package.json") ?? "{}"));
// Of pictures and links the editor's pages of the extension follow public addresses alone.
for (const name of ["readme.md", "changelog.md"]) {
  const page = String(files.get(`extension/${name}`) ?? "");
  const targets = [...page.matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)\)/g)];
  for (const [, , target] of targets) {
    if (!/^(https:|#)/.test(target)) {
      problems.push(`${name} leads to ${target}, which the extension's page cannot show`);
    }
  }
  const pictures = targets.filter(([, picture]) => picture === "!").length;
  if (name === "readme.md" && pictures === 0 && manifest.repository !== undefined) {
    problems.push("the README has no picture, although the repository is known");
  }
}
if (!/no telemetry/i.test(String(files.get("extension/readme.md") ?? ""))) {
  problems.push("the README says nothing about telemetry");
}
const id = `${manifest.publisher}.${manifest.name}`;
const walkthroughs = [...String(files.get("extension/package.nls.json")).matchAll(/openWalkthrough\?%22([^%]*)%23/g)];
if (walkthroughs.length === 0 || walkthroughs.some(([, named]) => named !== id)) {
  problems.push(`no link leads to the walkthrough of ${id}`);
}
for (const key of ["scripts", "devDependencies"].filter((key) => key in manifest)) {
  problems.push(`the packaged manifest has ${key}`);
}
if (!files.has(`extension/${manifest.icon}`)) {
  problems.push(`the icon ${manifest.icon} is not in the package`);
}
if (manifest.main !== "./dist/extension.js" || manifest.version !== version) {
  problems.push("the packaged manifest is not this package's");
}

for (const problem of problems) {
  console.error(problem);
}
if (problems.length > 0) {
  process.exit(1);
}
console.log(
  `${names.length} files, ${(size / 1e6).toFixed(1)} MB, bundles ${(bytes / 1000).toFixed(0)} kB`,
);
