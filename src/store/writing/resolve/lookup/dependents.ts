/** Finds the dependents of removed records: the records that refer to them. */
import { type ContentKey, idOf, kindOf } from "../../../../domain/content.ts";
import { type Role, roleOf, ROLES } from "../../../../domain/role.ts";
import { holds } from "../../../schema/as-of.ts";
import type { Reading } from "../../../reading.ts";
import { statement } from "../../../engine/engine.ts";
import { memberSets, MEMBERS } from "../../../schema/set-names.ts";
import { type Child, childrenOf } from "./children.ts";
import { positionsIn } from "./in-sets.ts";
import { type Pair, pairOf } from "../pair.ts";

export interface Removed {
  readonly members: readonly string[];
  readonly teams: readonly string[];
  readonly contents: readonly ContentKey[];
  readonly sites: readonly string[];
}

export interface Dependents {
  readonly teamMembers: Map<Pair, string>;
  readonly siteSpaces: Map<Pair, true>;
  readonly userGrants: Map<Pair, Role>;
  readonly teamGrants: Map<Pair, Role>;
  /** The contents directly in removed collections. */
  readonly children: readonly Child[];
}

/** The dependents of the given removed records: all records that refer to them. */
export async function dependentsOf(at: Reading, removed: Removed): Promise<Dependents> {
  const found: Dependents = {
    teamMembers: new Map(),
    siteSpaces: new Map(),
    userGrants: new Map(),
    teamGrants: new Map(),
    children: await childrenOf(at, removed.contents),
  };
  await onMembers(at, removed.members, found);
  for (const team of removed.teams) await onTeam(at, team, found);
  for (const content of removed.contents) await onContent(at, content, found);
  await onSites(at, removed, found);
  return found;
}

function ofMembers(columns: string, wanted: string, table: string): string {
  return `
    SELECT wanted.value, ${columns} FROM ${wanted} CROSS JOIN place p CROSS JOIN ${table} r
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("r")} AND r.position = p.position`;
}

const TEAMS_OF = statement<[member: string, team: string, role: string]>(({ texts }) =>
  ofMembers("r.team, r.role", texts("$3", "wanted"), "team_member"),
);
const GRANTS_OF = statement<[member: string, content: string, role: number]>(({ texts }) =>
  ofMembers("r.content, r.role", texts("$3", "wanted"), "user_grant"),
);

async function onMembers(at: Reading, members: readonly string[], found: Dependents): Promise<void> {
  if (members.length === 0) return;
  for (const [member, team, role] of await at.read(TEAMS_OF, ...at.asOf, members)) {
    found.teamMembers.set(pairOf(team, member), role);
  }
  for (const [member, content, role] of await at.read(GRANTS_OF, ...at.asOf, members)) {
    found.userGrants.set(pairOf(content, member), roleOf(role));
  }
}

const MEMBERS_OF = statement<[member: string, role: string]>(
  ({ numbers }) => `
    SELECT m.id, tm.role FROM ${numbers("$4", "wanted")} CROSS JOIN team_member tm CROSS JOIN member m
      WHERE ${holds("tm")} AND tm.position = wanted.value AND tm.team = $3
        AND ${holds("m")} AND m.position = wanted.value`,
);
const GRANTED_TO = statement<[content: string, role: number]>(
  ({ by }) => `
    SELECT g.content, g.role FROM team_grant g${by("team_grant_of_team")} WHERE ${holds("g")} AND g.team = $3`,
);

async function onTeam(at: Reading, team: string, found: Dependents): Promise<void> {
  const positions = await positionsIn(at, [memberSets.ofTeam(team)]);
  for (const [member, role] of await at.read(MEMBERS_OF, ...at.asOf, team, positions)) {
    found.teamMembers.set(pairOf(team, member), role);
  }
  for (const [content, role] of await at.read(GRANTED_TO, ...at.asOf, team)) {
    found.teamGrants.set(pairOf(content, team), roleOf(role));
  }
}

const GIVEN_ON = statement<[member: string, role: number]>(
  ({ numbers }) => `
    SELECT m.id, g.role FROM ${numbers("$4", "wanted")} CROSS JOIN user_grant g CROSS JOIN member m
      WHERE ${holds("g")} AND g.position = wanted.value AND g.content = $3
        AND ${holds("m")} AND m.position = wanted.value`,
);
const TEAMS_ON = statement<[team: string, role: number]>(
  () => `SELECT g.team, g.role FROM team_grant g WHERE ${holds("g")} AND g.content = $3`,
);

async function onContent(at: Reading, content: ContentKey, found: Dependents): Promise<void> {
  const positions = await positionsIn(
    at,
    ROLES.map((role) => memberSets.given(content, role)),
  );
  for (const [member, role] of await at.read(GIVEN_ON, ...at.asOf, content, positions)) {
    found.userGrants.set(pairOf(content, member), roleOf(role));
  }
  for (const [team, role] of await at.read(TEAMS_ON, ...at.asOf, content)) {
    found.teamGrants.set(pairOf(content, team), roleOf(role));
  }
}

const SPACES_ON = statement<[site: string, space: string]>(
  ({ texts }) => `
    SELECT s.site, s.space FROM ${texts("$3", "wanted")} CROSS JOIN site_space s
      WHERE ${holds("s")} AND s.site = wanted.value`,
);
const SITES_WITH = statement<[site: string, space: string]>(
  ({ texts }) => `
    SELECT l.site, l.space FROM site s CROSS JOIN ${texts("$3", "wanted")} CROSS JOIN site_space l
      WHERE ${holds("s")} AND ${holds("l")} AND l.site = s.id AND l.space = wanted.value`,
);

async function onSites(at: Reading, { sites, contents }: Removed, found: Dependents): Promise<void> {
  const spaces = contents.filter((key) => kindOf(key) === "space").map(idOf);
  const rows = [
    ...(sites.length === 0 ? [] : await at.read(SPACES_ON, ...at.asOf, sites)),
    ...(spaces.length === 0 ? [] : await at.read(SITES_WITH, ...at.asOf, spaces)),
  ];
  for (const [site, space] of rows) found.siteSpaces.set(pairOf(site, space), true);
}
