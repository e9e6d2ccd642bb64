import type { Subject } from "../domain/access.ts";
import type { ContentKey } from "../domain/content.ts";
import type { Document } from "../domain/document.ts";
import { compareIds } from "../domain/order.ts";
import { type Role, roleOf } from "../domain/role.ts";
import { decodeContent, decodeHeld, decodeMemberRole, decodeTeams, MANY, posting } from "./codes.ts";
import { statement } from "./engine.ts";
import { headsOf, MEMBER_LISTS } from "./heads.ts";
import type { Reading } from "./reading.ts";
import type { Sought } from "./sought.ts";

/** A member who may be in a listing, with all that the ladder asks of them. */
export interface Candidate extends Subject {
  readonly id: string;
  readonly document: Document;
}

/** A member looked at alone: with all of their teams and all that they were given directly. */
export interface Member extends Candidate {
  /** Whether they were given so much that `direct` tells nothing: see `subjectOn`. */
  readonly many: boolean;
}

/** What a listing has to know of its candidates: who holds something on these contents, who is in these teams. */
export interface Facts {
  readonly direct: Sought<ContentKey>;
  readonly teams: Sought<string> | "all";
}

type MemberRow = [id: string, role: number, teams: string, held: string, text: string, omitted: number];

const MEMBER_COLUMNS = "m.id, m.role, m.teams, m.held, m.doc, m.omitted";

/** The next members of the organization: one stretch of the table. */
const NEXT = statement<MemberRow>(
  () => `SELECT ${MEMBER_COLUMNS} FROM member m WHERE m.snapshot = $1 AND m.id > $2 ORDER BY m.id LIMIT $3`,
);

/** Some members: point reads. */
const NAMED = statement<MemberRow>(
  ({ texts }) => `
    SELECT ${MEMBER_COLUMNS}
      FROM ${texts("$2", "named")} CROSS JOIN member m WHERE m.snapshot = $1 AND m.id = named.value`,
);

/**
 * The first `$5` of those who are among the first `$4` behind `$3` of some lists: what a merge of their heads finds.
 */
const HEADED = statement<MemberRow>(
  (dialect) => `
    SELECT ${MEMBER_COLUMNS}
      FROM (SELECT DISTINCT head.value AS id FROM ${headsOf(dialect, MEMBER_LISTS)} ORDER BY id LIMIT $5) page
        CROSS JOIN member m WHERE m.snapshot = $1 AND m.id = page.id`,
);

/** The direct permissions of some members on some contents: point reads. */
const DIRECT = statement<[member: string, role: number, source: string]>(
  ({ texts }) => `
    SELECT p.member, p.role, p.source
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
  return assemble(reading, await reading.read(NEXT, reading.snapshot, after, size), facts);
}

/** The members with these ids, in the order of their ids; an id of no member is left out. */
export async function namedMembers(
  reading: Reading,
  ids: readonly string[],
  facts: Facts,
): Promise<Candidate[]> {
  if (ids.length === 0) return [];
  return assemble(reading, await reading.read(NAMED, reading.snapshot, ids), facts);
}

/** One member, looked at alone; `undefined` for who is none. */
export async function loneMember(reading: Reading, id: string): Promise<Member | undefined> {
  const [row] = await reading.read(NAMED, reading.snapshot, [id]);
  if (row === undefined) return undefined;
  const [, role, teams, held, text, omitted] = row;
  return {
    id,
    role: decodeMemberRole(role),
    teams: decodeTeams(teams, "all"),
    direct: (held === MANY ? undefined : decodeHeld(held)) ?? NO_PERMISSIONS,
    many: held === MANY,
    document: { text, omitted },
  };
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
  return assemble(reading, await reading.read(HEADED, reading.snapshot, lists, after, share, size), facts);
}

const NO_PERMISSIONS: ReadonlyMap<ContentKey, Role> = new Map();

async function assemble(
  reading: Reading,
  rows: readonly MemberRow[],
  { direct, teams: sought }: Facts,
): Promise<Candidate[]> {
  const many = direct.size === 0 ? [] : rows.filter(([, , , held]) => held === MANY).map(([id]) => id);
  const asked = many.length === 0 ? undefined : await directOf(reading, many, direct);
  const candidates = rows.map(([id, role, teams, held, text, omitted]) => ({
    id,
    role: decodeMemberRole(role),
    teams: decodeTeams(teams, sought),
    direct:
      held === "" || direct.size === 0
        ? NO_PERMISSIONS
        : ((held === MANY ? asked?.get(id) : decodeHeld(held, direct)) ?? NO_PERMISSIONS),
    document: { text, omitted },
  }));
  return candidates.sort((a, b) => compareIds(a.id, b.id));
}

/** What members who hold many direct permissions hold on some contents. */
async function directOf(
  reading: Reading,
  members: readonly string[],
  contents: Iterable<ContentKey>,
): Promise<Map<string, Map<ContentKey, Role>>> {
  const sources = [...contents].map((content) => posting.direct(content));
  const found = new Map<string, Map<ContentKey, Role>>();
  for (const [member, role, source] of await reading.read(DIRECT, reading.snapshot, members, sources)) {
    const permissions = found.get(member) ?? new Map<ContentKey, Role>();
    permissions.set(decodeContent(source.slice("direct/".length)), roleOf(role));
    found.set(member, permissions);
  }
  return found;
}
