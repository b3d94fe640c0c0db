// Bundles the extension into dist/extension.js, which the editor loads, dist/tutor.js, which that loads,
// and dist/languageclient.js, which is loaded only when a server is needed; with --tests, each test file into build/test/; with
// --e2e, the end-to-end tests into build/e2e/ and their second extension into build/companion/.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  logLevel: "warning",
};
/** For what runs in the editor: files that it loads later are required, so that it gives them `vscode`. */
const inEditor = { ...common, external: ["vscode"], supported: { "dynamic-import": false } };

if (process.argv.includes("--tests")) {
  rmSync(join(root, "build", "test"), { recursive: true, force: true });
  mkdirSync(join(root, "build", "test"), { recursive: true });
  const tests = readdirSync(join(root, "test")).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((name) => join("test", name)),
    outdir: "build/test",
    sourcemap: "inline",
  });
} else if (process.argv.includes("--e2e")) {
  rmSync(join(root, "build", "e2e"), { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: ["e2e/all.ts", "e2e/inside/index.ts"],
    outbase: "e2e",
    outdir: "build/e2e",
    external: ["playwright-core", "vscode"],
    sourcemap: "inline",
  });
  await build({
    ...inEditor,
    entryPoints: ["e2e/companion/extension.ts", "e2e/companion/analyzer.ts"],
    outdir: "build/companion",
    plugins: [{
      name: "apart",
      setup(esbuild) {
        esbuild.onResolve({ filter: /^\.\/analyzer\.js$/ }, ({ path }) => ({ path, external: true }));
      },
    }],
  });
  copyFileSync(
    join(root, "e2e", "companion", "package.json"),
    join(root, "build", "companion", "package.json"),
  );
} else {
  const client = "vscode-languageclient/node";
  const apart = {
    name: "apart",
    setup(esbuild) {
      esbuild.onResolve({ filter: new RegExp(`^${client}$`) }, ({ kind }) =>
        kind === "entry-point" ? undefined : { path: "./languageclient.js", external: true },
      );
      esbuild.onResolve({ filter: /^\.\/main\.js$/ }, () => ({ path: "./tutor.js", external: true }));
    },
  };
  const result = await build({
    ...inEditor,
    entryPoints: { extension: "src/entry.ts", tutor: "src/main.ts", languageclient: client },
    outdir: "dist",
    plugins: [apart],
    minify: true,
    legalComments: "inline",
    metafile: true,
  });
  for (const [file, { bytes }] of Object.entries(result.metafile.outputs)) {
    console.log(`${file} ${(bytes / 1000).toFixed(0)} kB`);
  }
}
