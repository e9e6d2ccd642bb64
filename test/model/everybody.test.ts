/** The walk over all contents paints what the oracle says, and its strokes lead from what is inherited to that. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentKey } from "../../src/domain/content.ts";
import type { Manner } from "../../src/model/differences.ts";
import { everybodyOn, type Visitor, withInherited } from "../../src/model/everybody.ts";
import { keyOf, memberId, type Model } from "../../src/model/model.ts";
import { effectiveOf } from "../oracle/effective.ts";
import { factsOf, type Facts, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { ROLES } from "../oracle/records.ts";
import { modelOf } from "./model-of.ts";
import { holds } from "../setup/property.ts";

const RUNS = 20 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);
/** One window without copies of sheets, small windows with many. */
const MANNERS: readonly Manner[] = [
  { window: 1000, copied: 1000 },
  { window: 3, copied: 1 },
  { window: 2, copied: 1000 },
];

function resultOf<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** `content user rank` of everybody with a role, by the oracle. */
function expected(facts: Facts, wanted: ReadonlySet<string>): string[] {
  const contents = [
    ...[...facts.collections.keys()].map((id) => ({ kind: "collection" as const, id })),
    ...[...facts.spaces.keys()].map((id) => ({ kind: "space" as const, id })),
  ];
  return contents.flatMap((content) => {
    const key = contentKey(content.kind, content.id);
    if (!wanted.has(key)) return [];
    return [...facts.members.keys()].flatMap((user) => {
      const role = effectiveOf(facts, user, content)?.role;
      return role === undefined ? [] : [`${key} ${user} ${ROLES.indexOf(role) + 1}`];
    });
  });
}

/** The same by the walk, of which each step is held against its strokes. */
function walked(model: Model, wanted: Uint8Array, manner: Manner): string[] {
  const found: string[] = [];
  let first = 0;
  let inherited = new Uint8Array(0);
  /** What everybody has on each content on the way down. */
  const sheets: Uint8Array[] = [];
  const visitor: Visitor = {
    begin: ({ from }) => void (first = from),
    arrive({ depth, base }) {
      inherited = (base?.sheet ?? sheets[depth - 1])?.slice() ?? new Uint8Array(0);
      return true;
    },
    leave({ content, depth, sheet }, { begin, end, places, was, became }) {
      for (let at = begin; at < end; at++) {
        const place = places[at] ?? 0;
        expect(inherited[place]).toBe(was[at]);
        inherited[place] = became[at] ?? 0;
      }
      expect(inherited).toEqual(sheet);
      sheets[depth] = inherited;
      if (wanted[content] !== 1) return;
      for (const [place, byte] of sheet.entries())
        if (byte > 0) found.push(`${keyOf(model, content)} ${memberId(model, first + place)} ${byte & 7}`);
    },
  };
  resultOf(everybodyOn(model, resultOf(withInherited(model, wanted)), visitor, undefined, manner));
  return found;
}

test("everybody has the roles of the oracle on every content, window by window", () => {
  holds(
    fc.property(organizations({ maxPermissions: 40, minContents: 2 }), fc.gen(), (records, gen) => {
      for (const id of organizationIds(records)) {
        const facts = factsOf(records, id);
        const model = modelOf(facts);
        const marks = Array.from({ length: model.contents.count }, () => gen(fc.nat, { max: 3 }));
        // Contents that nobody asks for are left out, but for what others inherit from.
        const wanted = Uint8Array.from(marks, (mark) => Number(mark > 0));
        const keys = new Set([...wanted.keys()].filter((x) => wanted[x] === 1).map((x) => keyOf(model, x)));
        const all = expected(facts, keys).sort();
        for (const manner of MANNERS) expect(walked(model, wanted, manner).sort()).toEqual(all);
      }
    }),
    { numRuns: RUNS },
  );
});
