// Packages the extension into a .vsix:  node scripts/package.mjs [--target TARGET] [--out FILE]
// Everything in it is gathered in build/package first, because package.json, README and changelog are
// others there: links and pictures follow release.toml, and are left out where that does not name the
// repository.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { URL, fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const repository = resolve(root, "..", "..");
const stage = join(root, "build", "package");
const FOLDER = "editors/vscode";
/** Of package.json, what serves development alone. */
const OURS = ["scripts", "devDependencies", "private"];

function run(program, args, options = {}) {
  const { status, error, stdout } = spawnSync(program, args, { encoding: "utf8", ...options });
  if (error !== undefined || status !== 0) {
    console.error(error?.message ?? `${program} ${args[0]} ended with ${status}`);
    process.exit(1);
  }
  return stdout;
}

function python(...args) {
  const own = join(repository, ".venv", "bin", "python");
  return run(existsSync(own) ? own : "python3", args, { stdio: ["ignore", "pipe", "inherit"] });
}

/**
 * A page's relative links and pictures with public addresses; without one a link is words alone, and
 * a picture is left out with its paragraph.
 */
function published(text, { pages, raw }, folder) {
  const to = (base, path) => new URL(join(folder, path), `${base}/`).href;
  const relative = /(!?)\[([^\]]*)\]\((?!https:|#)([^)\s]+)\)(\n\n)?/g;
  return text.replace(relative, (_, picture, label, path, end = "") => {
    if (picture === "") {
      return (pages === null ? label : `[${label}](${to(pages, path)})`) + end;
    }
    return raw === null ? "" : `![${label}](${to(raw, path)})${end}`;
  });
}

const { values } = parseArgs({
  options: { target: { type: "string" }, out: { type: "string", default: "dist/tutor-lsp.vsix" } },
});
const release = JSON.parse(python(join(repository, "scripts", "release_facts.py"), "--vscode"));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
for (const key of OURS) {
  Reflect.deleteProperty(manifest, key);
}

rmSync(stage, { recursive: true, force: true });
mkdirSync(join(stage, "dist"), { recursive: true });
// All that is gathered here belongs in it.
writeFileSync(join(stage, ".vscodeignore"), "");
const packaged = { ...manifest, ...release.manifest };
writeFileSync(join(stage, "package.json"), JSON.stringify(packaged, null, 2));
for (const [file, folder] of [
  [join(root, "README.md"), FOLDER],
  [join(repository, "CHANGELOG.md"), ""],
]) {
  const text = published(readFileSync(file, "utf8"), release, folder);
  writeFileSync(join(stage, file.slice(dirname(file).length + 1)), text);
}
cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
cpSync(join(root, "media"), join(stage, "media"), { recursive: true });
cpSync(join(root, "package.nls.json"), join(stage, "package.nls.json"));
python(join(root, "scripts", "l10n.py"), stage);
// Links in them name the extension by its publisher, too.
const id = ({ publisher, name }) => `${publisher}.${name}`;
for (const name of readdirSync(stage).filter((name) => name.startsWith("package.nls."))) {
  const text = readFileSync(join(stage, name), "utf8");
  writeFileSync(join(stage, name), text.replaceAll(id(manifest), id(packaged)));
}
for (const name of readdirSync(join(root, "dist")).filter((name) => /\.(js|whl)$|^choices\.json$/.test(name))) {
  cpSync(join(root, "dist", name), join(stage, "dist", name));
}

if (values.target !== undefined) {
  cpSync(join(root, "build", "target"), stage, { recursive: true });
}

const vsce = join(root, "node_modules", "@vscode", "vsce", "vsce");
const args = ["--require", join(root, "scripts", "node18.cjs"), vsce, "package", "--no-dependencies"];
args.push("--no-rewrite-relative-links", "--out", resolve(root, values.out));
if (values.target !== undefined) {
  args.push("--target", values.target);
}
if (release.manifest.repository === undefined) {
  args.push("--allow-missing-repository");
}
run(process.execPath, args, { cwd: stage, stdio: "inherit" });
