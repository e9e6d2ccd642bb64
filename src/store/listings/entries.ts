/** Entries of an access, with their records and reasons. */
import type { ContentKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { type Decision, type Step, teamsAt } from "../../domain/ladder.ts";
import type { Order, Page, PageRequest } from "../../domain/page.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { firstFrom } from "../../sets/head.ts";
import { positionAt } from "../../sets/position.ts";
import { isList } from "../../sets/slots.ts";
import { hasSlot } from "../../sets/words.ts";
import { membersAt } from "../directory/member-rows.ts";
import { type SpaceDetails, spacesAt } from "../directory/space-rows.ts";
import { universeIndex, type UniverseIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { decodeMemberRole } from "../schema/encoding.ts";
import { MEMBERS, memberSets } from "../schema/set-names.ts";
import type { Access } from "./access.ts";
import { type Hit, pageOfHits, positionOf } from "./walk.ts";

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
  step(): Step;
}

/** A space with the role that a member has on it. */
export interface MemberSpace extends SpaceDetails {
  readonly role: Role;
}

/** The members with a role, by id. With `role`, only those with exactly this role. */
export async function effectiveMembers(
  reading: Reading,
  access: Access,
  request: PageRequest<string>,
  role?: Role,
): Promise<Page<EffectiveEntry, string>> {
  const { entries: hits, ...next } = await pageOfHits(reading, access, { ...request, order: "asc", role });
  return { ...next, entries: await entriesOf(reading, access, hits) };
}

/** The members with a role, by id, each with the source of the role. */
export async function explainedMembers(
  reading: Reading,
  access: Access,
  request: PageRequest<string>,
  role?: Role,
): Promise<Page<ExplainedEntry, string>> {
  const { entries: hits, ...next } = await pageOfHits(reading, access, { ...request, order: "asc", role });
  const [entries, index] = await Promise.all([
    entriesOf(reading, access, hits),
    universeIndex(reading, MEMBERS),
  ]);
  // Most callers do not ask for the teams.
  let held: readonly string[][] | undefined;
  return {
    ...next,
    entries: entries.map((entry, nth): ExplainedEntry => {
      const hit = hits[nth];
      const decision = hit && access.decisionOf(hit.code);
      const subject = hit && access.subjects[hit.subject];
      if (hit === undefined || decision === undefined || subject === undefined) {
        throw new Error(`No source gives ${entry.id} the role ${entry.role}.`);
      }
      const step = (): Step => {
        const { rule, role, level } = decision;
        if (level === undefined) return { rule, outcome: "decides", role };
        held ??= teamsOf(index, access, hits);
        const teams = teamsAt(level, held[nth] ?? []).map(({ id }) => id);
        return { rule, outcome: "decides", role, level, teams };
      };
      return { ...entry, subject, decision, step };
    }),
  };
}

/**
 * For each entry, the member's teams that have a permission on the deciding level. Goes through the members of each
 * team, because a level may have thousands of teams and an entry few.
 */
function teamsOf(index: UniverseIndex, access: Access, hits: readonly Hit[]): readonly string[][] {
  const found = hits.map((): string[] => []);
  const byLevel = Map.groupBy(hits.entries(), ([, { code }]) => access.decisionOf(code)?.level);
  for (const [level, explained] of byLevel) {
    const entryAt = new Map(explained.map(([nth, hit]) => [positionOf(hit), nth]));
    const add = (position: number, team: string) => {
      const nth = entryAt.get(position);
      if (nth !== undefined) found[nth]?.push(team);
    };
    const last = Math.max(...entryAt.keys());
    const first = Math.min(...entryAt.keys());
    const byChunk = Map.groupBy(explained, ([, { chunk }]) => chunk);
    for (const team of level?.teams.keys() ?? []) {
      const set = memberSets.ofTeam(team);
      const head = index.head(set);
      if ("positions" in head) {
        const { positions } = head;
        for (let at = firstFrom(positions, first); (positions[at] ?? Infinity) <= last; at++) {
          add(positions[at] ?? 0, team);
        }
      } else {
        for (const [chunk, own] of byChunk) {
          const slots = chunk.slotsOf(set);
          if (slots === undefined) continue;
          if (isList(slots)) for (const slot of slots) add(positionAt(chunk.number, slot), team);
          else for (const [nth, { slot }] of own) if (hasSlot(slots, slot)) found[nth]?.push(team);
        }
      }
    }
  }
  return found;
}

/** The spaces with a role, by time of creation, then id. With `role`, only those with exactly this role. */
export async function memberSpaces(
  reading: Reading,
  access: Access,
  order: Order,
  request: PageRequest<string>,
  role?: Role,
): Promise<Page<MemberSpace, string>> {
  const { entries: hits, ...next } = await pageOfHits(reading, access, { ...request, order, role });
  const rows = await spacesAt(reading, hits.map(positionOf));
  const entries = hits.map((hit) => {
    const row = rows.get(positionOf(hit));
    if (row === undefined) throw new Error(`No space has position ${positionOf(hit)}, which a set holds.`);
    return { ...row, role: roleOf(access.ranks[hit.code] ?? 0) };
  });
  return { ...next, entries };
}

async function entriesOf(reading: Reading, access: Access, hits: readonly Hit[]): Promise<EffectiveEntry[]> {
  const rows = await membersAt(reading, hits.map(positionOf));
  return hits.map((hit) => {
    const position = positionOf(hit);
    const row = rows.get(position);
    if (row === undefined) throw new Error(`No member has position ${position}, which a set holds.`);
    const [, id, own, text, omitted] = row;
    return {
      id,
      position,
      role: roleOf(access.ranks[hit.code] ?? 0),
      memberRole: decodeMemberRole(own),
      document: { text, omitted },
    };
  });
}
