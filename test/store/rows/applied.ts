/** Random organizations in rows, as one change after the other makes them. */
import * as fc from "fast-check";
import type { RecordChange } from "../../../src/domain/record-change.ts";
import type { Engine } from "../../../src/store/engine/engine.ts";
import type { Revision } from "../../../src/store/reading.ts";
import { changesBetween, recordsOf } from "../../model/model-of.ts";
import { type Facts, factsOf, organizationIds } from "../../oracle/facts.ts";
import { histories } from "../../oracle/random/organizations.ts";
import { holds } from "../../setup/property.ts";
import { apply, found, titledById } from "./place.ts";

/** Has random histories checked: the states of an organization with their revisions, each of which is current when it comes. */
export async function checkHistories(
  engine: Engine,
  runs: number,
  check: (id: string, states: AsyncGenerator<readonly [Revision, Facts]>) => Promise<void>,
): Promise<void> {
  let generation = 0;
  await holds(
    fc.asyncProperty(histories({}, 3), async (drawn) => {
      const states = drawn.map(titledById);
      for (const id of organizationIds(states[0] ?? [])) {
        const organization = `${generation++}-${id}`.slice(0, 128);
        await found(engine, organization, generation);
        const end = states.findIndex((state) => !organizationIds(state).includes(id));
        const own = states.slice(0, end < 0 ? states.length : end);
        const facts = own.map((state) => factsOf(state, id));
        await check(id, applied(engine, organization, facts));
      }
    }),
    { numRuns: runs },
  );
}

async function* applied(
  engine: Engine,
  organization: string,
  states: readonly Facts[],
): AsyncGenerator<readonly [Revision, Facts]> {
  let before: Facts | undefined;
  for (const facts of states) {
    yield [await apply(engine, organization, changed(before, facts)), facts];
    before = facts;
  }
}

/** The changes from one state to another, or from an organization without records. */
export function changed(before: Facts | undefined, after: Facts): RecordChange[] {
  if (before !== undefined) return changesBetween(before, after);
  return Array.from(recordsOf(after).values(), ({ names, says }) => ({
    ...names,
    was: undefined,
    becomes: says,
  }));
}
