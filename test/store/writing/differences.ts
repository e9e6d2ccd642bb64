import * as fc from "fast-check";
import { expect, test } from "vitest";
import { beforeAndAfter, type DifferingRecord } from "../../../src/snapshot/export.ts";
import { exportedLines } from "../../exported.ts";
import { RefusedImport } from "../../../src/snapshot/import.ts";
import type { RecordDifference } from "../../../src/store/writing/organization-change.ts";
import { organizationIds } from "../../oracle/facts.ts";
import { refusals } from "../../oracle/files/guard.ts";
import { histories } from "../../oracle/random/organizations.ts";
import { prune } from "../../oracle/random/evolve.ts";
import type { DefaultLevel, SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

/** Ways in which a producer loses records or fields. */
const LOSSES: readonly ((record: SnapshotRecord) => SnapshotRecord | undefined)[] = [
  (record) => record,
  (record) => (record.object === "permission" ? undefined : record),
  (record) => (record.object === "teamMember" ? undefined : record),
  (record) => (record.object === "member" ? { ...record, role: "admin" } : record),
  (record) => (record.object === "member" && record.role === null ? { ...record, role: "read" } : record),
  (record) => ("defaultLevel" in record ? { ...record, defaultLevel: "inherit" } : record),
  (record) => {
    if (record.object !== "collection" && record.object !== "space") return record;
    const { parent: _, ...top } = record;
    return top;
  },
  (record) => (record.object === "collection" && record.defaultLevel === null ? undefined : record),
];

const SIZES = { maxOrganizations: 2, minMembers: 1, maxMembers: 12, minContents: 2, maxContents: 12 };

const DATE = "2026-01-01T00:00:00.000Z";

/** The preview of an import: every changed record, and the refusals of the guard. */
export function exerciseDifferences(open: OpenPlace, times: number): void {
  test("stored minus removed plus added records are the new ones; refusals follow the guard's rules", async () => {
    let refused = 0;
    let tried = 0;
    await holds(
      fc.asyncProperty(histories(SIZES), async ([first = [], next = []]) => {
        // The losses are taken in turn, so that some imports are always refused.
        const lose = LOSSES[tried++ % LOSSES.length] ?? ((record: SnapshotRecord) => record);
        const second = prune(next.flatMap((record) => lose(record) ?? []));
        const world = await World.open(open);
        try {
          await world.import(first);
          const before = await exported(world, first);
          const told: RecordDifference[] = [];
          const details = (page: readonly RecordDifference[]) => void told.push(...page);

          const expected = refusals(first, second);
          refused += expected.size;
          const said = await refusalOf(world, second);
          expect([...said.keys()]).toEqual([...expected.keys()].sort());
          for (const [id, counts] of expected) expect([id, said.get(id)]).toEqual([id, counts]);

          const { organizations } = await world.import(second, { allowRemovals: true, details });
          const after = await exported(world, second);
          for (const { organization, kinds } of organizations) {
            const own = told.filter((each) => each.organization === organization);
            expect(applied(before.get(organization) ?? [], own)).toEqual(after.get(organization));
            for (const [kind, { added, changed, removed }] of Object.entries(kinds)) {
              const ofKind = own.filter((each) => each.kind === kind);
              expect([kind, ofKind.length]).toEqual([kind, added + changed + removed]);
              expect([kind, ofKind.filter(({ was }) => was === undefined).length]).toEqual([kind, added]);
              expect([kind, ofKind.filter(({ becomes }) => becomes === undefined).length]).toEqual([
                kind,
                removed,
              ]);
            }
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: times },
    );
    if (times >= LOSSES.length) expect(refused).toBeGreaterThan(0);
  });

  test("opened contents are counted, however they open", async () => {
    const world = await World.open(open);
    try {
      await holds(
        fc.asyncProperty(
          tree,
          tree,
          changes,
          sites,
          sites,
          async (before, drawn, change, onBefore, onAfter) => {
            const moved = before.map(([, level], index): Drawn => [drawn[index]?.[0] ?? -1, level]);
            const opened = before.map((each, index): Drawn => (index === change ? [each[0], "read"] : each));
            const after = change === "anything" ? drawn : change === "parents" ? moved : opened;
            const first = [...organizationOf(before), ...sitesOf(onBefore)];
            const second = [...organizationOf(after), ...sitesOf(onAfter)];
            await world.import(first);
            expect(await refusalOf(world, second)).toEqual(refusals(first, second));
          },
        ),
        { numRuns: 2 * times, examples: [LEVELS_BELOW, OPEN_BELOW, SITES_OPEN, SITE_LINKED] },
      );
    } finally {
      await world.close();
    }
  });
}

/** A content: the index of its parent among the contents before it, if any, and its default level. */
type Drawn = readonly [parent: number, level: DefaultLevel];

const CONTENTS = 9;
/** What changes: anything, parents alone, or one content, which gets the default level `read`. */
const changes = fc.oneof(fc.constantFrom("anything" as const, "parents" as const), fc.nat({ max: 3 }));
const tree: fc.Arbitrary<readonly Drawn[]> = fc.array(
  fc.tuple(
    fc.integer({ min: -1, max: CONTENTS }),
    fc.constantFrom<DefaultLevel>(null, "inherit", "inherit", "read"),
  ),
  { minLength: CONTENTS, maxLength: CONTENTS },
);

/** A site: its default level, and the places of its spaces among the contents. */
type DrawnSite = readonly [level: DefaultLevel, spaces: readonly number[]];

const SPACES = Array.from({ length: CONTENTS }, (_, index) => index).filter(isSpace);
const sites: fc.Arbitrary<readonly DrawnSite[]> = fc.array(
  fc.tuple(fc.constantFrom<DefaultLevel>(null, "inherit", "read"), fc.subarray(SPACES)),
  { maxLength: 3 },
);

type Example = [
  readonly Drawn[],
  readonly Drawn[],
  "anything" | "parents" | number,
  readonly DrawnSite[],
  readonly DrawnSite[],
];

function sitesOf(drawn: readonly DrawnSite[]): SnapshotRecord[] {
  return drawn.flatMap(([defaultLevel, spaces], at): SnapshotRecord[] => [
    { object: "site", id: `site${at}`, organization: "o", title: `Site ${at}`, defaultLevel },
    ...spaces.map((index): SnapshotRecord => ({
      object: "siteSpace",
      site: `site${at}`,
      space: `s${index}`,
    })),
  ]);
}

function isSpace(index: number): boolean {
  return index % 3 === 2;
}

/** An organization of one member and the drawn contents, of which every third is a space. */
function organizationOf(drawn: readonly Drawn[]): SnapshotRecord[] {
  return [
    { object: "organization", id: "o", title: "O" },
    { object: "user", id: "ana", displayName: "Ana" },
    { object: "member", organization: "o", user: "ana", role: "read" },
    ...drawn.map(([parent, defaultLevel], index): SnapshotRecord => {
      const lies = parent >= 0 && parent < index && !isSpace(parent) ? { parent: `c${parent}` } : {};
      const fields = { organization: "o", title: `C${index}`, defaultLevel, ...lies };
      return isSpace(index)
        ? { object: "space", id: `s${index}`, createdAt: DATE, updatedAt: DATE, ...fields }
        : { object: "collection", id: `c${index}`, ...fields };
    }),
  ];
}

/** Two contents below a collection that stays closed get default levels of their own. */
const LEVELS_BELOW: Example = [organizationBelow("inherit"), organizationBelow("read"), "anything", [], []];

/** A collection opens, of which one content does not inherit. */
const OPEN_BELOW: Example = [
  [
    [-1, null],
    [0, "inherit"],
    [0, "inherit"],
    [0, "read"],
  ],
  [],
  0,
  [],
  [],
];

/** All spaces open, because one of their two sites does. */
const SITES_OPEN: Example = [
  Array.from({ length: CONTENTS }, (): Drawn => [-1, "inherit"]),
  [],
  "parents",
  [
    [null, SPACES],
    [null, SPACES],
  ],
  [
    [null, SPACES],
    ["read", SPACES],
  ],
];

/** All spaces open, because they come to a site. */
const SITE_LINKED: Example = [
  [[-1, null], ...Array.from({ length: CONTENTS - 1 }, (): Drawn => [0, "inherit"])],
  Array.from({ length: CONTENTS }, (): Drawn => [0, "inherit"]),
  "parents",
  [["comment", []]],
  [["comment", SPACES]],
];

function organizationBelow(level: DefaultLevel): Drawn[] {
  return [
    [-1, null],
    [0, level],
    [0, level],
    ...Array.from({ length: CONTENTS - 3 }, (): Drawn => [-1, "read"]),
  ];
}

/** Imports records that the guard may refuse. Returns the counts in the message, for each refused organization. */
async function refusalOf(world: World, records: readonly SnapshotRecord[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  try {
    await world.import(records, { dryRun: true });
  } catch (error) {
    if (!(error instanceof RefusedImport)) throw error;
    let counts: string[] = [];
    for (const line of error.message.split("\n")) {
      const id = /^Refused, and nothing was changed: organization (\S+) /.exec(line)?.[1];
      if (id !== undefined) found.set(id, (counts = []));
      const count = /^ {2}(\d.*):$/.exec(line)?.[1];
      if (count !== undefined) counts.push(count);
    }
  }
  return found;
}

/** The sorted lines of each organization's export. */
async function exported(world: World, records: readonly SnapshotRecord[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const id of organizationIds(records)) {
    const lines = await exportedLines(world.store, id);
    found.set(id, lines.map((line) => canonical(JSON.parse(line))).sort());
  }
  return found;
}

/** Applies differences to lines. Throws if a removed line does not exist. */
function applied(lines: readonly string[], differences: readonly RecordDifference[]): string[] {
  const left = new Set(lines);
  const come: string[] = [];
  for (const difference of differences) {
    const { before, after } = beforeAndAfter(difference);
    if (before !== undefined && !left.delete(canonical(before)))
      throw new Error(`${canonical(before)} was not there`);
    if (after !== undefined) come.push(canonical(after));
  }
  return [...left, ...come].sort();
}

function canonical(record: DifferingRecord): string {
  return JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
