import { statement, writeEach } from "../../engine/engine.ts";
import { entriesOf, type Group } from "../../schema/search-terms.ts";
import type { StoredChange } from "./record-change.ts";
import type { Writing } from "./writing.ts";

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
  changes: readonly StoredChange[],
): Promise<void> {
  const lost: [entry: string, thing: string][] = [];
  const won: [entry: string, thing: string][] = [];
  for (const change of changes) {
    const found = foundBy(change);
    if (found === undefined) continue;
    const { group, thing, before, after } = found;
    const old = new Set(before === undefined ? [] : entriesOf(group, before));
    const now = new Set(after === undefined ? [] : entriesOf(group, after));
    for (const entry of old) if (!now.has(entry)) lost.push([entry, thing]);
    for (const entry of now) if (!old.has(entry)) won.push([entry, thing]);
  }
  await writeEach(connection, LOSE, [generation], lost);
  await writeEach(connection, FIND, [generation], won);
}

interface FoundBy {
  readonly group: Group;
  readonly thing: string;
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[] | undefined;
}

function foundBy(change: StoredChange): FoundBy | undefined {
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
