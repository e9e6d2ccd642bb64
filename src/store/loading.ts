/** Loads the model of a revision. */
import { type ContentKey, contentKey, createdIn } from "../domain/content.ts";
import { begin, type ContentRow, type MemberRow, type SiteRow, type TeamRow } from "../model/builder.ts";
import type { Model } from "../model/model.ts";
import { compareIds } from "../domain/id.ts";
import { type Role, roleOf } from "../domain/role.ts";
import { statement } from "./engine/engine.ts";
import type { Reading } from "./reading.ts";
import { holds, memberDoc } from "./schema/as-of.ts";
import {
  decodeContent,
  decodeDefaultLevel,
  decodeGrants,
  decodeMemberRole,
  decodeTeamGrants,
  decodeTeams,
  joinedTeamGrants,
  MANY,
} from "./schema/encoding.ts";
import { SLOTS } from "../sets/position.ts";
import { MEMBERS } from "./schema/set-names.ts";
import { giveTurn, inBlocks, workInTurns } from "./turns.ts";

const TEAMS = statement<[id: string, text: string]>(
  () => `
    SELECT t.id, t.doc FROM team t WHERE ${holds("t")} AND t.id > $3 ORDER BY t.id LIMIT $4`,
);
type StoredContent = [
  id: string,
  parent: string | null,
  level: number,
  teams: string,
  doc: string | null,
  key: string | null,
  space: string | null,
  omitted: number | null,
];
const CONTENTS = statement<StoredContent>(
  () => `
    SELECT c.id, c.parent, c.level,
        CASE WHEN c.teams <> '${MANY}' THEN c.teams ELSE (
          SELECT ${joinedTeamGrants("g")} FROM team_grant g WHERE ${holds("g")} AND g.content = c.id) END,
        c.doc, s.key, s.doc, s.omitted
      FROM content c LEFT JOIN space s ON ${holds("s")} AND s.position = c.position
      WHERE ${holds("c")} AND c.id > $3 ORDER BY c.id LIMIT $4`,
);
const SITES = statement<[id: string, title: string]>(
  () => `SELECT s.id, s.title FROM site s WHERE ${holds("s")} ORDER BY s.id`,
);
const SITE_SPACES = statement<[site: string, space: string]>(
  () => `SELECT s.site, s.space FROM site_space s WHERE ${holds("s")} ORDER BY s.site, s.space`,
);
const CHUNKS = statement<[chunk: number]>(
  () => `SELECT c.chunk FROM chunk c WHERE ${holds("c")} AND c.universe = ${MEMBERS} ORDER BY c.lowest`,
);
type StoredMember = [
  position: number,
  id: string,
  role: number,
  text: string,
  omitted: number,
  teams: string,
  grants: string,
];
const MEMBERS_IN = statement<StoredMember>(
  () => `
    SELECT m.position, m.id, m.role, ${memberDoc("m")}, m.omitted, m.teams, m.grants
      FROM member m WHERE ${holds("m")} AND m.position >= $3 AND m.position < $4`,
);
const OWNERS_IN = statement<[position: number, team: string]>(
  () => `
    SELECT t.position, t.team FROM team_member t
      WHERE ${holds("t")} AND t.position >= $3 AND t.position < $4 AND t.role = 'owner'`,
);
const TEAMS_OF = statement<[team: string]>(
  () => `SELECT t.team FROM team_member t WHERE ${holds("t")} AND t.position = $3`,
);
const GRANTS_OF = statement<[content: string, role: number]>(
  () => `SELECT g.content, g.role FROM user_grant g WHERE ${holds("g")} AND g.position = $3`,
);

/** How many teams, contents or positions of members one statement reads: some milliseconds. */
const ROWS_PER_READ = 500;

/** How many members are decoded until others may have a turn. */
const MEMBERS_A_TURN = 100;

/**
 * The organization as of the revision that `reading` reads. Gives others turns. `progress` receives which part of its
 * members is read, from 0 to 1.
 */
export async function loadModel(reading: Reading, progress?: (part: number) => void): Promise<Model> {
  progress?.(0);
  const [teams, teamOf] = await teamRows(reading);
  const [contents, contentOf] = await contentRows(reading, teamOf);
  const builder = await workInTurns(begin(teams, contents));
  let members = 0;
  for await (const row of memberRows(reading, teamOf, contentOf)) {
    builder.add(row);
    if (++members % MEMBERS_A_TURN === 0) progress?.(members / (reading.at.counts.members + 1));
  }
  const { organization, title } = reading.at;
  return workInTurns(builder.finish({ id: organization, title }, await siteRows(reading, contentOf)));
}

/** Numbers by id. Throws a TypeError for an id that the database does not have: a row refers to nothing. */
class Numbers<Id extends string> {
  readonly #numbers = new Map<string, number>();

  add(id: Id): number {
    const number = this.#numbers.size;
    this.#numbers.set(id, number);
    return number;
  }

