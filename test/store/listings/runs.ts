import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentKey } from "../../../src/domain/content.ts";
import { rank, ROLES } from "../../../src/domain/role.ts";
import { everyoneOn } from "../../../src/model/members.ts";
import { findContent, memberId } from "../../../src/model/model.ts";
import { modelOf } from "../../../src/store/models.ts";
import { oracle } from "../../oracle/oracle.ts";
import type { Role, SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

const ORGANIZATION = "runs";
const SPACE = "closed";
const DATE = "2025-03-01T09:30:00.000Z";
/**
 * With more than 64 sets, a page is decided from members' rows, not from containers. This number of teams is above
 * that.
 */
const SMALL_TEAMS = 80;
const TEAMS = { a: "read", b: "comment", c: "edit" } as const;

/** Members with consecutive ids who have the same permissions. */
interface Run {
  readonly length: number;
  readonly teams: readonly (keyof typeof TEAMS)[];
  readonly direct: Role | undefined;
}

const runs = fc.array(
  fc.record<Run>({
    length: fc.integer({ min: 1, max: 60 }),
    teams: fc.subarray(["a", "b", "c"] as const),
    direct: fc.option(fc.constantFrom<Role>("read", "review"), { nil: undefined }),
  }),
  { minLength: 2, maxLength: 6 },
);

/** Two long lists, one after the other. Continuing after the second one would lose the rest of the first. */
const BEHIND_EACH_OTHER: [Run[], number] = [
  [
    { length: 60, teams: ["a"], direct: undefined },
    { length: 60, teams: ["b"], direct: undefined },
  ],
  0,
];

/** There are very many sets. The first members of a page have no access, and the next one has. */
const GAP: [Run[], number] = [
  [
    { length: 1, teams: ["a"], direct: undefined },
    { length: 3, teams: [], direct: undefined },
    { length: 60, teams: ["b"], direct: undefined },
  ],
  SMALL_TEAMS,
];

/** A short list before a long one: stopping at the end of the short list would lose the long one. */
const SHORT_FIRST: [Run[], number] = [
  [
    { length: 5, teams: ["b"], direct: undefined },
    { length: 60, teams: ["a"], direct: undefined },
  ],
  0,
];

/**
 * Unevenly distributed lists: one list ends where the next begins, and all candidates in whole chunks have other roles.
 */
export function exerciseRuns(open: OpenPlace, times: number): void {
  test("lists of consecutive runs are complete, with pages of any size", async () => {
    await holds(
      fc.asyncProperty(runs, fc.constantFrom(0, SMALL_TEAMS), async (drawn, small) => {
        const records = recordsOf(drawn, small);
        const world = await World.open(open);
        try {
          await world.import(records);
          await compareWalks(world, records);
        } finally {
          await world.close();
        }
      }),
      {
        numRuns: times,
        examples: [GAP, BEHIND_EACH_OTHER, [BEHIND_EACH_OTHER[0], SMALL_TEAMS], SHORT_FIRST],
      },
    );
  });
}

async function compareWalks(world: World, records: readonly SnapshotRecord[]): Promise<void> {
  const asked = oracle(records, { publicUrl: PUBLIC_URL });
  for (const role of [undefined, ...ROLES]) {
    const filter = role === undefined ? {} : { role };
    const wanted = asked.list(ORGANIZATION, { endpoint: 3, space: SPACE, ...filter }).map(idOf);
    for (const limit of [2, 9, 40]) {
      expect(await idsOf(world, role, limit), `${role}, ${limit} a page`).toEqual(wanted);
    }
  }
}

async function idsOf(world: World, role: Role | undefined, limit: number): Promise<string[]> {
  const organization = await world.store.registry.organization(ORGANIZATION);
  if (organization === undefined) throw new Error("The organization is missing.");
  const model = await modelOf(world.store.reading(organization.current));
  const content = findContent(model, contentKey("space", SPACE));
  if (content === undefined) throw new Error("The space is missing.");
  const ids: string[] = [];
  for (let from = 0; ;) {
    const stretch = { from, most: limit };
    const hits = everyoneOn(model, content, role === undefined ? undefined : rank(role), stretch);
    ids.push(...hits.map(({ member }) => memberId(model, member)));
    if (hits.length < limit) return ids;
    from = (hits.at(-1)?.member ?? 0) + 1;
  }
}

function idOf(item: unknown): string {
  const { user }: { user?: { id: string } } = Object(item);
  return user?.id ?? "";
}

function recordsOf(drawn: readonly Run[], small: number): SnapshotRecord[] {
  const records: SnapshotRecord[] = [
    { object: "organization", id: ORGANIZATION, title: "" },
    {
      object: "space",
      id: SPACE,
      organization: ORGANIZATION,
      title: "",
      defaultLevel: null,
      createdAt: DATE,
      updatedAt: DATE,
    },
  ];
  const names = Array.from({ length: small }, (_, index) => [`small${index}`, "read"] as const);
  for (const [team, permission] of [...Object.entries(TEAMS), ...names]) {
    records.push({ object: "team", id: team, organization: ORGANIZATION, title: "", createdAt: DATE });
    records.push({ object: "permission", space: SPACE, team, permission });
  }
  let count = 0;
  for (const { length, teams, direct } of drawn) {
    for (let index = 0; index < length; index++) {
      const user = `u${String(count++).padStart(4, "0")}`;
      records.push({ object: "user", id: user, displayName: "" });
      records.push({ object: "member", organization: ORGANIZATION, user, role: "read" });
      for (const team of teams) records.push({ object: "teamMember", team, user, role: "member" });
      if (direct !== undefined)
        records.push({ object: "permission", space: SPACE, user, permission: direct });
    }
  }
  for (const [team] of names) {
    records.push({ object: "teamMember", team, user: "u0000", role: "member" });
  }
  return records;
}
