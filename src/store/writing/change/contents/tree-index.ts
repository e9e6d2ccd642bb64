/** Writes the sorted lists that the explorer shows: contents, sites, and permissions of teams. */
import type { ContentKey } from "../../../../domain/content.ts";
import { rank, ROLES } from "../../../../domain/role.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { INHERIT, contentTitleKey, decodeContent, titleKeyOf } from "../../../schema/encoding.ts";
import { statement } from "../../../engine/engine.ts";
import { memberSets } from "../../../schema/set-names.ts";
import { listOf } from "./contents.ts";
import type { ContentRecord, StoredChange } from "../record-change.ts";
import type { SetChanges } from "../sets/set-changes.ts";
import { CATALOG, CONTENT, TEAM_GRANT } from "../tables/tables.ts";
import type { Writing } from "../writing.ts";

type Of<Kind extends StoredChange["kind"]> = Extract<StoredChange, { kind: Kind }>;

/** The fields of a content that affect its list entries. */
type Shown = Pick<ContentRecord, "parent" | "title" | "level">;

/** Writes the list entries of changed contents, and of contents whose permissions changed (`given`). */
export async function indexContents(
  writing: Writing,
  members: SetChanges,
  changes: readonly Of<"content">[],
  given: ReadonlySet<ContentKey>,
): Promise<void> {
  const written = new Map<ContentKey, Shown>();
  for (const { content, after } of changes) if (after !== undefined) written.set(content, after);
  const changed = new Set(changes.map(({ content }) => content));
  const others = await shownOf(
    writing,
    [...given].filter((content) => !changed.has(content)),
  );
  const own = await ownOf(writing, members, new Map([...written, ...others]));
  for (const { content, before } of changes) if (before !== undefined) takeOut(writing, content, before);
  for (const [content, shown] of written) putIn(writing, content, shown, own.has(content));
  await CATALOG.load(
    writing,
    [...others].map(([content, shown]) => listKeyOf(content, shown)),
  );
  for (const [content, shown] of others) {
    // The column `own` changes if the content got its first permission or lost its last one.
    const [, before] = (await CATALOG.read(writing, listKeyOf(content, shown))) ?? [];
    if (before === Number(own.has(content))) continue;
    takeOut(writing, content, shown);
    putIn(writing, content, shown, own.has(content));
  }
}

/** Reads contents whose records have not changed. */
async function shownOf(writing: Writing, contents: readonly ContentKey[]): Promise<Map<ContentKey, Shown>> {
  await CONTENT.load(
    writing,
    contents.map((content) => [content]),
  );
  const found = new Map<ContentKey, Shown>();
  for (const content of contents) {
    const row = await CONTENT.read(writing, [content]);
    if (row === undefined) continue;
    const [parent, title, level] = row;
    found.set(content, { parent: parent === null ? undefined : decodeContent(parent), title, level });
  }
  return found;
}

function listKeyOf(content: ContentKey, { parent, title }: Shown): [list: string, position: string] {
  return [listOf(parent), contentTitleKey(content, title)];
}

function takeOut(writing: Writing, content: ContentKey, shown: Shown): void {
  CATALOG.end(writing, listKeyOf(content, shown));
  CATALOG.end(writing, ["loose", contentTitleKey(content, shown.title)]);
}

function putIn(writing: Writing, content: ContentKey, shown: Shown, isOwn: boolean): void {
  const own = Number(isOwn);
  CATALOG.put(writing, listKeyOf(content, shown), [content, own]);
  if (shown.parent !== undefined && !isOwn) return;
  CATALOG.put(writing, ["loose", contentTitleKey(content, shown.title)], [content, own]);
}

const WITH_TEAMS = statement<[content: string]>(
  ({ texts, lookUp }) => `
    SELECT DISTINCT g.content FROM ${lookUp(
      texts("$2", "wanted"),
      "team_grant",
      "g",
      `g.generation = $1 AND g.content = wanted.value AND g.until = ${FOREVER}`,
    )}`,
);

/** The contents that have a default level or permissions of their own. */
async function ownOf(
  writing: Writing,
  members: SetChanges,
  contents: ReadonlyMap<ContentKey, Shown>,
): Promise<Set<ContentKey>> {
  await TEAM_GRANT.flush(writing);
  const { connection, generation } = writing;
  const withoutLevel = [...contents].flatMap(([content, { level }]) => (level === INHERIT ? [content] : []));
  const withTeams = await connection.read(WITH_TEAMS, generation, withoutLevel);
  const given = new Set(withTeams.map(([content]) => content));
  const open = withoutLevel.filter((content) => !given.has(content));
  const setsOf = (content: ContentKey) => ROLES.map((role) => memberSets.given(content, role));
  await members.load(open.flatMap(setsOf));
  const own = new Set(contents.keys());
  for (const content of open) {
    let isEmpty = true;
    for (const name of setsOf(content)) isEmpty &&= await members.isEmpty(name);
    if (isEmpty) own.delete(content);
  }
  return own;
}

export async function indexSites(writing: Writing, changes: readonly Of<"site">[]): Promise<void> {
  for (const { site, before } of changes) {
    if (before !== undefined) CATALOG.end(writing, ["sites", titleKeyOf(before, site)]);
  }
  for (const { site, after } of changes) {
    if (after !== undefined) CATALOG.put(writing, ["sites", titleKeyOf(after, site)], [`site/${site}`, 0]);
  }
}

/** Writes the lists of teams' permissions, sorted by rank, highest first. */
export async function indexTeamGrants(writing: Writing, changes: readonly Of<"teamGrant">[]): Promise<void> {
  for (const { team, content, before, after } of changes) {
    const list = `team/${team}`;
    if (before !== undefined) CATALOG.end(writing, [list, `${6 - rank(before)}/${content}`]);
    if (after !== undefined) CATALOG.put(writing, [list, `${6 - rank(after)}/${content}`], [content, 0]);
  }
}
