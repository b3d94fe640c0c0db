// Which Python is found, by programs that say they are one.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Bundled } from "../src/setUp/bundled";
import { ask, candidates, findPython, isRecent, Looking, type Places, type Python, usesMusl } from "../src/setUp/find";

let place: string;
let places: Places;

/** A program that says it is a Python. */
function python(file: string, version: string, suffix?: string, machine = "x86_64"): string {
  const path = join(place, file);
  const tag = version.replace(" ", "");
  const said = [path, version, suffix ?? `.cpython-${tag}-x86_64-linux-gnu.so`, machine];
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${said.map((line) => `echo '${line}'`).join("\n")}\n`, { mode: 0o755 });
  return path;
}

/** A package's libraries for some versions. */
function bundled(...tags: string[]): Bundled {
  const libs = join(place, "extension", "libs");
  tags.forEach((tag) => mkdirSync(join(libs, tag), { recursive: true }));
  writeFileSync(join(libs, "target"), "linux-x64\n");
  const found = Bundled.in(join(place, "extension"), join(place, "storage"), "1.0.0");
  assert.ok(found !== undefined);
  return found;
}

const log = (): undefined => undefined;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "tutor-vscode-"));
  mkdirSync(join(place, "bin"));
  const carried = join(place, "carried");
  places = { pathVariable: join(place, "bin"), home: join(place, "home"), platform: "linux", carried };
});

afterEach(() => {
  rmSync(place, { recursive: true });
});

/** Of those that are found, the ones that the test has made. */
function found(): string[] {
  return candidates(places).filter((file) => file.startsWith(place)).map((file) => file.slice(place.length + 1));
}

test("each Python is tried once, those on PATH first, the carried one last", () => {
  python("carried", "3 13");
  python("bin/python3.12", "3 12");
  symlinkSync(join(place, "bin", "python3.12"), join(place, "bin", "python3"));
  python("home/.local/bin/python3.14", "3 14");
  python("home/.pyenv/versions/3.13.0/bin/python3", "3 13");
  writeFileSync(join(place, "bin", "python"), "no program");
  assert.deepEqual(found(), [
    "bin/python3",
    "home/.local/bin/python3.14",
    "home/.pyenv/versions/3.13.0/bin/python3",
    "carried",
  ]);
});

test("shims come after all others, each by its name, and only where they are there", () => {
  python(".pyenv/shims/python3", "3 12");
  python(".pyenv/shims/python3.13", "3 13");
  python("bin/python3", "3 12");
  python("carried", "3 13");
  const shims = join(place, ".pyenv", "shims");
  places.pathVariable = [shims, join(place, "elsewhere", "shims"), shims, join(place, "bin")].join(":");
  assert.deepEqual(found(), ["bin/python3", ".pyenv/shims/python3", ".pyenv/shims/python3.13", "carried"]);
});

test("what is too old by its own name is not started, but said", async () => {
  const lines: string[] = [];
  places.others = [];
  python("bin/python3.10", "3 10");
  symlinkSync(join(place, "bin", "python3.10"), join(place, "bin", "python3"));
  python("bin/python2.7", "2 7");
  symlinkSync(join(place, "bin", "python2.7"), join(place, "bin", "python"));
  const { python: none, other } = await findPython({ ...places, carried: undefined }, isRecent, (line) => lines.push(line));
  assert.deepEqual([none, other, lines], [undefined, "3.10", []]);
});

test("of several that are asked at a time the best one is taken", async () => {
  places.others = [];
  const slow = python("bin/python3", "3 12");
  writeFileSync(slow, readFileSync(slow, "utf8").replace("\n", "\nsleep 0.3\n"), { mode: 0o755 });
  python("bin/python", "3 13");
  const { python: taken } = await findPython(places, isRecent, log);
  assert.equal(taken?.file, slow);
});

test("a program says itself what it is", async () => {
  const file = python("bin/python3", "3 12");
  const suffix = ".cpython-312-x86_64-linux-gnu.so";
  assert.deepEqual(await ask(file), { file, version: [3, 12], suffix, machine: "x86_64" });
  writeFileSync(file, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  assert.equal(await ask(file), undefined);
  assert.equal(await ask("/nowhere/python3"), undefined);
});

test("only what has libraries here will do", async () => {
  const here = bundled("cp311", "cp313");
  const fits = async (version: string, suffix?: string, machine?: string): Promise<boolean> => {
    const one = await ask(python("bin/asked", version, suffix, machine));
    assert.ok(one !== undefined);
    return here.fits(one);
  };
  assert.ok(await fits("3 11"));
  assert.ok(!(await fits("3 12")), "no libraries for it");
  assert.ok(!(await fits("3 13", ".cpython-313t-x86_64-linux-gnu.so")), "free-threaded");
  assert.ok(!(await fits("3 13", ".cpython-313-x86_64-linux-musl.so")), "musl");
  assert.ok(!(await fits("3 13", ".cpython-313-aarch64-linux-gnu.so", "aarch64")), "another processor");
  assert.ok(!(await fits("3 13", ".cpython-313-darwin.so")), "another system");
});

test("what does not fit is told by its newest version", async () => {
  python("bin/python3", "3 10");
  python("bin/python", "2 7");
  const own = (one: Python): boolean => one.file.startsWith(place) && isRecent(one);
  assert.deepEqual(await findPython({ ...places, carried: undefined }, own, log).then(({ python }) => python), undefined);
  const lines: string[] = [];
  const none = await findPython({ ...places, pathVariable: "/nowhere" }, () => false, (line) => lines.push(line));
  assert.equal(none.python, undefined);
  python("carried", "3 13");
  const { python: carried } = await findPython(places, own, log);
  assert.equal(carried?.file, join(place, "carried"));
});

test("musl is told by how libraries are called", () => {
  const one = { file: "", version: [3, 12] as const, machine: "x86_64" };
  assert.ok(usesMusl({ ...one, suffix: ".cpython-312-x86_64-linux-musl.so" }));
  assert.ok(!usesMusl({ ...one, suffix: ".cpython-312-x86_64-linux-gnu.so" }));
});

test("a Python that was found is remembered until it is another one", async () => {
  const here = bundled("cp312");
  const file = python("bin/python3", "3 12");
  assert.equal(here.known(), undefined);
  const one = await ask(file);
  assert.ok(one !== undefined);
  assert.deepEqual(await here.remember(one), { file, tag: "cp312" });
  assert.deepEqual(here.known(), { file, tag: "cp312" });
  utimesSync(file, new Date(0), new Date(0));
  assert.equal(here.known(), undefined);
  await here.remember(one);
  writeFileSync(file, "another one");
  utimesSync(file, new Date(0), new Date(0));
  assert.equal(here.known(), undefined);
  await here.remember(one);
  rmSync(file);
  assert.equal(here.known(), undefined);
});

test("where nothing can be remembered the Python serves all the same", async () => {
  const here = bundled("cp312");
  writeFileSync(join(place, "storage"), "no folder");
  const one = await ask(python("bin/python3", "3 12"));
  assert.ok(one !== undefined);
  assert.equal((await here.remember(one)).tag, "cp312");
  assert.equal(here.known(), undefined);
});

test("a package that is made for every machine brings no libraries", () => {
  assert.equal(Bundled.in(place, join(place, "storage"), "1.0.0"), undefined);
});

test("a copy elsewhere has all that the package brings, and a half one is not taken for it", async () => {
  const here = bundled("cp312");
  const copy = join(place, "copy");
  python("extension/python/bin/python3.13", "3 13");
  symlinkSync("python3.13", join(place, "extension", "python", "bin", "python3"));
  await here.copyTo(copy);
  const first = Bundled.in(copy, join(place, "storage"), "1.0.0");
  assert.equal(first?.target, "linux-x64");
  assert.equal(first.carried, join(copy, "python", "bin", "python3"));
  assert.equal(readlinkSync(first.carried), "python3.13");
  writeFileSync(join(copy, "first"), "");
  // A pipe cannot be copied: this one ends in the middle.
  execFileSync("mkfifo", [join(place, "extension", "python", "pipe")]);
  await assert.rejects(here.copyTo(copy));
  assert.ok(existsSync(join(copy, "first")));
  rmSync(copy, { recursive: true });
  await assert.rejects(here.copyTo(copy));
  assert.equal(Bundled.in(copy, join(place, "storage"), "1.0.0"), undefined);
});

test("a file that is missing or cut off is named", async () => {
  const here = bundled("cp312");
  const libs = join(place, "extension", "libs");
  assert.equal(await here.damaged(), "contents.json");
  writeFileSync(join(libs, "one.py"), "12345");
  writeFileSync(join(libs, "contents.json"), JSON.stringify({ files: { "libs/one.py": 5 } }));
  assert.equal(await here.damaged(), undefined);
  writeFileSync(join(libs, "one.py"), "123");
  assert.equal(await here.damaged(), "libs/one.py");
});

test("while a Python is being installed, programs are asked again only where one is another", async () => {
  const asked = join(place, "asked");
  const file = python("bin/python3", "3 10");
  writeFileSync(file, readFileSync(file, "utf8").replace("\n", `\necho x >> ${asked}\n`));
  const looking = new Looking();
  const own = { ...places, carried: undefined, others: [] };
  const times = (): number => readFileSync(asked, "utf8").split("\n").length - 1;
  assert.equal(await looking.finds(own, isRecent, true), false);
  assert.equal(await looking.finds(own, isRecent, true), false);
  assert.equal(times(), 1);
  // What installs one may have replaced what a program of the same look starts.
  assert.equal(await looking.finds(own, isRecent, false), false);
  assert.equal(times(), 2);
  python("bin/python3.13", "3 13");
  assert.equal(await looking.finds(own, isRecent, true), true);
});
