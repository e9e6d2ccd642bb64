/** Finds teams, members and permissions that nobody uses. */
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { holds, memberDoc } from "../../store/schema/as-of.ts";
import { decodeMemberRole, decodeTeams, MANY } from "../../store/schema/encoding.ts";
import { statement } from "../../store/engine/engine.ts";
import { contents } from "../../store/directory/inheritance.ts";
import { effectiveMembers } from "../../store/listings/entries.ts";
import { accessGivenOn } from "../../store/listings/subject.ts";
import { personOf } from "../../store/directory/person.ts";
import type { Reading } from "../../store/reading.ts";
import { titlesFor } from "../../store/directory/titles.ts";
import type { Finding } from "./finding.ts";

const EMPTY_TEAMS = statement<[id: string, title: string]>(
  () => `SELECT t.id, t.title FROM team t WHERE ${holds("t")} AND t.members = 0 ORDER BY t.id`,
);

export async function emptyTeams(reading: Reading): Promise<Finding[]> {
  const rows = await reading.read(EMPTY_TEAMS, ...reading.asOf);
  return rows.map(([id, title]) => ({ kind: "empty-team", team: { id, title }, reason: "nobody is in it" }));
}

type MemberRow = [position: number, id: string, role: number, teams: string, text: string, omitted: number];

const GIVEN_NOTHING = statement<MemberRow>(
  () => `
    SELECT m.position, m.id, m.role, m.teams, ${memberDoc("m")}, m.omitted FROM member m
      WHERE ${holds("m")} AND m.grants = '' AND (m.role = 0 OR $3 = 0)`,
);
const GIVEN_TEAMS = statement<[team: string]>(
  () => `SELECT DISTINCT g.team FROM team_grant g WHERE ${holds("g")}`,
);
const TEAMS_OF = statement<[team: string]>(
  () => `SELECT tm.team FROM team_member tm WHERE ${holds("tm")} AND tm.position = $3`,
);

/**
 * Members without a role on any content: they and their teams have no permission, and they are guests, or every content
 * is closed. `contents` says whether there are contents, and whether one is not closed.
 */
export async function membersWithoutAccess(
  reading: Reading,
  contents: { readonly any: boolean; readonly open: boolean },
): Promise<Finding[]> {
  const given = new Set((await reading.read(GIVEN_TEAMS, ...reading.asOf)).map(([team]) => team));
  const rows = await reading.read(GIVEN_NOTHING, ...reading.asOf, contents.open ? 1 : 0);
  const findings: (Finding & { readonly user: { readonly id: string } })[] = [];
  for (const [position, id, code, listed, text, omitted] of rows) {
    const role = decodeMemberRole(code);
    if (role === "admin" && contents.any) continue;
    const teams =
      listed === MANY
        ? (await reading.read(TEAMS_OF, ...reading.asOf, position)).map(([team]) => team)
        : decodeTeams(listed);
    if (teams.some((team) => given.has(team))) continue;
    const user = personOf({ id, role, document: { text, omitted } });
    findings.push({ kind: "no-access", user, reason: reasonOf(role, teams.length) });
  }
  return findings.sort((a, b) => compareIds(a.user.id, b.user.id));
}

function reasonOf(role: string | null, teams: number): string {
  const who = role === null ? "a guest" : `role ${role}, which reaches no content`;
  const through =
    teams === 0 ? "in no team" : `${teams === 1 ? "whose team holds" : `whose ${teams} teams hold`} none`;
  return `${who}, without a permission and ${through}`;
}

const DELETED = statement<[doc: string]>(
  ({ contains }) => `
    SELECT s.doc FROM space s WHERE ${holds("s")} AND ${contains("s.doc", "$3")} ORDER BY s.position`,
);

const PAGE = 1000;

/** For each deleted space, direct permissions come first. */
export async function* onDeletedSpaces(reading: Reading): AsyncGenerator<Finding[]> {
  for (const [doc] of await reading.read(DELETED, ...reading.asOf, '"deletedAt":')) {
    const { id, title, deletedAt }: { id: string; title: string; deletedAt: string } = JSON.parse(doc);
    const content = { kind: "space", id, title } as const;
    const reason = `the space was deleted on ${deletedAt.slice(0, 10)}`;
    const key: ContentKey = contentKey("space", id);
    const query = await accessGivenOn(reading, key);
    for (let after: string | undefined; ;) {
      const { entries, next } = await effectiveMembers(reading, query, { after, limit: PAGE });
      yield entries.map((entry) => ({
        kind: "deleted",
        content,
        user: personOf({ ...entry, role: entry.memberRole }),
        role: entry.role,
        reason,
      }));
      if (next === undefined) break;
      after = next;
    }
    const loaded = await contents(reading, [key]);
    const titles = await titlesFor(reading, loaded);
    const teams = loaded.get(key)?.teams ?? [];
    yield [...teams].map(([team, role]) => ({
      kind: "deleted",
      content,
      team: { id: team, title: titles.team(team) },
      role,
      reason,
    }));
  }
}
