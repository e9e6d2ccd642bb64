/** Looks up a source of access: whether it exists, what it gives, and where it is set. */
import type { ContentKey, DefaultLevel } from "../../../domain/content.ts";
import { sourcePhrase } from "../../../domain/difference.ts";
import type { Phrase } from "../../../domain/reason.ts";
import type { Role } from "../../../domain/role.ts";
import type { Without } from "../../../domain/without.ts";
import { holds } from "../../schema/as-of.ts";
import { decodeContent } from "../../schema/encoding.ts";
import { statement } from "../../engine/engine.ts";
import { contents } from "../../directory/inheritance.ts";
import { memberOf, subjectOn } from "../../directory/members.ts";
import { personOf } from "../../directory/person.ts";
import { teamNodes } from "../../directory/teams.ts";
import type { Reading } from "../../reading.ts";

export interface Source {
  readonly without: Without;
  /** The role or default level that the source gives. Absent for a team, whose grants may have several roles. */
  readonly gives?: Role | DefaultLevel;
  /** The source in words, for example “team Docs’s edit on collection Handbook”. */
  readonly phrase: Phrase;
}

/** A source as of the revision; `undefined` if it does not exist. A default level of `inherit` is not a source. */
export async function sourceOf(reading: Reading, without: Without): Promise<Source | undefined> {
  const gives = await givenBy(reading, without);
  if (gives === undefined) return undefined;
  const [content, team, member] = await Promise.all([
    "content" in without ? contents(reading, [without.content]) : undefined,
    "team" in without ? teamNodes(reading, [without.team]) : undefined,
    without.of === "user" ? memberOf(reading, without.user) : undefined,
  ]);
  const phrase = sourcePhrase(without, gives === "" ? undefined : gives, {
    content: (key) => content?.get(key)?.title ?? key,
    team: (id) => team?.get(id)?.title ?? id,
    user: (id) => (member === undefined ? id : personOf(member).displayName),
  });
  return gives === "" ? { without, phrase } : { without, gives, phrase };
}

/** The role or default level that a source gives; "" for an existing team; `undefined` if the source does not exist. */
async function givenBy(reading: Reading, without: Without): Promise<Role | DefaultLevel | "" | undefined> {
  if (without.of === "team") {
    return (await teamNodes(reading, [without.team])).has(without.team) ? "" : undefined;
  }
  const content = (await contents(reading, [without.content])).get(without.content);
  if (content === undefined) return undefined;
  if (without.of === "default") return content.defaultLevel === "inherit" ? undefined : content.defaultLevel;
  if (without.of === "grant") return content.teams.get(without.team);
  const member = await memberOf(reading, without.user);
  const subject = member && (await subjectOn(reading, member, [[content]]));
  return subject?.direct.get(without.content);
}

const GIVEN = statement<[content: string]>(
  ({ by }) => `
    SELECT g.content FROM team_grant g${by("team_grant_of_team")}
      WHERE ${holds("g")} AND g.team = $3 ORDER BY g.content`,
);

/**
 * The contents on which a source is set. Removing the source affects only these contents and those that inherit from
 * them.
 */
export async function setOn(reading: Reading, without: Without): Promise<ContentKey[]> {
  if ("content" in without) return [without.content];
  const rows = await reading.read(GIVEN, ...reading.asOf, without.team);
  return rows.map(([content]) => decodeContent(content));
}
