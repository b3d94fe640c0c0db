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
const EXPECTED = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE.txt",
  "extension/dist/extension.js",
  "extension/dist/languageclient.js",
  `extension/dist/tutor_lsp-${version}-py3-none-any.whl`,
  "extension/media/attempt.md",
  "extension/media/hint.md",
  "extension/media/lesson.js",
  "extension/media/icon.png",
  "extension/media/save.md",
  "extension/media/start.md",
  "extension/media/tutor.svg",
  "extension/package.json",
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
const files = unzip(readFileSync(process.argv[2]));
const names = [...files.keys()].sort();
if (names.join() !== [...EXPECTED].sort().join()) {
  problems.push(`unexpected content: ${names.join(", ")}`);
}
let bytes = 0;
for (const name of ["extension.js", "languageclient.js"]) {
  const bundle = files.get(`extension/dist/${name}`) ?? Buffer.alloc(0);
  bytes += bundle.length;
  if (bundle.length === 0 || !bundle.equals(readFileSync(join(root, "dist", name)))) {
    problems.push(`the packaged ${name} is not the one in dist/`);
  }
}
if (bytes >= BUNDLE_LIMIT) {
  problems.push(`the bundles have ${bytes} bytes; fewer than ${BUNDLE_LIMIT} are allowed`);
}
for (const [name, body] of files) {
  for (const place of [root, homedir()].filter((path) => path.length > 1)) {
    if (body.includes(`${place}/`)) {
      problems.push(`${name} names ${place}`);
    }
  }
}
const readme = String(files.get("extension/readme.md") ?? "");
// Of pictures and links the editor's page of the extension follows public addresses alone.
for (const [, target] of readme.matchAll(/\]\(([^)]+)\)/g)) {
  if (!/^(https:|#)/.test(target)) {
    problems.push(`the README leads to ${target}, which the extension's page cannot show`);
  }
}
const manifest = JSON.parse(String(files.get("extension/package.json") ?? "{}"));
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
console.log(`${names.length} files, bundles ${(bytes / 1000).toFixed(0)} kB`);
