/** Reads all permissions of one member, given by user id: direct permissions, and the team grants on collections. */
import { type Role, roleOf, ROLES } from "../../../domain/role.ts";
import { EMPTY, type Head } from "../../../sets/head.ts";
import { holds } from "../../schema/as-of.ts";
import { type Dialect, type Statement, statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { CLIMB_ENDS, MEMBERS, MOST_GRANTS, SPACES, spaceSets } from "../../schema/set-names.ts";
import type { Order } from "../../sets/chunks.ts";
import type { ContainerRow } from "../../sets/container-row.ts";
import { containersAtStart } from "../../sets/containers.ts";
import type { Because } from "../access-query/steps.ts";

export interface Given {
  /**
   * The spaces with a direct permission, as one set per role. Incomplete for a member with more than
   * {@link MOST_GRANTS}.
   */
  readonly own: ReadonlyMap<string, Head>;
  /** The collections with a permission, deepest first, because the deepest one on a ladder decides. */
  readonly collections: readonly {
    readonly collection: string;
    readonly role: Role;
    readonly because: Because;
  }[];
}

export const NOTHING: Given = { own: new Map(), collections: [] };

/**
 * SQL: a subquery `r` with the position of the member with id `$3`. If `$4` is 1, empty unless the member is a guest.
 */
const MEMBER = `(
    SELECT r.position FROM place p CROSS JOIN member r
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = $3
        AND ${holds("r")} AND r.position = p.position AND (r.role = 0 OR $4 = 0)) r`;

/** SQL: the direct permissions (`g`) of the member that meet `which`, with their contents (`c`). */
function directly(dialect: Dialect, which: string): string {
  const held = `${holds("g")} AND g.position = r.position AND ${which}`;
  return onContent(
    dialect,
    `SELECT g.content, g.role FROM ${dialect.lookUp(MEMBER, "user_grant", "g", held)}`,
  );
}

/** SQL: the grants (`g`) of the member's teams on collections, with their contents (`c`). */
function throughTeams(dialect: Dialect): string {
  const { lookUp } = dialect;
  const belongs = `${holds("t")} AND t.position = r.position`;
  const teams = `(SELECT t.team FROM ${lookUp(MEMBER, "team_member", "t", belongs)}) t`;
  const given = `${holds("g")} AND g.team = t.team AND g.content < 'space/'`;
  const grants = lookUp(teams, "team_grant", "g", given, "team_grant_of_team");
  return onContent(dialect, `SELECT g.content, g.role, g.team FROM ${grants}`);
}

function onContent({ lookUp }: Dialect, grants: string): string {
  return lookUp(`(${grants}) g`, "content", "c", `${holds("c")} AND c.id = g.content`);
}

type GivenRow = [
  content: string,
  role: number,
  depth: number,
  /** The position of a space; `null` for a collection. */
  position: number | null,
  team: string | null,
];
const COLUMNS = "g.content, g.role, c.depth, c.position";

/**
 * Team grants come first; direct permissions on the same content replace them. Reads at most {@link MOST_GRANTS} direct
 * permissions on spaces, because a member with more has sets of spaces.
 */
const GIVEN = statement<GivenRow>(
  (dialect) => `
    SELECT ${COLUMNS}, g.team FROM ${throughTeams(dialect)}
    UNION ALL SELECT ${COLUMNS}, NULL FROM ${directly(dialect, "g.content < 'space/'")}
    UNION ALL SELECT * FROM (
      SELECT ${COLUMNS}, NULL FROM ${directly(dialect, "g.content >= 'space/'")} LIMIT ${MOST_GRANTS}) own`,
);

/** The permissions of a member. With `guest`, empty unless the member is a guest. */
export async function givenTo(reading: Reading, id: string, whom: "anybody" | "guest"): Promise<Given> {
  const rows = await reading.read(GIVEN, ...reading.asOf, id, whom === "guest" ? 1 : 0);
  const own = rows.filter(([, , , position]) => position !== null);
  const sets = ROLES.map((role): [string, Head] => {
    const positions = own.flatMap(([, held, , position]) =>
      position !== null && roleOf(held) === role ? [position] : [],
    );
    const head = positions.length === 0 ? EMPTY : { positions: Uint32Array.from(positions).sort() };
    return [spaceSets.givenToUser(id, role), head];
  });
  return { own: new Map(sets), collections: collectionsOf(rows) };
}

/** The deciding permission on each collection (contract, section 3, steps 2a and 2b). */
function collectionsOf(rows: readonly GivenRow[]): Given["collections"] {
  const given = new Map<string, { role: number; depth: number; because: Because }>();
  for (const [content, role, depth, position, team] of rows) {
    const before = given.get(content);
    if (position !== null) continue;
    if (team === null) given.set(content, { role, depth, because: { rule: "direct" } });
    else {
      // The highest role decides; of equal roles, the team with the smallest id.
      const wins = role - (before?.role ?? 0) || (team < (before?.because.team ?? "") ? 1 : -1);
      if (wins > 0) given.set(content, { role, depth, because: { rule: "team", team } });
    }
  }
  return [...given]
    .sort(([, a], [, b]) => b.depth - a.depth)
    .map(([content, { role, because }]) => ({
      collection: content.slice("collection/".length),
      role: roleOf(role),
      because,
    }));
}

/** SQL: the names (`name.value`) of all sets that a guest's page of spaces folds. */
function names({ lookUp }: Dialect): string {
  const teams = lookUp("guest", "team_member", "t", `${holds("t")} AND t.position = guest.position`);
  const given = `${holds("g")} AND g.team = team.value AND g.content < 'space/'`;
  const own = `${holds("g")} AND g.position = guest.position AND g.content < 'space/'`;
  return `
    WITH guest AS (SELECT r.position FROM ${MEMBER}),
    team AS (SELECT t.team AS value FROM ${teams}),
    collection AS (
      SELECT g.content AS value FROM ${lookUp("team", "team_grant", "g", given, "team_grant_of_team")}
      UNION SELECT g.content FROM ${lookUp("guest", "user_grant", "g", own)}),
    name AS (
      SELECT 'under/' || substr(collection.value, 12) || '/' AS value FROM collection
      ${ROLES.map((role) => `UNION ALL SELECT 'team/' || team.value || '/${role}' FROM team`).join(" ")}
      ${ROLES.map((role) => `UNION ALL SELECT 'user/' || $3 || '/${role}' FROM guest`).join(" ")}
      ${CLIMB_ENDS.map((end) => `UNION ALL SELECT '${spaceSets.ending(end)}' FROM guest`).join(" ")}
    )`;
}

function setsFrom(after?: string): Statement<ContainerRow> {
  return statement((dialect) => `${names(dialect)} ${containersAtStart("name", after, SPACES)}`);
}

const SETS_AFTER = setsFrom("$5");
const SETS_AT_END = setsFrom();

/**
 * The heads of a guest's sets of spaces, and their containers in a page's first chunk, in one statement. Empty for
 * other members.
 */
export function setsOfGuest(
  reading: Reading,
  id: string,
  after: string | undefined,
  order: Order,
): Promise<ContainerRow[]> {
  const asked = [...reading.asOf, id, 1] as const;
  return order === "desc" && after === undefined
    ? reading.read(SETS_AT_END, ...asked)
    : reading.read(SETS_AFTER, ...asked, after ?? "");
}
