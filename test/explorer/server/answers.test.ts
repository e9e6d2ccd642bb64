/** The explorer's answers agree with `/v1` and with the oracle on random organizations. */
import * as fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { plain } from "../../../src/domain/reason.ts";
import type { CountsAnswer, WhyAnswer } from "../../../src/explorer/wire/answers.ts";
import type { AccessRow, ReachRow } from "../../../src/explorer/wire/lists.ts";
import { effectiveOf } from "../../oracle/effective.ts";
import { type Facts, factsOf, organizationIds } from "../../oracle/facts.ts";
import { fold } from "../../oracle/fold.ts";
import { byBytes } from "../../oracle/order.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import { ROLES, type SnapshotRecord } from "../../oracle/records.ts";
import { ownPlace, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 5);
const STRONGEST_FIRST = ROLES.toReversed();
const encode = encodeURIComponent;

async function everywhere(
  runs: number,
  check: (world: World, facts: Facts, token: string) => Promise<void>,
): Promise<void> {
  await holds(
    fc.asyncProperty(organizations({ minMembers: 1 }), async (records: SnapshotRecord[]) => {
      const world = await World.open(ownPlace);
      try {
        await world.import(records);
        for (const organization of organizationIds(records)) {
          await check(world, factsOf(records, organization), await world.token(organization));
        }
      } finally {
        await world.close();
      }
    }),
    { numRuns: runs },
  );
}

/** Every content and site, with its query in the explorer and its path in `/v1`. */
function things(facts: Facts): { query: string; path: string; spaces?: readonly string[] }[] {
  const organization = encode(facts.organization);
  return [
    ...[...facts.spaces.keys()].map((id) => ({ query: `space=${id}`, path: `/v1/spaces/${id}` })),
    ...[...facts.collections.keys()].map((id) => ({
      query: `collection=${id}`,
      path: `/v1/collections/${id}`,
    })),
    ...[...facts.sites].map(([id, spaces]) => ({
      query: `site=${id}`,
      path: `/v1/orgs/${organization}/sites/${id}`,
      spaces,
    })),
  ];
}

interface Listed {
  readonly permission: (typeof ROLES)[number];
  readonly user: { readonly id: string; readonly displayName: string; readonly email?: string };
}

async function answer<Answer>(world: World, path: string, token: string): Promise<Answer> {
  const { status, body } = await world.get(path, token);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
  const parsed: Answer = JSON.parse(body);
  return parsed;
}

function aggregateOf(world: World, path: string, token: string): Promise<Listed[]> {
  return world
    .walk(`${path}/permissions/aggregate`, token)
    .then((items) => items.map((item): Listed => Object(item)));
}

test("everyone on a content or site equals its aggregate, strongest role first; the role filter, counts and why agree", async () => {
  await everywhere(RUNS, async (world, facts, token) => {
    for (const { query, path } of things(facts)) {
      const aggregate = await aggregateOf(world, path, token);
      const expected = STRONGEST_FIRST.flatMap((role) =>
        aggregate.filter(({ permission }) => permission === role).map(({ user }) => [user.id, role]),
      );
      const rows = (await world.walk(`/explorer/access?${query}`, token, [2, 3])).map((row): AccessRow =>
        Object(row),
      );
      expect(
        rows.map(({ user, role }) => [user.id, role]),
        query,
      ).toEqual(expected);
      for (const role of ROLES) {
        const some = await world.walk(`/explorer/access?${query}&role=${role}`, token);
        expect(some).toEqual(rows.filter((row) => row.role === role));
      }
      const { roles, tabs } = await answer<CountsAnswer>(world, `/explorer/counts?${query}`, token);
      const counted = Object.fromEntries(
        ROLES.map((role) => [role, aggregate.filter(({ permission }) => permission === role).length]),
      );
      expect(roles, query).toEqual(counted);
      expect(tabs.everyone).toBe(aggregate.length);
      for (const user of facts.members.keys()) {
        const why = await answer<WhyAnswer>(world, `/explorer/why?${query}&user=${encode(user)}`, token);
        const listed = aggregate.find((entry) => entry.user.id === user);
        expect(why.role, `${query} ${user}`).toBe(listed?.permission ?? null);
      }
    }
  });
});

