// Writes dist/README.md for the package: the README without its pictures. The editor's page of an
// extension shows neither files of the package nor pictures inside the text, only public addresses.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const text = readFileSync(join(root, "README.md"), "utf8");
mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(join(root, "dist", "README.md"), text.replace(/^!\[[^\]]*\]\(images\/[^)]*\)\n\n/gm, ""));
