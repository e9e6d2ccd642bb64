/** Converts changed records to events with titles and display names. */
import type { Event } from "../../../../domain/difference.ts";
import type { Names } from "../../../../domain/reason.ts";
import type { ContentKey } from "../../../../domain/content.ts";
import { roleOf } from "../../../../domain/role.ts";
import { decodeMemberRole } from "../../../schema/encoding.ts";
import { contents } from "../../../directory/inheritance.ts";
import { people } from "../../../directory/person.ts";
import { teamNodes } from "../../../directory/teams.ts";
import type { Sides } from "../contents/forest.ts";
import { accessFieldsOf } from "../../../schema/record-change.ts";
import type { ChangedRecord } from "./log.ts";

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
export async function namesOf(sides: Sides, records: Iterable<ChangedRecord>): Promise<Names> {
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
