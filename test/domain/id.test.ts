import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareIds } from "../../src/domain/id.ts";
import { holds } from "../setup/property.ts";

/** Characters that UTF-16 and UTF-8 order differently: below, among and above the surrogates. */
const text = fc
  .array(fc.constantFrom("a", "z", "\u{7ff}", "\u{d7ff}", "\u{e000}", "\u{ff61}", "\u{10000}", "\u{1f600}"))
  .map((characters) => characters.join(""));

test("ids compare as their UTF-8 bytes do", () => {
  holds(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareIds(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 1_000 },
  );
});
