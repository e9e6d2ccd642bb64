/** Writes the search index, and the sorted lists that the explorer shows: contents, sites, and permissions of teams. */
import type { ContentKey } from "../../../domain/content.ts";
import { ROLES } from "../../../domain/role.ts";
import { statement, writeEach } from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { contentTitleKey, titleKeyOf } from "../../../domain/title-key.ts";
import { INHERIT, decodeContent } from "../../schema/encoding.ts";
import { type SearchGroup, entriesOf } from "../../schema/search-terms.ts";
import { contentIn, type RecordChange, titleIn } from "../../../domain/record-change.ts";
import type { ContentRecord } from "../../schema/record-change.ts";
import { memberSets } from "../../schema/set-names.ts";
import { type ContentChange, listOf } from "./contents.ts";
import type { SetChanges } from "./sets.ts";
import { CATALOG, CONTENT, TEAM_GRANT, type Writing } from "./tables.ts";

const FIND = statement<never>(
  ({ given }) => `
    INSERT INTO search (generation, entry, thing)
      SELECT CAST($1 AS bigint), given.* FROM ${given(["text", "text"], 2)}`,
);
const LOSE = statement<never>(
  ({ isGiven }) =>
    `DELETE FROM search WHERE generation = $1 AND ${isGiven(["entry", "thing"], ["text", "text"], 2)}`,
);

/** Updates the search index: names and e-mail addresses of members, and titles of teams, contents and sites. */
export async function indexSearch(
  { connection, generation }: Writing,
  changes: readonly RecordChange[],
): Promise<void> {
  const lost: [entry: string, thing: string][] = [];
  const won: [entry: string, thing: string][] = [];
  for (const change of changes) {
    const found = foundBy(change);
    if (found === undefined) continue;
    const { group, thing, texts } = found;
    const entries = (said: string | undefined) =>
      new Set(said === undefined ? [] : entriesOf(group, texts(said)));
    const old = entries(change.was);
    const now = entries(change.becomes);
    for (const entry of old) if (!now.has(entry)) lost.push([entry, thing]);
    for (const entry of now) if (!old.has(entry)) won.push([entry, thing]);
  }
  await writeEach(connection, LOSE, [generation], lost);
  await writeEach(connection, FIND, [generation], won);
}

interface FoundBy {
  readonly group: SearchGroup;
  readonly thing: string;
  /** The texts by which the thing is found, in what its record says. */
  readonly texts: (said: string) => string[];
}

function foundBy(record: RecordChange): FoundBy | undefined {
  const { kind, member, team, site } = record;
  switch (kind) {
    case "user":
      return { group: "member", thing: `member/${member}`, texts: textsOf };
    case "team":
      return { group: "team", thing: `team/${team}`, texts: (said) => [titleIn(said)] };
    case "collection":
    case "space":
      return { group: "content", thing: contentIn(record), texts: (said) => [titleIn(said)] };
    case "site":
      return { group: "site", thing: `site/${site}`, texts: (said) => [said] };
    default:
      return undefined;
  }
}

function textsOf(doc: string): string[] {
  const { displayName, email }: { displayName: string; email?: string } = JSON.parse(doc);
  return email === undefined ? [displayName] : [displayName, email];
}

/** The fields of a content that affect its list entries. */
type ListedFields = Pick<ContentRecord, "parent" | "title" | "level">;

/** Writes the list entries of changed contents, and of contents whose permissions changed (`given`). */
export async function indexContents(
  writing: Writing,
  members: SetChanges,
  changes: readonly ContentChange[],
  given: ReadonlySet<ContentKey>,
): Promise<void> {
  const written = new Map<ContentKey, ListedFields>();
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
async function shownOf(
  writing: Writing,
  contents: readonly ContentKey[],
): Promise<Map<ContentKey, ListedFields>> {
  await CONTENT.load(
    writing,
    contents.map((content) => [content]),
  );
  const found = new Map<ContentKey, ListedFields>();
  for (const content of contents) {
    const row = await CONTENT.read(writing, [content]);
    if (row === undefined) continue;
    const [parent, title, level] = row;
    found.set(content, { parent: parent === null ? undefined : decodeContent(parent), title, level });
  }
  return found;
}

function listKeyOf(content: ContentKey, { parent, title }: ListedFields): [list: string, position: string] {
  return [listOf(parent), contentTitleKey(content, title)];
}

function takeOut(writing: Writing, content: ContentKey, shown: ListedFields): void {
  CATALOG.end(writing, listKeyOf(content, shown));
  CATALOG.end(writing, ["loose", contentTitleKey(content, shown.title)]);
}

function putIn(writing: Writing, content: ContentKey, shown: ListedFields, isOwn: boolean): void {
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
  contents: ReadonlyMap<ContentKey, ListedFields>,
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

export function indexSites(writing: Writing, changes: readonly RecordChange[]): void {
  for (const { site = "", was } of changes) {
    if (was !== undefined) CATALOG.end(writing, ["sites", titleKeyOf(was, site)]);
  }
  for (const { site = "", becomes } of changes) {
    if (becomes === undefined) continue;
    CATALOG.put(writing, ["sites", titleKeyOf(becomes, site)], [`site/${site}`, 0]);
  }
}

/** Writes the lists of teams' permissions, sorted by rank, highest first. */
export function indexTeamGrants(writing: Writing, grants: readonly RecordChange[]): void {
  for (const grant of grants) {
    if (grant.team === undefined) continue;
    const { was, becomes } = grant;
    const content = contentIn(grant);
    const list = `team/${grant.team}`;
    if (was !== undefined) CATALOG.end(writing, [list, `${6 - Number(was)}/${content}`]);
    if (becomes !== undefined)
      CATALOG.put(writing, [list, `${6 - Number(becomes)}/${content}`], [content, 0]);
  }
}
