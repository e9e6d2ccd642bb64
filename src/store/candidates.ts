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

type MemberRow = [id: string, role: number, teams: string, text: string, omitted: number];
type DirectRow = [member: string, role: number, source: string];

/** The next members of the organization: one stretch of the table. */
const NEXT = statement<MemberRow>(
  () => `
    SELECT id, role, teams, doc, omitted FROM member WHERE snapshot = $1 AND id > $2 ORDER BY id LIMIT $3`,
);

/** Their direct permissions on some contents: a stretch of each list, up to the last of these members. */
const DIRECT_OF_NEXT = statement<DirectRow>(
  ({ texts }) => `
    SELECT p.member, p.role, p.source FROM ${texts("$4", "wanted")} CROSS JOIN posting p
      WHERE p.snapshot = $1 AND p.source = wanted.value AND p.member > $2 AND p.member <= coalesce(
        (SELECT id FROM member WHERE snapshot = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3 - 1), $5)`,
);

/** Some members: point reads. */
const NAMED = statement<MemberRow>(
  ({ texts }) => `
    SELECT m.id, m.role, m.teams, m.doc, m.omitted
      FROM ${texts("$2", "named")} CROSS JOIN member m WHERE m.snapshot = $1 AND m.id = named.value`,
);

/** Their direct permissions on some contents: point reads. */
const DIRECT_OF_NAMED = statement<DirectRow>(
  ({ texts }) => `
    SELECT p.member, p.role, p.source
      FROM ${texts("$3", "wanted")} CROSS JOIN ${texts("$2", "named")} CROSS JOIN posting p
      WHERE p.snapshot = $1 AND p.source = wanted.value AND p.member = named.value`,
);

/**
 * The first `$5` of those who are among the first `$4` behind `$3` of some lists: what {@link mergeHeads} finds, as a
 * FROM item with a column `id`.
 */
const headed = ({ texts, each }: Dialect) => `(
  SELECT DISTINCT head.value AS id FROM ${texts("$2", "list")} ${each(
    `SELECT member FROM posting
      WHERE snapshot = $1 AND source = list.value AND member > $3 ORDER BY member LIMIT $4`,
    "member",
    "head",
  )} ORDER BY id LIMIT $5)`;

const HEADED = statement<MemberRow>(
  (dialect) => `
    SELECT m.id, m.role, m.teams, m.doc, m.omitted
      FROM ${headed(dialect)} page CROSS JOIN member m WHERE m.snapshot = $1 AND m.id = page.id`,
);

const DIRECT_OF_HEADED = statement<DirectRow>(
  (dialect) => `
    SELECT p.member, p.role, p.source
      FROM ${headed(dialect)} page CROSS JOIN ${dialect.texts("$6", "wanted")} CROSS JOIN posting p
      WHERE p.snapshot = $1 AND p.source = wanted.value AND p.member = page.id`,
);

/** Sorts behind every user id: those have at most 255 characters. */
const BEHIND_ALL = "\u{10FFFF}".repeat(256);

/** The first `size` members behind `after`, in the order of their ids. */
export async function nextMembers(
  reading: Reading,
  after: string,
  size: number,
  facts: Facts,
): Promise<Candidate[]> {
  // Asked together: where the database is another machine, that is one wait instead of two.
  const [members, direct] = await Promise.all([
    reading.read(NEXT, reading.snapshot, after, size),
    facts.direct.length === 0
      ? []
      : reading.read(DIRECT_OF_NEXT, reading.snapshot, after, size, sources(facts), BEHIND_ALL),
  ]);
  return assemble(members, direct, facts);
}

/** The members with these ids, in the order of their ids; an id of no member is left out. */
export async function namedMembers(
  reading: Reading,
  ids: readonly string[],
  facts: Facts,
): Promise<Candidate[]> {
  if (ids.length === 0) return [];
  const [members, direct] = await Promise.all([
    reading.read(NAMED, reading.snapshot, ids),
    facts.direct.length === 0 ? [] : reading.read(DIRECT_OF_NAMED, reading.snapshot, ids, sources(facts)),
  ]);
  return assemble(members, direct, facts);
}

/** The first `size` members behind `after` of those who are among the first `share` of some lists. */
export async function headedMembers(
  reading: Reading,
  lists: readonly string[],
  after: string,
  share: number,
  size: number,
  facts: Facts,
): Promise<Candidate[]> {
  const page = [reading.snapshot, lists, after, share, size] as const;
  const [members, direct] = await Promise.all([
    reading.read(HEADED, ...page),
    facts.direct.length === 0 ? [] : reading.read(DIRECT_OF_HEADED, ...page, sources(facts)),
  ]);
  return assemble(members, direct, facts);
}

function sources({ direct }: Facts): string[] {
  return direct.map((content) => posting.direct(content));
}

const NO_TEAMS: readonly string[] = [];
const NO_PERMISSIONS: ReadonlyMap<ContentKey, Role> = new Map();

function assemble(members: readonly MemberRow[], held: readonly DirectRow[], facts: Facts): Candidate[] {
  const direct = new Map<string, Map<ContentKey, Role>>();
  for (const [id, role, source] of held) {
    const permissions = direct.get(id) ?? new Map<ContentKey, Role>();
    permissions.set(decodeContent(source.slice("direct/".length)), roleOf(role));
    direct.set(id, permissions);
  }
  const candidates = members.map(([id, role, teams, text, omitted]) => ({
    id,
    role: decodeMemberRole(role),
    teams: facts.teams && teams !== "" ? teams.split(" ") : NO_TEAMS,
    direct: direct.get(id) ?? NO_PERMISSIONS,
    document: { text, omitted },
  }));
  return candidates.sort((a, b) => compareIds(a.id, b.id));
}