test("direct permissions on a content, and a site's spaces, equal those of /v1 and of the records", async () => {
  await everywhere(RUNS, async (world, facts, token) => {
    for (const { query, path, spaces } of things(facts)) {
      const { tabs } = await answer<CountsAnswer>(world, `/explorer/counts?${query}`, token);
      if (spaces !== undefined) {
        const rows = await world.walk(`/explorer/access?${query}&tab=spaces`, token, [2]);
        const ids = rows.map((row): string => Object(row).space.id);
        expect(ids.toSorted(byBytes)).toEqual(spaces.toSorted(byBytes));
        expect(tabs.spaces).toBe(spaces.length);
        continue;
      }
      for (const [tab, list] of [
        ["people", "users"],
        ["teams", "teams"],
      ] as const) {
        const given = (await world.walk(`${path}/permissions/${list}`, token)).map((item) => Object(item));
        const rows = (await world.walk(`/explorer/access?${query}&tab=${tab}`, token, [2])).map((row) =>
          Object(row),
        );
        const expected = STRONGEST_FIRST.flatMap((role) =>
          given.filter(({ permission }) => permission === role),
        );
        expect(rows.map((row) => [(row.user ?? row.team).id, row.role])).toEqual(
          expected.map((item) => [(item.user ?? item.team).id, item.permission]),
        );
        expect(tabs[tab]).toBe(given.length);
      }
    }
  });
});

test("a member's spaces and teams equal endpoints 7 and 9; a team's lists equal the records", async () => {
  await everywhere(RUNS, async (world, facts, token) => {
    for (const user of facts.members.keys()) {
      const base = `/v1/orgs/${encode(facts.organization)}/members/${encode(user)}`;
      const spaces = (await world.walk(`${base}/spaces`, token)).map((item) => Object(item));
      const rows = (await world.walk(`/explorer/access?member=${encode(user)}`, token, [2])).map(
        (row): ReachRow => Object(row),
      );
      expect(rows.map(({ space, role, createdAt }) => [space.id, role, createdAt])).toEqual(
        spaces.map(({ space, permission }) => [space.id, permission, space.createdAt]),
      );
      const counts = `/explorer/counts?member=${encode(user)}`;
      const { roles, tabs } = await answer<CountsAnswer>(world, counts, token);
      for (const role of ROLES) {
        expect(roles?.[role]).toBe(spaces.filter(({ permission }) => permission === role).length);
      }
      expect(tabs.spaces).toBe(spaces.length);
      // A file is read in another way, and has the same reasons.
      const { body } = await world.get(`/explorer/csv?member=${encode(user)}`, token);
      const lines = Papa.parse<string[]>(body, { skipEmptyLines: true }).data.slice(6);
      expect(lines.map((cells) => cells[5])).toEqual(rows.map(({ reason }) => plain(reason.because)));
      const teams = (await world.walk(`${base}/teams`, token)).map((item) => Object(item));
      const held = await world.walk(`/explorer/access?member=${encode(user)}&tab=teams`, token);
      expect(held.map((row) => [Object(row).team.id, Object(row).role])).toEqual(
        teams.map(({ team, member }) => [team.id, member.role]),
      );
    }
    for (const team of facts.teams.keys()) {
      const members = await world.walk(`/explorer/access?team=${team}&tab=members`, token, [2]);
      const expected = facts.teamMembers.filter((each) => each.team === team);
      expect(members.map((row) => [Object(row).user.id, Object(row).role])).toEqual(
        expected.map(({ user, role }) => [user, role]).sort(([a = ""], [b = ""]) => byBytes(a, b)),
      );
      const given = await world.walk(`/explorer/access?team=${team}`, token, [2]);
      const places = [
        ...[...facts.collections.keys()].map((id) => ({ kind: "collection" as const, id })),
        ...[...facts.spaces.keys()].map((id) => ({ kind: "space" as const, id })),
      ];
      const wanted = STRONGEST_FIRST.flatMap((role) =>
        places
          .filter((place) =>
            facts.permissionsOn(place).some((each) => each.team === team && each.permission === role),
          )
          .sort((a, b) => byBytes(`${a.kind}/${a.id}`, `${b.kind}/${b.id}`))
          .map(({ kind, id }) => [kind, id, role]),
      );
      expect(
        given.map((row) => [Object(row).content.kind, Object(row).content.id, Object(row).role]),
      ).toEqual(wanted);
    }
  });
});

