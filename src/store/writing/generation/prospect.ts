/** Counts what the guard compares for an import, in the staged and stored tables. */
import { type Examples, type Portion, type Prospect, RISKS, type Risk } from "../../../domain/guard.ts";
import { rank } from "../../../domain/role.ts";
import { type Staging, statement } from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { RECORD_KINDS } from "../../schema/record-change.ts";
import { CLOSED, INHERIT, decodeMemberRole } from "../../schema/encoding.ts";
import {
  type Difference,
  type FirstDiffering,
  type OrganizationChange,
  firstDiffering,
} from "./difference.ts";
import { fetchStored, isStored } from "./staged.ts";

const ADMIN = rank("admin");

type RaisedRow = [organization: string, admins: number, formerGuests: number];

const RAISED = statement<RaisedRow>(
  () => `
    SELECT organization, sum(CASE WHEN becomes = '${ADMIN}' THEN 1 ELSE 0 END), sum(CASE WHEN was = '0' THEN 1 ELSE 0 END)
      FROM staged_difference
      WHERE kind = ${RECORD_KINDS.indexOf("member")} AND was IS NOT NULL AND becomes IS NOT NULL GROUP BY organization`,
);

/** Counts the contents whose default level or parent changes. If there are none, the import opens no content. */
const REARRANGED = statement<[contents: number]>(
  ({ stored }) => `
    SELECT count(*) FROM staged_content r
        JOIN staged_organization o ON o.current IS NOT NULL AND o.id = r.organization
        JOIN ${stored("content")} s ON ${isStored("s")} AND s.id = r.id
      WHERE s.level <> r.default_level OR coalesce(s.parent, '') <> coalesce(r.parent, '')`,
);

type OpenedRow = [organization: string, closed: number, opened: number];

const OPENED_COUNTS = statement<OpenedRow>(
  () => `
    SELECT c.organization, count(*), count(p.id)
      FROM staged_closed c LEFT JOIN staged_opened p ON p.organization = c.organization AND p.id = c.id
      GROUP BY c.organization`,
);

/** What the guard compares for each of the organizations. */
export async function prospectsOf(
  staging: Staging,
  changes: readonly OrganizationChange[],
): Promise<Prospect[]> {
  const raised = changes.some(({ kinds }) => kinds.member.changed > 0) ? await staging.read(RAISED) : [];
  const moved = changes.some(({ kinds }) => kinds.collection.changed + kinds.space.changed > 0);
  const opened = moved ? await openings(staging) : [];
  return changes.map(({ organization, title, current, counts, kinds }) => {
    const gone = (kind: "member" | "team" | "teamMember" | "permission", left: number): Portion => {
      const { removed, added } = kinds[kind];
      return { affected: removed, of: left - added + removed };
    };
    const members = gone("member", counts.members);
    const [, admins = 0, formerGuests = 0] = raised.find(([id]) => id === organization) ?? [];
    const [, closed = 0, open = 0] = opened.find(([id]) => id === organization) ?? [];
    const portions: Record<Risk, Portion> = {
      member: members,
      team: gone("team", counts.teams),
      teamMember: gone("teamMember", counts.teamMembers),
      permission: gone("permission", counts.permissions),
      admin: { affected: admins, of: members.of },
      formerGuest: { affected: formerGuests, of: members.of },
      openedContent: { affected: open, of: closed },
    };
    return { organization, title, first: current === undefined, members: counts.members, portions };
  });
}

