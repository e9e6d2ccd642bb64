/** Sites that say something, in models of random organizations. */
import * as fc from "fast-check";
import { type Lists, ListWriter, PERMISSION, packed, weakestFirst } from "../../src/model/lists.ts";
import { INHERIT, type Model } from "../../src/model/model.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { modelOf } from "./model-of.ts";

/** What is random of sites: each has some of the spaces, teams and users, by their numbers, with ranks. */
const sites = fc.array(
  fc.record({
    level: fc.oneof({ weight: 2, arbitrary: fc.constant(INHERIT) }, fc.nat({ max: 6 })),
    spaces: fc.array(fc.nat({ max: 30 }), { maxLength: 12 }),
    teams: fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 6 })), { maxLength: 3 }),
    users: fc.array(fc.tuple(fc.nat({ max: 19 }), fc.nat({ max: 6 })), { maxLength: 4 }),
  }),
  { maxLength: 4 },
);

/** Models of random organizations with such sites in place of their own. */
export const sayingModels: fc.Arbitrary<Model[]> = fc
  .tuple(organizations({ minContents: 2, minMembers: 1 }), sites, fc.boolean())
  .map(([records, said, reversed]) =>
    organizationIds(records).map((id) => withSites(modelOf(factsOf(records, id), reversed), said)),
  );

/** The same organizations with what sites say before, and after; or with other direct permissions alone. */
export const sayingPairs: fc.Arbitrary<(readonly [Model, Model])[]> = fc
  .tuple(organizations({ minContents: 2, minMembers: 1 }), sites, sites, fc.boolean())
  .map(([records, was, others, isOfUsers]) => {
    const is = isOfUsers ? was.map((each, at) => ({ ...each, users: others[at]?.users ?? [] })) : others;
    return organizationIds(records).map((id) => {
      const model = modelOf(factsOf(records, id));
      return [withSites(model, was), withSites(model, is)] as const;
    });
  });

type Saying = typeof sites extends fc.Arbitrary<infer Value> ? Value : never;

function withSites(model: Model, said: Saying): Model {
  const { contents, teams, members } = model;
  const spaces = contents.byKey.filter((x) => contents.isSpace[x] === 1);
  const some = <Entry>(lists: Entry[][]): Lists & { entries: Uint32Array } => {
    const writer = new ListWriter();
    for (const list of lists) {
      for (const entry of list) writer.add(Number(entry));
      writer.end();
    }
    return writer.lists();
  };
  const given = (entries: readonly (readonly [number, number])[], count: number) => [
    ...new Map(entries.filter(([number]) => number < count)),
  ];
  return {
    ...model,
    sites: {
      count: said.length,
      ids: said.map((_, at) => `site-${at}`),
      titles: said.map((_, at) => `Site ${at}`),
      levels: Uint8Array.from(said, ({ level }) => level),
      spaces: some(
        said.map((each) =>
          [...new Set(each.spaces.filter((at) => at < spaces.length))]
            .sort((a, b) => a - b)
            .map((at) => spaces[at] ?? 0),
        ),
      ),
      teams: some(
        said.map((each) =>
          given(each.teams, teams.count)
            .map(([team, role]) => packed(team, PERMISSION, role))
            .sort(weakestFirst),
        ),
      ),
      users: some(
        said.map((each) =>
          given(each.users, members.count)
            .map(([user, role]) => packed(user, PERMISSION, role))
            .sort((a, b) => a - b),
        ),
      ),
    },
  };
}
