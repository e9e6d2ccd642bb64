/** The names in a difference: titles and paths of contents, and changed records as events with their names. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Event } from "../../../domain/difference.ts";
import type { Names } from "../../../domain/reason.ts";
import { roleOf } from "../../../domain/role.ts";
import { contents } from "../../directory/contents.ts";
import { people } from "../../directory/person.ts";
import { teamNodes } from "../../directory/teams.ts";
import { statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { holds } from "../../schema/as-of.ts";
import { decodeContent, decodeMemberRole } from "../../schema/encoding.ts";
import { accessFieldsOf } from "../../../domain/record-change.ts";
import type { ChangedRecord, TwoReadings } from "./log.ts";

export interface ContentName {
  readonly title: string;
  /** The titles of the content's ancestors, topmost first. */
  readonly path: readonly string[];
}

interface TitleAndParent {
  readonly title: string;
  readonly parent: ContentKey | undefined;
}

const NAMED = statement<[id: string, parent: string | null, title: string]>(
  ({ texts, lookUp }) => `
    SELECT c.id, c.parent, c.title FROM ${lookUp(
      texts("$3", "wanted"),
      "content",
      "c",
      `${holds("c")} AND c.id = wanted.value`,
    )}`,
);

/** The titles and paths of contents at the later revision, or at the earlier one if a content is missing at the later. */
export async function contentNames(
  { before, after }: TwoReadings,
  keys: readonly ContentKey[],
): Promise<ReadonlyMap<ContentKey, ContentName>> {
  const found = new Map<ContentKey, ContentName>();
  for (const reading of [after, before]) {
    const missing = keys.filter((key) => !found.has(key));
    const titled = await withAllAbove(reading, missing);
    const paths = new Map<ContentKey, readonly string[]>();
    for (const key of missing) {
      const content = titled.get(key);
      if (content !== undefined)
        found.set(key, { title: content.title, path: pathIn(titled, content, paths) });
    }
  }
  return found;
}

/** The titles of a content's ancestors, topmost first. `paths` caches them by parent. */
function pathIn(
  titled: ReadonlyMap<ContentKey, TitleAndParent>,
  { parent }: TitleAndParent,
  paths: Map<ContentKey, readonly string[]>,
): readonly string[] {
  if (parent === undefined) return [];
  const known = paths.get(parent);
  if (known !== undefined) return known;
  const above = titled.get(parent);
  const path = [...(above === undefined ? [] : pathIn(titled, above, paths)), above?.title ?? parent];
  paths.set(parent, path);
  return path;
}

/** Loads the titles of contents and of all their ancestors. */
async function withAllAbove(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<ReadonlyMap<ContentKey, TitleAndParent>> {
  const found = new Map<ContentKey, TitleAndParent>();
  for (let wanted = new Set(keys); wanted.size > 0;) {
    const above = new Set<ContentKey>();
    for (const [id, parentId, title] of await reading.read(NAMED, ...reading.asOf, [...wanted])) {
      const parent = parentId === null ? undefined : decodeContent(parentId);
      found.set(decodeContent(id), { title, parent });
      if (parent !== undefined) above.add(parent);
    }
    wanted = new Set([...above].filter((key) => !found.has(key)));
  }
  return found;
}

/** The event of a changed record that affects access. */
export function eventOf({ kind, member = "", team = "", content, was, becomes }: ChangedRecord): Event {
  if (kind === "member") {
    return {
      of: "member",
      user: member,
      ...given(was, memberRole, "was"),
      ...given(becomes, memberRole, "becomes"),
    };
  }
  if (kind === "teamMember") return { of: "membership", user: member, team, joined: was === undefined };
  if (content === undefined) throw new TypeError(`A ${kind} in the log of changes names no content.`);
  if (kind !== "permission") {
    return {
      of: "content",
      content,
      ...given(was, accessFieldsOf, "was"),
      ...given(becomes, accessFieldsOf, "becomes"),
    };
  }
  const whom = member === "" ? { team } : { user: member };
  return {
    of: "permission",
    content,
    ...whom,
    ...given(was, role, "was"),
    ...given(becomes, role, "becomes"),
  };
}

function given<Value, Name extends string>(
  text: string | undefined,
  read: (text: string) => Value,
  name: Name,
): { [key in Name]?: Value } {
  const found: { [key in Name]?: Value } = {};
  if (text !== undefined) found[name] = read(text);
  return found;
}

function memberRole(text: string) {
  return decodeMemberRole(Number(text));
}

function role(text: string) {
  return roleOf(Number(text));
}

/**
 * The names in sentences about changed records, as of the later revision, or as of the earlier one if missing there.
 */
export async function namesOf(sides: TwoReadings, records: Iterable<ChangedRecord>): Promise<Names> {
  const [users, teams, keys] = [new Set<string>(), new Set<string>(), new Set<ContentKey>()];
  for (const record of records) {
    const event = eventOf(record);
    if ("user" in event && event.user !== undefined) users.add(event.user);
    if ("team" in event && event.team !== undefined) teams.add(event.team);
    if (!("content" in event)) continue;
    keys.add(event.content);
    if (event.of !== "content") continue;
    for (const place of [event.was, event.becomes]) if (place?.parent !== undefined) keys.add(place.parent);
  }
  const found = {
    users: new Map<string, string>(),
    teams: new Map<string, string>(),
    contents: new Map<ContentKey, string>(),
  };
  for (const reading of [sides.before, sides.after]) {
    for (const [id, { displayName }] of await people(reading, [...users])) found.users.set(id, displayName);
    for (const [id, { title }] of await teamNodes(reading, [...teams])) found.teams.set(id, title);
    for (const [key, { title }] of await contents(reading, [...keys])) found.contents.set(key, title);
  }
  return {
    user: (id) => found.users.get(id) ?? id,
    team: (id) => found.teams.get(id) ?? id,
    content: (key) => found.contents.get(key) ?? key,
  };
}