  of(id: Id): number {
    const found = this.#numbers.get(id);
    if (found === undefined)
      throw new TypeError(`The database refers to ${JSON.stringify(id)}, which it lacks.`);
    return found;
  }
}

async function teamRows(reading: Reading): Promise<[TeamRow[], Numbers<string>]> {
  const numbers = new Numbers<string>();
  const found: TeamRow[] = [];
  for (let after = ""; ;) {
    const rows = await reading.read(TEAMS, ...reading.asOf, after, ROWS_PER_READ);
    for (const [id, text] of rows) found.push({ number: numbers.add(id), id, text });
    if (rows.length < ROWS_PER_READ) return [found, numbers];
    after = rows.at(-1)?.[0] ?? "";
    await giveTurn();
  }
}

async function contentRows(
  reading: Reading,
  teamOf: Numbers<string>,
): Promise<[ContentRow[], Numbers<ContentKey>]> {
  const numbers = new Numbers<ContentKey>();
  const stored: (readonly [number: number, ...StoredContent])[] = [];
  for (let after = ""; ;) {
    const rows = await reading.read(CONTENTS, ...reading.asOf, after, ROWS_PER_READ);
    for (const row of rows) stored.push([numbers.add(decodeContent(row[0])), ...row]);
    if (rows.length < ROWS_PER_READ) break;
    after = rows.at(-1)?.[0] ?? "";
    await giveTurn();
  }
  const found: ContentRow[] = [];
  for await (const rows of inBlocks(stored, ROWS_PER_READ)) {
    for (const [number, id, parent, level, teams, doc, key, space, omitted] of rows) {
      found.push({
        number,
        key: decodeContent(id),
        parent: parent === null ? undefined : numbers.of(decodeContent(parent)),
        level: decodeDefaultLevel(level),
        created: key === null ? 0 : createdIn(key),
        document: { text: space ?? doc ?? "", omitted: omitted ?? 0 },
        teams: Array.from(decodeTeamGrants(teams), ([team, role]) => ({ team: teamOf.of(team), role })),
      });
    }
  }
  return [found, numbers];
}

/** Members in the order of their ids: a chunk holds a range of them. */
async function* memberRows(
  reading: Reading,
  teamOf: Numbers<string>,
  contentOf: Numbers<ContentKey>,
): AsyncGenerator<MemberRow> {
  for (const [chunk] of await reading.read(CHUNKS, ...reading.asOf)) {
    const members: StoredMember[] = [];
    const owned = new Map<number, Set<string>>();
    for (let from = 0; from < SLOTS; from += ROWS_PER_READ) {
      const to = Math.min(SLOTS, from + ROWS_PER_READ);
      const positions = [chunk * SLOTS + from, chunk * SLOTS + to] as const;
      const [rows, owners] = await Promise.all([
        reading.read(MEMBERS_IN, ...reading.asOf, ...positions),
        reading.read(OWNERS_IN, ...reading.asOf, ...positions),
      ]);
      members.push(...rows);
      for (const [position, team] of owners) {
        const teams = owned.get(position);
        if (teams === undefined) owned.set(position, new Set([team]));
        else teams.add(team);
      }
      await giveTurn();
    }
    members.sort(([, a], [, b]) => compareIds(a, b));
    for (const [index, [position, id, role, text, omitted, teams, grants]] of members.entries()) {
      const teamIds = teams === MANY ? await teamsOf(reading, position) : decodeTeams(teams);
      const given = grants === MANY ? await grantsOf(reading, position) : decodeGrants(grants);
      yield {
        id,
        role: decodeMemberRole(role),
        document: { text, omitted },
        teams: teamIds.map((team) => ({
          team: teamOf.of(team),
          isOwner: owned.get(position)?.has(team) === true,
        })),
        permissions: given.map(([content, permission]) => ({
          content: contentOf.of(content),
          role: permission,
        })),
      };
      if (index % MEMBERS_A_TURN === 0) await giveTurn();
    }
  }
}

/** The teams of a member whose row does not list them. */
async function teamsOf(reading: Reading, position: number): Promise<string[]> {
  const rows = await reading.read(TEAMS_OF, ...reading.asOf, position);
  return rows.map(([team]) => team);
}

/** The direct permissions of a member whose row does not list them. */
async function grantsOf(reading: Reading, position: number): Promise<[ContentKey, Role][]> {
  const rows = await reading.read(GRANTS_OF, ...reading.asOf, position);
  return rows.map(([content, role]) => [decodeContent(content), roleOf(role)]);
}

async function siteRows(reading: Reading, contentOf: Numbers<ContentKey>): Promise<SiteRow[]> {
  const [sites, spaces] = await Promise.all([
    reading.read(SITES, ...reading.asOf),
    reading.read(SITE_SPACES, ...reading.asOf),
  ]);
  const bySite = Map.groupBy(spaces, ([site]) => site);
  return sites.map(([id, title]) => ({
    id,
    title,
    spaces: (bySite.get(id) ?? []).map(([, space]) => contentOf.of(contentKey("space", space))),
  }));
}
