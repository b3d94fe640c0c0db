import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf, worthPractising } from "../src/code/errorCodes";
import { chooseModel, questionOf, unfenced } from "../src/server/question";

test("the question ends with the form of the answer", () => {
  const asked = questionOf({ prompt: "Write.", schema: { type: "object" } });
  assert.match(asked, /^Write\.\n\nAnswer with one JSON object.*without a code fence\.\n\n\{"type":"object"\}$/);
});

test("a fence around the whole answer is taken away, anything else is left", () => {
  assert.equal(unfenced('```json\n{"a": 1}\n```\n'), '{"a": 1}');
  assert.equal(unfenced('{"a": "```"}'), '{"a": "```"}');
});

test("a model is chosen by id, family or name; the first where none is named", () => {
  const models = [
    { id: "1", family: "small", name: "Small" },
    { id: "2", family: "large", name: "Large" },
  ];
  assert.equal(chooseModel(models, "large").id, "2");
  assert.equal(chooseModel(models, "").id, "1");
  assert.throws(() => chooseModel(models.slice(2), ""), /no language model at the moment/);
});

test("another model than the one that is named is not taken", () => {
  const models = [{ id: "1", family: "small", name: "Small" }];
  assert.throws(() => chooseModel(models, "codex-x"), /no model "codex-x".*tutor\.model.*Small/);
});

test("errors that a bundled exercise practises can be practised, in their language", () => {
  assert.equal(codeOf({ value: "E0382" }), "E0382");
  assert.equal(codeOf(undefined), "");
  for (const [code, language] of [
    ["E0382", "rust"],
    ["error[E0382]", "rust"],
    ["clippy::needless_return", "rust"],
    ["-Wunused-variable", "c"],
    ["-Werror=format", "c"],
    ["reportIndexIssue", "python"],
    ["B006", "python"],
  ] as const) {
    assert.equal(worthPractising(code, "x", language), true, code);
  }
  for (const code of ["E501", "W291", "C0114", "E0382", "", "-W", "constructor"]) {
    assert.equal(worthPractising(code, "x", "python"), false, code);
  }
  assert.equal(worthPractising("E0382", "tutor", "rust"), false);
  assert.equal(worthPractising("E0382", "x", "go"), false);
});
