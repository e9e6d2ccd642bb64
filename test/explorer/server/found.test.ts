/** The list of all search results. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CountsAnswer } from "../../../src/explorer/wire/answers.ts";
import type { SearchHit } from "../../../src/explorer/wire/lists.ts";
import { factsOf, organizationIds } from "../../oracle/facts.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { ownPlace, World } from "../../world.ts";
import { answer, foundBy, type Row, rowsOf } from "./found-by.ts";
import { holds } from "../../setup/property.ts";
import { drawUntil } from "../../setup/seed.ts";

const RUNS = Math.min(4, Number(process.env.ROLEBOOK_TEST_RUNS ?? 4));
const encode = encodeURIComponent;

test("the list of all search results has each thing once, by kind, also in counts and files", async () => {
  let several = 0;
  await using world = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => world.close(),
  });
  const property = fc.asyncProperty(
    organizations({ minMembers: 2, minContents: 2 }),
    fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    async (records, choices) => {
      await world.import(records);
      for (const organization of organizationIds(records)) {
        const token = await world.token(organization);
        const rows = thingsOf(records, organization);
        const words = rows.flatMap((row) => textOf(row).split(/[^\p{L}\p{N}\p{M}]+/u)).filter(Boolean);
        for (const choice of choices) {
          const q = words[choice % words.length]?.slice(0, 1 + (choice % 3)) ?? "a";
          const found = foundBy(q, rows);
          const path = `list=found&q=${encode(q)}`;
          const hits = (await rowsOf(world, `/explorer/access?${path}`, token, [1, 2, 3])).map(
            (row): SearchHit => Object(row),
          );
          const named = hits.map(({ kind, id }) => `${kind}/${id}`);
          expect(named.toSorted(), path).toEqual([...found].sort());
          const kinds = ["collection", "space", "site", "team", "member"] as const;
          expect([...new Set(hits.map(({ kind }) => kind))]).toEqual(
            kinds.filter((kind) => hits.some((hit) => hit.kind === kind)),
          );
          const { filtered } = await answer<CountsAnswer>(world, `/explorer/counts?${path}`, token);
          expect(filtered?.total, path).toBe(found.size);
          for (const kind of kinds) {
            const own = hits.filter((hit) => hit.kind === kind);
            expect(filtered?.kinds?.[kind], path).toBe(own.length);
            const alone = await rowsOf(world, `/explorer/access?${path}&kind=${kind}`, token);
            expect(alone, `${path} ${kind}`).toEqual(own);
          }
          const far = Math.floor(hits.length / 2);
          const { items } = await answer<{ items: readonly SearchHit[] }>(
            world,
            `/explorer/access?${path}&from=${far}&limit=2`,
            token,
          );
          expect(items, path).toEqual(hits.slice(far, far + 2));
          if (filtered?.kinds && Object.values(filtered.kinds).filter((count) => count > 0).length > 1)
            several++;
        }
        expect(await rowsOf(world, "/explorer/access?list=found&q=%20", token)).toEqual([]);
      }
    },
  );
  await drawUntil(
    () => several > 0,
    (seed) => holds(property, { numRuns: RUNS, seed }),
  );
});

/** Every subject of an organization that has a name. */
function thingsOf(records: readonly SnapshotRecord[], organization: string): Row[] {
  const { members, users } = factsOf(records, organization);
  const things = records.flatMap((record): Row[] => {
    if (!("organization" in record) || record.organization !== organization || !("title" in record))
      return [];
    const { id, title } = record;
    if (record.object === "collection") return [{ content: { id, kind: "collection", title } }];
    if (record.object === "space") return [{ space: { id, title } }];
    if (record.object === "site") return [{ site: { id, title } }];
    return record.object === "team" ? [{ team: { id, title } }] : [];
  });
  const people = [...members.keys()].flatMap((id): Row[] => {
    const user = users.get(id);
    return user === undefined ? [] : [{ user }];
  });
  return [...things, ...people];
}

function textOf({ user, space, content, team, site }: Row): string {
  return user?.displayName ?? (space ?? content ?? team ?? site)?.title ?? "";
}
