/**
 * The change file of a review removes exactly the permissions that the oracle allows, and announces every changed role.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type PreviewLine, removalParts } from "../../src/review/removals.ts";
import { effectText } from "../../src/domain/difference.ts";
import type { Role } from "../../src/domain/role.ts";
import { readWithout } from "../../src/domain/without.ts";
import { pairOf } from "../../src/review/decided-report.ts";
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { ROLES, type SnapshotRecord } from "../oracle/records.ts";
import { type Decided, isLeft, removable, rolesIn } from "../oracle/reviews/review.ts";
import { withoutPermissions } from "../oracle/reviews/tidy.ts";
import { inWorld } from "../store/why.ts";
import { ownPlace, type World } from "../world.ts";
import { currentReading, decidedRows } from "./decided-rows.ts";
import { holds } from "../setup/property.ts";
import { drawUntil } from "../setup/seed.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 15);
const WORDS = ["remove", "remove", "Remove ", "keep", "", ""] as const;

/** Decides at random and applies the removals. Returns the numbers of removals and of proposals of each kind. */
async function decideAndRemove(
  world: World,
  records: readonly SnapshotRecord[],
  organization: string,
  choices: readonly number[],
  least: Role | undefined,
): Promise<string[]> {
  const rows = (await decidedRows(world, organization)).map((row, index) => {
    const choice = choices[(index * 7) % choices.length] ?? 0;
    // Who is beneath what the report covers fell since.
    const role = isLeft(row.role, least) ? row.role : "admin";
    return { ...row, role, decision: WORDS[(choice + index) % WORDS.length] ?? "" };
  });
  const decided: Decided = new Map(
    rows.map(({ content, user, decision }) => {
      const word = decision.trim().toLowerCase();
      return [pairOf(content, user), word === "remove" ? "remove" : word === "keep" ? "keep" : ""] as const;
    }),
  );
  const reading = await currentReading(world, organization);
  const file: object[] = [];
  const lines: PreviewLine[] = [];
  for await (const part of removalParts(reading, { rows, weakest: least })) {
    file.push(...part.records);
    lines.push(...part.lines);
  }
  const text = file.map((each) => `${JSON.stringify(each)}\n`).join("");
  const expected = removable(records, organization, decided, least);
  expect(file.length - 2).toBe(expected.gone.size);
  const together = proposedTogether(lines);
  const told = lines.filter(({ what }) => what === "together").map(({ effect }) => effect);
  const isTold = together.grants.size + together.closed.size > 1;
  expect(told).toEqual(
    isTold ? [effectText(effectTogether(records, organization, expected.gone, together))] : [],
  );
  const [had, has] = [rolesIn(expected.before), rolesIn(expected.after)];
  const announced = lines.filter(({ what }) => !["left", "proposal", "together"].includes(what));
  expect(announced.map(({ content, user, after }) => [`${content} ${user}`, after]).sort()).toEqual(
    [...had].flatMap(([pair, role]) => (has.get(pair) === role ? [] : [[pair, has.get(pair) ?? ""]])).sort(),
  );
  expect(
    lines.flatMap(({ what, content, user }) => (what === "left" ? `${content} ${user}` : [])).sort(),
  ).toEqual(
    [...decided]
      .flatMap(([pair, word]) => (word === "remove" && isLeft(has.get(pair), least) ? [pair] : []))
      .sort(),
  );
  for (const [index, { what }] of lines.entries())
    if (what === "left") expect(lines[index + 1]?.what).toBe("proposal");

  const change = await readChange(world.file(text, "removals.ndjson"), true, () => {});
  await applyChange(world.store.engine, change, { allowRemovals: true });
  const then = await decidedRows(world, organization);
  expect(then.map(({ content, user, role }) => [pairOf(content, user), role]).sort()).toEqual(
    [...has].sort(),
  );
  return lines.map(({ what, note }) => (what === "proposal" ? note.replace(/ .*/, "") : what));
}

/** From the printed proposals: the team permissions to remove, in the oracle's form, and the contents to close. */
function proposedTogether(lines: readonly PreviewLine[]): Together {
  const [grants, closed] = [new Set<string>(), new Set<string>()];
  for (const { what, note, command } of lines) {
    if (what !== "proposal") continue;
    const [, content] = /^close (\S+) by the default level null/.exec(note) ?? [];
    if (content !== undefined) closed.add(content);
    const [, word = ""] = /^rolebook without (.+)$/s.exec(command) ?? [];
    const without = readWithout(word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word);
    if (without?.of === "grant") grants.add(`${without.content} team ${without.team}`);
    if (without?.of === "site" && typeof without.what === "object" && "team" in without.what)
      grants.add(`site/${without.site} team ${without.what.team}`);
  }
  return { grants, closed };
}

interface Together {
  readonly grants: ReadonlySet<string>;
  readonly closed: ReadonlySet<string>;
}

/** The oracle's number of people per direction, on any content, if all proposals are carried out after the removals. */
function effectTogether(
  records: readonly SnapshotRecord[],
  organization: string,
  gone: ReadonlySet<string>,
  { grants, closed }: Together,
) {
  const first = withoutPermissions(records, gone);
  const then = withoutPermissions(first, grants).map((record) =>
    (record.object === "space" || record.object === "collection") &&
    closed.has(`${record.object}/${record.id}`)
      ? { ...record, defaultLevel: null }
      : record,
  );
  const [had, has] = [first, then].map((each) => rolesIn(factsOf(each, organization)));
  const people = { lost: new Set(), lowered: new Set(), raised: new Set(), gained: new Set() };
  for (const pair of new Set([...(had?.keys() ?? []), ...(has?.keys() ?? [])])) {
    const [before, after] = [rankOf(had?.get(pair)), rankOf(has?.get(pair))];
    if (before === after) continue;
    const way = after < before ? (after < 0 ? "lost" : "lowered") : before < 0 ? "gained" : "raised";
    people[way].add(pair.slice(pair.indexOf(" ") + 1));
  }
  const { lost, lowered, raised, gained } = people;
  return { lost: lost.size, lowered: lowered.size, raised: raised.size, gained: gained.size };
}

function rankOf(role: string | undefined): number {
  return ROLES.findIndex((each) => each === role);
}

test("removes what affects nobody else, and previews its effect", async () => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(
    organizations({ maxPermissions: 50, minPermissions: 10, minContents: 3, minMembers: 3 }),
    fc.array(fc.nat(WORDS.length - 1), { minLength: 1, maxLength: 12 }),
    fc.constantFrom<Role | undefined>(undefined, undefined, ...ROLES),
    async (records, choices, least) => {
      await inWorld(ownPlace, async (world) => {
        await world.import(records);
        for (const organization of organizationIds(records)) {
          for (const each of await decideAndRemove(world, records, organization, choices, least))
            seen.add(each);
        }
      });
    },
  );
  const wanted = ["lost", "lowered", "left", "take", "close", "give", "together"];
  await drawUntil(
    () => RUNS <= 10 || wanted.every((each) => seen.has(each)),
    (seed) => holds(property, { numRuns: RUNS, seed }),
  );
});
