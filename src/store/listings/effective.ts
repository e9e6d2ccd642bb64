import type { Decision, Step } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { rank, type Role, roleOf } from "../../domain/role.ts";
import { decodeMemberRole } from "../schema/encoding.ts";
import { membersAt } from "../directory/rows/member-rows.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS } from "../schema/set-names.ts";
import { startAfter } from "../sets/start.ts";
import { amongRanks, find, type Hit } from "./access-query/find.ts";
import type { AccessQuery } from "./access-query/query.ts";

export interface EffectiveEntry {
  readonly id: string;
  readonly position: number;
  readonly role: Role;
  /** The organization role; `null` for a guest. */
  readonly memberRole: Role | null;
  readonly document: Document;
}

/** A member with an effective role, and the source of the role. */
export interface ExplainedEntry extends EffectiveEntry {
  /** The requested content. In the list of a site, the space that gives the role. */
  readonly subject: ContentKey;
  readonly decision: Decision;
  /** The deciding step, as an explanation lists it. */
  readonly step: Step;
}

/**
 * The members with an effective role in a query, by id (endpoints 3, 6 and 8). With `role`, only those with exactly
 * this role.
 */
export async function effectiveMembers(
  reading: Reading,
  query: AccessQuery,
  { after, limit }: PageRequest<string>,
  role?: Role,
): Promise<Page<EffectiveEntry, string>> {
  const hits = await find(reading, query, after, wantedOf(limit, role));
  return pageOf(await entriesOf(reading, hits, (_, entry) => entry), limit, ({ id }) => id);
}

/** A page of the members at the positions in `ranks`, by id. `ranks` has the rank of each position. */
export async function membersWithRanks(
  reading: Reading,
  ranks: ReadonlyMap<number, number>,
  { after, limit }: PageRequest<string>,
): Promise<Page<EffectiveEntry, string>> {
  const start = await startAfter(reading, MEMBERS, after, "asc");
  const hits: Hit[] =
    start === undefined ? [] : await amongRanks(reading, MEMBERS, ranks, start, wantedOf(limit));
  return pageOf(await entriesOf(reading, hits, (_, entry) => entry), limit, ({ id }) => id);
}

/** The members with an effective role in a query, by id, each with the source of the role. */
export async function explainedMembers(
  reading: Reading,
  query: AccessQuery,
  { after, limit }: PageRequest<string>,
  role?: Role,
): Promise<Page<ExplainedEntry, string>> {
  const hits = await find(reading, query, after, { ...wantedOf(limit, role), isExplained: true });
  const entries = await entriesOf(reading, hits, explained);
  return pageOf(entries, limit, ({ id }) => id);
}

function wantedOf(limit: number, role?: Role) {
  return {
    count: limit + 1,
    order: "asc",
    rank: role === undefined ? undefined : rank(role),
  } as const;
}

async function entriesOf<Entry>(
  reading: Reading,
  hits: readonly Hit[],
  entryOf: (hit: Hit, entry: EffectiveEntry) => Entry,
): Promise<Entry[]> {
  const unread = hits.flatMap(({ row, position }) => (row === undefined ? [position] : []));
  const rows = await membersAt(reading, unread);
  return hits.map((hit) => {
    const row = hit.row ?? rows.get(hit.position);
    if (row === undefined) throw new Error(`No member has position ${hit.position}, which a set holds.`);
    const [, id, own, text, omitted] = row;
    const memberRole = decodeMemberRole(own);
    return entryOf(hit, {
      id,
      position: hit.position,
      role: roleOf(hit.rank),
      memberRole,
      document: { text, omitted },
    });
  });
}

function explained({ decided }: Hit, entry: EffectiveEntry): ExplainedEntry {
  const found = decided();
  if (found === undefined) throw new Error(`No source gives ${entry.id} the role ${entry.role}.`);
  const { ladder, decision, teams } = found;
  const { role, rule, level } = decision;
  const step: Step = { rule, outcome: "decides", role, ...(level === undefined ? {} : { level, teams }) };
  return { ...entry, subject: ladder[0]?.content ?? "space/", decision, step };
}
