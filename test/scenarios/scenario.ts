/** Scenarios: what is given and who then has what, as YAML files that an auditor can read. CONTRIBUTING.md describes them. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { DefaultLevel, Role, SnapshotRecord } from "../oracle/records.ts";
import { ROLES } from "../oracle/records.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What one content or site gives each user, or one team is counted with, by name. */
export type Expected = ReadonlyMap<string, string>;

export interface Scenario {
  readonly name: string;
  /** The members of the organization, by id. */
  readonly members: readonly string[];
  readonly records: readonly SnapshotRecord[];
  /** What must hold, by "space S", "collection C", "site W" or "team A". */
  readonly expected: ReadonlyMap<string, Expected>;
  /** Sentences by "U on space S". */
  readonly why: Expected;
}

const ORGANIZATION = { title: "Acme" } as const;
const DATE = "2025-03-01T09:30:00.000Z";

/** The scenarios of a file; the organization of each has an id of its own, which begins with `prefix`. */
export function scenariosIn(url: URL, prefix: string): Scenario[] {
  const found: unknown = parse(readFileSync(url, "utf8"));
  if (!Array.isArray(found)) throw new Error(`${url.pathname}: no list of scenarios`);
  return found.map((each: unknown, at) => scenarioOf(fields(each), `${prefix}-${at + 1}`));
}

/** The organization of a scenario. */
export function organizationOf({ records }: Scenario): { id: string; title: string } {
  const found = records.find((record) => record.object === "organization");
  if (found === undefined) throw new Error("A scenario has no organization.");
  return found;
}

function scenarioOf({ scenario, given, then, why = {}, ...unknown }: Fields, organization: string): Scenario {
  const name = String(scenario);
  const [extra] = Object.keys(unknown);
  if (extra !== undefined) throw new Error(`Scenario “${name}”: unknown "${extra}"`);
  const { members = {}, ...things } = fields(given);
  const ids = Object.keys(fields(members));
  const expected = Object.entries(fields(then)).map(([thing, each]) => [thing, textsOf(each)] as const);
  for (const [thing, roles] of expected) {
    const left = thing.startsWith("team ") ? undefined : ids.find((id) => !roles.has(id));
    if (left !== undefined) throw new Error(`Scenario “${name}”: nothing is expected of ${left} on ${thing}`);
  }
  return {
    name,
    members: ids,
    expected: new Map(expected),
    why: textsOf(why),
    records: [
      { object: "organization", id: organization, ...ORGANIZATION },
      ...Object.entries(fields(members)).flatMap(([user, role]): SnapshotRecord[] => [
        { object: "user", id: user, displayName: user },
        { object: "member", organization, user, role: role === "guest" ? null : roleOf(role) },
      ]),
      ...Object.entries(things).flatMap(([key, said]) => recordsOf(key, said, organization)),
    ],
  };
}

/** The records of "team A: [U]", or of "space S: { in: C, default: read, U: edit, team A: review }" and the like. */
function recordsOf(key: string, said: unknown, organization: string): SnapshotRecord[] {
  const [kind = "", id = ""] = key.split(" ");
  const titled = { id, organization, title: id };
  if (kind === "team") {
    const users = listOf(said);
    return [
      { object: "team", ...titled, createdAt: DATE },
      ...users.map((user): SnapshotRecord => ({ object: "teamMember", team: id, user, role: "member" })),
    ];
  }
  const { in: parent, default: level, spaces, ...grants } = fields(said);
  const own = { ...titled, ...(level === undefined ? {} : { defaultLevel: levelOf(level) }) };
  const content = { ...own, ...(parent === undefined ? {} : { parent: String(parent) }) };
  const given = Object.entries(grants).map(([name, role]) => ({
    to: name.startsWith("team ") ? { team: name.slice("team ".length) } : { user: name },
    role: role === "none" ? null : roleOf(role),
  }));
  const onContent = (on: { space: string } | { collection: string }) =>
    given.map(({ to, role }): SnapshotRecord => {
      if (role === null) throw new Error(`${key} gives “none”, which only a site can`);
      return { object: "permission", ...on, ...to, permission: role };
    });
  switch (kind) {
    case "space":
      return [{ object: "space", ...content, createdAt: DATE, updatedAt: DATE }, ...onContent({ space: id })];
    case "collection":
      return [{ object: "collection", ...content }, ...onContent({ collection: id })];
    case "site":
      return [
        { object: "site", ...own },
        ...listOf(spaces).map((space): SnapshotRecord => ({ object: "siteSpace", site: id, space })),
        ...given.map(({ to, role }): SnapshotRecord => ({
          object: "permission",
          site: id,
          ...to,
          permission: role,
        })),
      ];
    default:
      throw new Error(`${key}: accepted: members, team, collection, space, site`);
  }
}

function roleOf(value: unknown): Role {
  const role = ROLES.find((each) => each === value);
  if (role === undefined) throw new Error(`“${String(value)}” is no role`);
  return role;
}

function levelOf(value: unknown): DefaultLevel {
  if (value === "closed") return null;
  return value === "inherit" ? value : roleOf(value);
}

function fields(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`no fields: ${JSON.stringify(value)}`);
  return { ...value };
}

function listOf(value: unknown): string[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return value.map(String);
}

function textsOf(value: unknown): Map<string, string> {
  return new Map(Object.entries(fields(value)).map(([name, each]) => [name, String(each)]));
}