/** The number of closed contents, and of those that the import opens, by organization. */
async function openings(staging: Staging): Promise<OpenedRow[]> {
  const [row] = await staging.read(REARRANGED);
  if ((row?.[0] ?? 0) === 0) return [];
  await fetchStored(staging, ["catalog"]);
  const { stored } = staging.dialect;
  // The closed contents, and everything that inherits from them.
  await staging.createAs(
    "staged_closed",
    `WITH RECURSIVE closed (organization, generation, id) AS (
       SELECT o.id, o.stored, c.id
         FROM staged_organization o JOIN ${stored("content")} c ON ${isStored("c")} AND c.level = ${CLOSED}
       UNION ALL
       SELECT closed.organization, closed.generation, c.id
         FROM closed
           JOIN ${stored("catalog")} k ON k.generation = closed.generation AND k.until = ${FOREVER} AND k.list = 'in/' || substr(closed.id, 12)
           JOIN ${stored("content")} c ON c.generation = closed.generation AND c.until = ${FOREVER} AND c.id = k.thing
             AND c.level = ${INHERIT}
         WHERE closed.id LIKE 'collection/%'
     )
     SELECT organization, id FROM closed`,
  );
  await staging.createAs(
    "staged_still_closed",
    `WITH RECURSIVE closed (id) AS (
       SELECT c.id FROM staged_content c JOIN staged_organization o ON o.id = c.organization
         WHERE o.current IS NOT NULL AND c.default_level = ${CLOSED}
       UNION ALL
       SELECT c.id FROM closed JOIN staged_content c ON c.parent = closed.id AND c.default_level = ${INHERIT}
     )
     SELECT id FROM closed`,
    "id",
  );
  await staging.createAs(
    "staged_opened",
    `SELECT b.organization, b.id FROM staged_closed b
         JOIN staged_content r ON r.id = b.id AND r.organization = b.organization
       WHERE NOT EXISTS (SELECT 1 FROM staged_still_closed a WHERE a.id = b.id)`,
    "id, organization",
  );
  return staging.read(OPENED_COUNTS);
}

/** A record's name for people: its ids, each followed by its title in parentheses. */
export function nameOf(difference: Difference): string {
  const { kind, organization, member, team, content, site, was, becomes } = difference;
  const whom =
    member === undefined
      ? `team ${named(team, difference.teamTitle)}`
      : named(member, displayNameOf(difference.user));
  switch (kind) {
    case "organization":
      return named(organization, becomes);
    case "user":
    case "member":
      return whom;
    case "team":
      return named(team, difference.teamTitle);
    case "teamMember":
      return `${whom} in ${named(team, difference.teamTitle)}`;
    case "collection":
    case "space":
      return named(content, difference.contentTitle);
    case "site":
      return named(site, difference.siteTitle);
    case "siteSpace":
      return `${named(content, difference.contentTitle)} on ${named(site, difference.siteTitle)}`;
    case "permission":
      return `${decodeMemberRole(Number(was ?? becomes))} for ${whom} on ${named(content, difference.contentTitle)}`;
  }
}

/** An id, followed by its title if the title differs. */
export function named(id: string | undefined, title: string | undefined): string {
  return title === undefined || title === "" || title === id ? String(id) : `${id} (${title})`;
}

export function displayNameOf(doc: string | undefined): string | undefined {
  const user: { displayName?: unknown } = doc === undefined ? {} : JSON.parse(doc);
  return typeof user.displayName === "string" ? user.displayName : undefined;
}

/** The maximum number of records that a refusal names for each risk. */
export const NAMED = 20;

const GONE = "d.becomes IS NULL";

const OPENED = statement<[id: string, title: string]>(
  () => `
    SELECT p.id, c.title FROM staged_opened p JOIN staged_content c ON c.id = p.id
      WHERE p.organization = $1 ORDER BY p.id LIMIT ${NAMED}`,
);

const DIFFERING: Readonly<Record<Exclude<Risk, "openedContent">, FirstDiffering>> = {
  member: firstDiffering("member", GONE, NAMED),
  team: firstDiffering("team", GONE, NAMED),
  teamMember: firstDiffering("teamMember", GONE, NAMED),
  permission: firstDiffering("permission", GONE, NAMED),
  admin: firstDiffering("member", `d.was IS NOT NULL AND d.becomes = '${ADMIN}'`, NAMED),
  formerGuest: firstDiffering("member", "d.was = '0' AND d.becomes IS NOT NULL", NAMED),
};

/** The names of the first affected records for each risk. Call it after the differences are staged. */
export async function examplesOf(staging: Staging, { organization, portions }: Prospect): Promise<Examples> {
  const examples: Partial<Record<Risk, string[]>> = {};
  for (const risk of RISKS) {
    if (portions[risk].affected === 0) continue;
    examples[risk] =
      risk === "openedContent"
        ? (await staging.read(OPENED, organization)).map(([id, title]) => named(id, title))
        : (await DIFFERING[risk](staging, organization)).map(nameOf);
  }
  return examples;
}
