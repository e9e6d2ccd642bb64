import { contentKey, type ContentKey } from "../domain/content.ts";
import { type Role, roleOf } from "../domain/role.ts";
import type { Candidate } from "./candidates.ts";
import { posting } from "./codes.ts";
import { statement } from "./engine.ts";
import { spaceAt } from "./position.ts";
import type { Reading } from "./reading.ts";

/** What a member was given, as far as every page of their spaces asks for it. */
export interface Holdings {
  /** The member's direct permissions; `undefined` where they are many: the contents of a page are asked for then. */
  readonly direct: ReadonlyMap<ContentKey, Role> | undefined;
  /** The collections that the member or a team of theirs was given; `undefined` where nobody asked. */
  readonly collections: readonly string[] | undefined;
}

/** Members who hold more are asked about the contents of the page instead. */
const FEW = 100;

const HELD = statement<[kind: "space" | "collection", entry: string, role: number]>(
  () => `
    SELECT 'collection', c.collection, p.role FROM (
        SELECT collection FROM collection_posting WHERE snapshot = $1 AND source = $2 ORDER BY collection LIMIT ${FEW}) c
      CROSS JOIN posting p
      WHERE p.snapshot = $1 AND p.source = 'direct/collection/' || c.collection AND p.member = $3
    UNION ALL
    SELECT 'space', s.position, p.role FROM (
        SELECT position FROM space_posting WHERE snapshot = $1 AND source = $2 ORDER BY position LIMIT ${FEW}) s
      CROSS JOIN posting p
      WHERE p.snapshot = $1 AND p.source = 'direct/space/' || substr(s.position, 17) AND p.member = $3`,
);

const COLLECTIONS = statement<[collection: string]>(
  ({ texts }) => `
    SELECT DISTINCT c.collection FROM ${texts("$2", "holder")} CROSS JOIN collection_posting c
      WHERE c.snapshot = $1 AND c.source = holder.value`,
);

const COLLECTIONS_OF = statement<[collection: string]>(
  () => `
    SELECT c.collection FROM collection_posting c WHERE c.snapshot = $1 AND c.source = $2
    UNION
    SELECT c.collection FROM member_team mt CROSS JOIN collection_posting c
      WHERE mt.snapshot = $1 AND mt.member = $3 AND c.snapshot = $1 AND c.source = 'team/' || mt.team`,
);

/** The collections that a member or a team of theirs was given, also where their teams are not known yet. */
export async function collectionsGivenTo(reading: Reading, member: string): Promise<readonly string[]> {
  const known = reading.cache.holdings(reading.at, member)?.collections;
  if (known !== undefined) return known;
  const rows = await reading.read(COLLECTIONS_OF, reading.snapshot, posting.user(member), member);
  const collections = rows.map(([collection]) => collection);
  reading.cache.keepHoldings(reading.at, member, { direct: undefined, collections });
  return collections;
}

/** What a member was given; with `collections` where these are needed too. It is read once per snapshot. */
export async function holdingsOf(
  reading: Reading,
  { id, teams }: Candidate,
  collections: boolean,
): Promise<Holdings> {
  const known = reading.cache.holdings(reading.at, id);
  if (known !== undefined && (!collections || known.collections !== undefined)) return known;
  const holders = [posting.user(id), ...teams.map((team) => posting.team(team))];
  // Asked together: where the database is another machine, that is one wait instead of two.
  const [held, given] = await Promise.all([
    reading.read(HELD, reading.snapshot, posting.user(id), id),
    collections ? reading.read(COLLECTIONS, reading.snapshot, holders) : undefined,
  ]);
  const holdings = { direct: directOf(held), collections: given?.map(([collection]) => collection) };
  reading.cache.keepHoldings(reading.at, id, holdings);
  return holdings;
}

function directOf(
  rows: readonly [kind: "space" | "collection", entry: string, role: number][],
): Holdings["direct"] {
  if (rows.length >= FEW) return undefined;
  return new Map(
    rows.map(([kind, entry, role]) => [
      contentKey(kind, kind === "space" ? spaceAt(entry) : entry),
      roleOf(role),
    ]),
  );
}
