/** Reads contents, and the ancestors from which they inherit, for changes. */
import type { ContentKey } from "../../domain/content.ts";
import type { Level } from "../../domain/ladder.ts";
import { ROLES, type Role } from "../../domain/role.ts";
import { type Head, headOf, isEmpty } from "../../sets/head.ts";
import { type Dialect, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import {
  INHERIT,
  MANY,
  decodeContent,
  decodeDefaultLevel,
  decodeTeamGrants,
  joinedTeamGrants,
} from "../schema/encoding.ts";
import { headColumn } from "../schema/set-names.ts";

export interface Content extends Level {
  readonly title: string;
  readonly parent: ContentKey | undefined;
  /** The roles of the content's team grants, by team id, ascending. */
  readonly teams: ReadonlyMap<string, Role>;
  readonly direct: DirectHeads;
}

/** The heads of the sets of users with a direct permission on a content; those that are not empty, weakest role first. */
type DirectHeads = ReadonlyMap<Role, Head>;

/** The columns of a content. `direct` has the heads of the users with a direct permission, by role. */
type ContentColumns = [
  id: string,
  parent: string | null,
  title: string,
  level: number,
  teams: string,
  ...direct: (Uint8Array | null)[],
];

const COLUMNS = `c.id, c.parent, c.title, c.level,
    CASE WHEN c.teams <> '${MANY}' THEN c.teams ELSE (
      SELECT ${joinedTeamGrants("g")} FROM team_grant g WHERE ${holds("g")} AND g.content = c.id) END,
    ${ROLES.map((role) => `c.${headColumn(role)}`).join(", ")}`;

/** SQL: the ids (`up.id`) of the contents in the list `$3` and of all ancestors from which they inherit, each once. */
function climb({ lookUp, texts }: Dialect): string {
  const step = `SELECT c.id, CASE WHEN c.level = ${INHERIT} THEN c.parent END`;
  const wanted = lookUp(texts("$3", "wanted"), "content", "c", `${holds("c")} AND c.id = wanted.value`);
  return `
    WITH RECURSIVE up (id, above) AS (
      ${step} FROM ${wanted}
      UNION
      ${step} FROM ${lookUp("up", "content", "c", `${holds("c")} AND c.id = up.above`)}
    )`;
}

const CLIMBED = statement<ContentColumns>(
  (dialect) =>
    `${climb(dialect)} SELECT ${COLUMNS} FROM ${dialect.lookUp("up", "content", "c", `${holds("c")} AND c.id = up.id`)}`,
);

/** Contents, and the ancestors from which they inherit. Contents that do not exist are absent from the result. */
export async function contents(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Content>> {
  const rows = keys.length === 0 ? [] : await reading.read(CLIMBED, ...reading.asOf, keys);
  return new Map(rows.map(contentOf).map((content) => [content.content, content]));
}

const NO_TEAMS: ReadonlyMap<string, Role> = new Map();

function contentOf([id, parent, title, level, teams, ...heads]: ContentColumns): Content {
  const direct = new Map<Role, Head>();
  for (const [index, role] of ROLES.entries()) {
    const bits = heads[index] ?? null;
    const head = bits === null ? undefined : headOf(bits);
    if (head !== undefined && !isEmpty(head)) direct.set(role, head);
  }
  return {
    content: decodeContent(id),
    title,
    parent: parent === null ? undefined : decodeContent(parent),
    defaultLevel: decodeDefaultLevel(level),
    teams: teams === "" ? NO_TEAMS : decodeTeamGrants(teams),
    direct,
  };
}

/**
 * Contents and all their ancestors, even those from which they do not inherit. Contents that do not exist are absent
 * from the result.
 */
export async function withAncestors(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  for (let wanted = keys; wanted.length > 0;) {
    const loaded = await contents(reading, wanted);
    for (const [key, content] of loaded) found.set(key, content);
    const parents = new Set([...loaded.values()].flatMap(({ parent }) => parent ?? []));
    wanted = [...parents].filter((key) => !found.has(key));
  }
  return found;
}
