import type { Subject } from "../domain/access.ts";
import type { ContentKey } from "../domain/content.ts";
import type { Document } from "../domain/document.ts";
import { compareIds } from "../domain/order.ts";
import { type Role, roleOf } from "../domain/role.ts";
import { decodeContent, decodeMemberRole, posting } from "./codes.ts";
import { type Dialect, statement } from "./engine.ts";
import type { Reading } from "./reading.ts";

/** A member who may be in a listing, with all that the ladder asks of them. */
export interface Candidate extends Subject {
  readonly id: string;
  readonly document: Document;
}

/** What a listing has to know of its candidates: these contents' direct permissions, and teams if any count. */
export interface Facts {
  readonly direct: readonly ContentKey[];
  readonly teams: boolean;
}

type CandidateRow = [
  id: string,
  role: number,
  teams: string | null,
  text: string | null,
  omitted: number | null,
  source: string | null,
];

/** The next members of the organization, and their direct permissions on some contents: two range reads. */
const NEXT = statement<CandidateRow>(
  ({ texts }) => `
    WITH block AS MATERIALIZED (
      SELECT id, role, teams, doc, omitted FROM member WHERE snapshot = $1 AND id > $2 ORDER BY id LIMIT $3
    )
    SELECT id, role, teams, doc, omitted, NULL FROM block
    UNION ALL
    SELECT p.member, p.role, NULL, NULL, NULL, p.source
      FROM ${texts("$4", "wanted")} CROSS JOIN posting p
      WHERE p.snapshot = $1 AND p.source = wanted.value
        AND p.member > $2 AND p.member <= (SELECT max(id) FROM block)`,
);

/** Some members, and their direct permissions on some contents: point reads. */
const NAMED = statement<CandidateRow>(
  ({ texts }: Dialect) => `
    SELECT m.id, m.role, m.teams, m.doc, m.omitted, NULL
      FROM ${texts("$2", "named")} CROSS JOIN member m WHERE m.snapshot = $1 AND m.id = named.value
    UNION ALL
    SELECT p.member, p.role, NULL, NULL, NULL, p.source
      FROM ${texts("$3", "wanted")} CROSS JOIN ${texts("$2", "named")} CROSS JOIN posting p
      WHERE p.snapshot = $1 AND p.source = wanted.value AND p.member = named.value`,
);

/** The first `size` members behind `after`, in the order of their ids. */
export async function nextMembers(
  reading: Reading,
  after: string,
  size: number,
  facts: Facts,
): Promise<Candidate[]> {
  return assemble(await reading.read(NEXT, reading.snapshot, after, size, sources(facts)), facts);
}

/** The members with these ids, in the order of their ids; an id of no member is left out. */
export async function namedMembers(
  reading: Reading,
  ids: readonly string[],
  facts: Facts,
): Promise<Candidate[]> {
  if (ids.length === 0) return [];
  return assemble(await reading.read(NAMED, reading.snapshot, ids, sources(facts)), facts);
}

function sources({ direct }: Facts): string[] {
  return direct.map((content) => posting.direct(content));
}

const NO_TEAMS: readonly string[] = [];
const NO_PERMISSIONS: ReadonlyMap<ContentKey, Role> = new Map();

function assemble(rows: readonly CandidateRow[], facts: Facts): Candidate[] {
  const direct = new Map<string, Map<ContentKey, Role>>();
  for (const [id, role, , , , source] of rows) {
    if (source === null) continue;
    const held = direct.get(id) ?? new Map<ContentKey, Role>();
    held.set(decodeContent(source.slice("direct/".length)), roleOf(role));
    direct.set(id, held);
  }
  const candidates: Candidate[] = [];
  for (const [id, role, teams, text, omitted, source] of rows) {
    if (source !== null) continue;
    candidates.push({
      id,
      role: decodeMemberRole(role),
      teams: facts.teams && teams !== null && teams !== "" ? teams.split(" ") : NO_TEAMS,
      direct: direct.get(id) ?? NO_PERMISSIONS,
      document: { text: text ?? "", omitted: omitted ?? 0 },
    });
  }
  return candidates.sort((a, b) => compareIds(a.id, b.id));
}
