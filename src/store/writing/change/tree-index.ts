/** Writes the explorer's sorted lists and its search index. */
import type { ContentKey } from "../../../domain/content.ts";
import { rank, ROLES } from "../../../domain/role.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { INHERIT } from "../../schema/encoding.ts";
import { statement } from "../../engine/engine.ts";
import { memberSets } from "../../schema/set-names.ts";
import { entriesOf, type Group } from "../../schema/search-terms.ts";
import { contentTitleKey, titleKeyOf } from "../../schema/title-order.ts";
import { listOf } from "./contents.ts";
import type { ContentRecord, RecordChange } from "./record-change.ts";
import type { SetChanges } from "./sets/set-changes.ts";
import { CATALOG, CONTENT } from "./tables/tables.ts";
import type { Writing } from "./writing.ts";

type Of<Kind extends RecordChange["kind"]> = Extract<RecordChange, { kind: Kind }>;

/** The fields of a content that affect its list entries. */
type Shown = Pick<ContentRecord, "parent" | "title" | "level">;

/** Writes the list entries of contents that changed, or whose permissions changed. */
export async function indexContents(
  writing: Writing,
  members: SetChanges,
  changes: readonly Of<"content">[],
  given: ReadonlySet<ContentKey>,
): Promise<void> {
  for (const { content, before } of changes) {
    if (before !== undefined) await takeOut(writing, content, before);
  }
  for (const { content, after } of changes) {
    if (after !== undefined) await putIn(writing, members, content, after);
  }
  const changed = new Set(changes.map(({ content }) => content));
  for (const content of given) {
    if (changed.has(content)) continue;
    const row = await CONTENT.read(writing, [content]);
    if (row === undefined) continue;
    const [parent, title, level] = row;
    const shown = { parent: parent === null ? undefined : collection(parent), title, level };
    await refresh(writing, members, content, shown);
  }
}

function collection(id: string): ContentKey {
  return `collection/${id.slice("collection/".length)}`;
}

async function takeOut(writing: Writing, content: ContentKey, { parent, title }: Shown): Promise<void> {
  const position = contentTitleKey(content, title);
  await CATALOG.end(writing, [listOf(parent), position]);
  await CATALOG.end(writing, ["loose", position]);
}

async function putIn(
  writing: Writing,
  members: SetChanges,
  content: ContentKey,
  { parent, title, level }: Shown,
): Promise<void> {
  const position = contentTitleKey(content, title);
  const own = (await isSet(writing, members, content, level)) ? 1 : 0;
  await CATALOG.put(writing, [listOf(parent), position], [content, own]);
  if (parent === undefined || own === 1) await CATALOG.put(writing, ["loose", position], [content, own]);
}

/** Updates the list entries of a content that got its first default level or permission, or lost its last one. */
async function refresh(
  writing: Writing,
  members: SetChanges,
  content: ContentKey,
  shown: Shown,
): Promise<void> {
  const [, before] =
    (await CATALOG.read(writing, [listOf(shown.parent), contentTitleKey(content, shown.title)])) ?? [];
  const after = (await isSet(writing, members, content, shown.level)) ? 1 : 0;
  if (before === after) return;
  await takeOut(writing, content, shown);
  await putIn(writing, members, content, shown);
}

const HAS_TEAM = statement<[one: number]>(
  () => `
    SELECT 1 FROM team_grant g WHERE g.generation = $1 AND g.content = $2 AND g.until = ${FOREVER} LIMIT 1`,
);

/** Whether a content has a default level or permissions of its own. */
async function isSet(
  { connection, generation }: Writing,
  members: SetChanges,
  content: ContentKey,
  level: number,
): Promise<boolean> {
  if (level !== INHERIT) return true;
  if ((await connection.read(HAS_TEAM, generation, content)).length > 0) return true;
  for (const role of ROLES) if (!(await members.isEmpty(memberSets.given(content, role)))) return true;
  return false;
}

export async function indexSites(writing: Writing, changes: readonly Of<"site">[]): Promise<void> {
  for (const { site, before } of changes) {
    if (before !== undefined) await CATALOG.end(writing, ["sites", titleKeyOf(before, site)]);
  }
  for (const { site, after } of changes) {
    if (after !== undefined)
      await CATALOG.put(writing, ["sites", titleKeyOf(after, site)], [`site/${site}`, 0]);
  }
}

/** Writes the lists of teams' permissions, strongest first. */
export async function indexTeamGrants(writing: Writing, changes: readonly Of<"teamGrant">[]): Promise<void> {
  for (const { team, content, before, after } of changes) {
    const list = `team/${team}`;
    if (before !== undefined) await CATALOG.end(writing, [list, `${6 - rank(before)}/${content}`]);
    if (after !== undefined)
      await CATALOG.put(writing, [list, `${6 - rank(after)}/${content}`], [content, 0]);
  }
}

const FIND = statement<never>(() => "INSERT INTO search (generation, entry, thing) VALUES ($1, $2, $3)");
const LOSE = statement<never>(() => "DELETE FROM search WHERE generation = $1 AND entry = $2 AND thing = $3");

/** Writes the search index: names and e-mail addresses of members, titles of everything else. */
export async function indexSearch(writing: Writing, changes: readonly RecordChange[]): Promise<void> {
  for (const change of changes) {
    const found = foundBy(change);
    if (found === undefined) continue;
    const { group, thing, before, after } = found;
    const old = new Set(before === undefined ? [] : entriesOf(group, before));
    const now = new Set(after === undefined ? [] : entriesOf(group, after));
    const { connection, generation } = writing;
    for (const entry of old) if (!now.has(entry)) await connection.write(LOSE, generation, entry, thing);
    for (const entry of now) if (!old.has(entry)) await connection.write(FIND, generation, entry, thing);
  }
}

interface FoundBy {
  readonly group: Group;
  readonly thing: string;
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[] | undefined;
}

function foundBy(change: RecordChange): FoundBy | undefined {
  switch (change.kind) {
    case "member":
      return {
        group: "member",
        thing: `member/${change.member}`,
        before: change.before && textsOf(change.before.doc),
        after: change.after && textsOf(change.after.doc),
      };
    case "team":
      return {
        group: "team",
        thing: `team/${change.team}`,
        before: change.before && [change.before.title],
        after: change.after && [change.after.title],
      };
    case "content":
      return {
        group: "content",
        thing: change.content,
        before: change.before && [change.before.title],
        after: change.after && [change.after.title],
      };
    case "site":
      return {
        group: "site",
        thing: `site/${change.site}`,
        before: change.before === undefined ? undefined : [change.before],
        after: change.after === undefined ? undefined : [change.after],
      };
    default:
      return undefined;
  }
}

function textsOf(doc: string): string[] {
  const { displayName, email }: { displayName: string; email?: string } = JSON.parse(doc);
  return email === undefined ? [displayName] : [displayName, email];
}
