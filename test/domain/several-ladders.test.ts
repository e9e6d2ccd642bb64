import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decide, type Decision, type Ladder } from "../../src/domain/ladder.ts";
import { rank } from "../../src/domain/role.ts";
import { SeveralLadders } from "../../src/domain/several-ladders.ts";
import { sites, subjects } from "./random-ladders.ts";

test("the role on several ladders is the highest of all; of equal ones, the first ladder decides", () => {
  fc.assert(
    fc.property(sites, fc.array(subjects, { minLength: 1, maxLength: 4 }), (ladders, members) => {
      // All members use one instance, so that results cached for one member are used for the next.
      const several = new SeveralLadders(ladders);
      for (const member of members) {
        let best: { ladder: Ladder; decision: Decision } | undefined;
        for (const ladder of ladders) {
          const decision = decide(ladder, member);
          if (decision === undefined) continue;
          if (best === undefined || rank(decision.role) > rank(best.decision.role))
            best = { ladder, decision };
        }
        expect(several.highest(member)).toEqual(best);
      }
    }),
    { numRuns: 2000 },
  );
});
