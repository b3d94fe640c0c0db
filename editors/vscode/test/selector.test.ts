import assert from "node:assert/strict";
import { test } from "node:test";
import { sourcesIn } from "../src/server/selector";

const exists = (...files: string[]) => (file: string): boolean => files.includes(file);

test("a folder's name has no meaning in the pattern of an exercise's sources", () => {
  const [sources, ...more] = sourcesIn("/a [b]/{c}/src", exists("/a [b]/{c}/.tutor/exercise.json"));
  assert.deepEqual(more, []);
  assert.equal(sources?.pattern.pattern, "{src,tests}/**");
  assert.equal(decodeURIComponent(sources.pattern.baseUri), "file:///a [b]/{c}");
});

test("in the tutor's home they are those of all exercises, elsewhere there are none", () => {
  const patterns = sourcesIn("/home/tutor", exists("/home/tutor/tutor.db")).map(({ pattern }) => pattern);
  assert.deepEqual(patterns, [{ baseUri: "file:///home/tutor", pattern: "**/{src,tests}/**" }]);
  assert.deepEqual(sourcesIn("/somewhere", exists()), []);
});