test("the tree has every visible content once: below its collection, or at the top", async () => {
  await everywhere(RUNS, async (world, facts) => {
    const contents = [
      ...[...facts.collections.values()].map((record) => ({ kind: "collection" as const, record })),
      ...[...facts.spaces.values()].map((record) => ({ kind: "space" as const, record })),
    ];
    for (const member of [undefined, ...facts.members.keys()]) {
      const token = await world.token(facts.organization, member);
      const sees = (kind: "space" | "collection", id: string) =>
        member === undefined || effectiveOf(facts, member, { kind, id }) !== null;
      const below = (parent: string | undefined) =>
        contents
          .filter(({ kind, record }) => sees(kind, record.id))
          .filter(({ record }) => {
            const above =
              record.parent === undefined || !sees("collection", record.parent) ? undefined : record.parent;
            return above === parent;
          })
          .map(({ kind, record }) => `${kind}/${record.id}`)
          .sort(byBytes);
      const top = await world.walk("/explorer/tree", token, [2]);
      expect(top.map(nameOf).sort(byBytes)).toEqual(below(undefined));
      for (const [id] of facts.collections) {
        const path = `/explorer/tree?parent=${id}`;
        if (!sees("collection", id)) {
          expect((await world.get(path, token)).status).toBe(404);
          continue;
        }
        expect((await world.walk(path, token, [2])).map(nameOf).sort(byBytes)).toEqual(below(id));
        const { body } = await world.get(`/explorer/tree?collection=${id}`, token);
        expect(JSON.parse(body).subject.children).toBe(below(id).length);
      }
    }
  });
});

function nameOf(node: unknown): string {
  const { kind, id }: { kind: string; id: string } = Object(node);
  return `${kind}/${id}`;
}

test("search finds members by a part of a name or e-mail address, and contents by id", async () => {
  const tidy = (text: string) =>
    fold(text)
      .replaceAll(/[\s\p{Cc}]+/gu, " ")
      .trim();
  await everywhere(RUNS, async (world, facts, token) => {
    for (const [user] of facts.members) {
      const record = facts.users.get(user);
      const name = tidy(record?.displayName ?? "");
      for (const query of new Set([
        name,
        name.slice(0, 3).replace(/[\uD800-\uDBFF]$/, ""),
        tidy(record?.email ?? ""),
      ])) {
        if (tidy(query) === "") continue;
        const { body } = await world.get(`/explorer/search?kind=member&q=${encode(query)}`, token);
        const {
          items,
          more,
        }: { items: { id: string; displayName: string; email?: string }[]; more: boolean } = JSON.parse(body);
        // These organizations have fewer subjects than the largest number of hits.
        expect(more).toBe(false);
        expect(
          items.map(({ id }) => id),
          query,
        ).toContain(user);
        const begins = [...facts.members.keys()].filter((id) => {
          const { displayName = "", email = "" } = facts.users.get(id) ?? {};
          return [displayName, email].some((text) => tidy(text).startsWith(tidy(query)));
        });
        expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(begins));
        const listed = await world.walk(`/explorer/access?list=members&q=${encode(query)}`, token, [3]);
        const found = listed.map((row): string => Object(row).user.id);
        expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(found));
      }
    }
    for (const space of facts.spaces.values()) {
      const { body } = await world.get(`/explorer/search?q=${space.id}`, token);
      const { items }: { items: { kind: string; id: string }[] } = JSON.parse(body);
      expect(items.map(({ kind, id }) => `${kind}/${id}`)).toContain(`space/${space.id}`);
    }
  });
});

test("a file has every row of its list, by id, and no cell that a spreadsheet would run", async () => {
  await everywhere(RUNS, async (world, facts, token) => {
    for (const { query, path } of things(facts)) {
      const { status, body, headers } = await world.get(`/explorer/csv?${query}`, token);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
      expect(body.startsWith("\uFEFFRolebook list\r\n")).toBe(true);
      const lines = Papa.parse<string[]>(body.replace(/\r\n$/, ""), { newline: "\r\n" }).data;
      const [, , revision, imported, covers, head, ...rows] = lines;
      expect(revision).toEqual(["revision", headers["x-rolebook-revision"]]);
      expect(imported?.[0]).toBe("imported");
      expect(covers?.slice(0, 3)).toEqual(["covers", "everyone with access", query.replace("=", " ")]);
      expect(head).toEqual(["id", "name", "email", "role", "because"]);
      const safe = (text: string) => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text);
      expect(rows.map((row) => row.slice(0, 4))).toEqual(
        (await aggregateOf(world, path, token)).map(({ user, permission }) =>
          [user.id, user.displayName, user.email ?? "", permission].map(safe),
        ),
      );
    }
  });
});
