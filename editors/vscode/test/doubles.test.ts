import assert from "node:assert/strict";
import { test } from "node:test";
import { isShownByOthers, type Reported } from "../src/code/doubles";

function at(source: string | undefined, first: number, last = first): Reported {
  return { source, first, last };
}

test("alone, the build error is shown", () => {
  assert.equal(isShownByOthers(at("tutor", 3), []), false);
});

test("a language's own server shows it, though it may count lines otherwise", () => {
  for (const source of ["rustc", "rust-analyzer", "Pylance", "Pyright", "basedpyright", "clang", "C/C++"]) {
    assert.equal(isShownByOthers(at("tutor", 3), [at(source, 4)]), true, source);
  }
});

test("another tool shows it only where it has an error on the same lines", () => {
  assert.equal(isShownByOthers(at("tutor", 3), [at("spelling", 9), at(undefined, 1)]), false);
  assert.equal(isShownByOthers(at("tutor", 3), [at("linter", 1, 3)]), true);
});
