/** The source that something is asked to be without: whether it is there, and on which contents it has a say. */
import type { ContentKey } from "../../domain/content.ts";
import type { DefaultLevel } from "../../domain/content.ts";
import type { Role } from "../../domain/role.ts";
import type { Without } from "../../domain/without.ts";
import { holds } from "../as-of.ts";
import { decodeContent } from "../codes.ts";
import { statement } from "../engine.ts";
import { contents } from "../levels.ts";
import { memberOf, subjectOn } from "../members.ts";
import { teamNodes } from "../nodes.ts";
import type { Reading } from "../reading.ts";

/** What a source gives today: a role, or a default level; a team gives what its permissions say. */
export interface Source {
  readonly without: Without;
  readonly role?: Role;
  readonly level?: Exclude<DefaultLevel, "inherit">;
}

/** The source in a revision; `undefined` where it is not there. A default level that is `inherit` is no source. */
export async function sourceOf(reading: Reading, without: Without): Promise<Source | undefined> {
  if (without.of === "team") {
    return (await teamNodes(reading, [without.team])).has(without.team) ? { without } : undefined;
  }
  const content = (await contents(reading, [without.content])).get(without.content);
  if (content === undefined) return undefined;
  if (without.of === "default") {
    const level = content.defaultLevel;
    return level === "inherit" ? undefined : { without, level };
  }
  if (without.of === "grant") {
    const role = content.teams.get(without.team);
    return role === undefined ? undefined : { without, role };
  }
  const member = await memberOf(reading, without.user);
  const subject = member && (await subjectOn(reading, member, [[content]]));
  const role = subject?.direct.get(without.content);
  return role === undefined ? undefined : { without, role };
}

const GIVEN = statement<[content: string]>(
  () => `SELECT g.content FROM team_grant g WHERE ${holds("g")} AND g.team = $3 ORDER BY g.content`,
);

/** The contents on which the source is set: all that inherit from one of them may be different without it. */
export async function setOn(reading: Reading, without: Without): Promise<ContentKey[]> {
  if ("content" in without) return [without.content];
  const rows = await reading.read(GIVEN, ...reading.asOf, without.team);
  return rows.map(([content]) => decodeContent(content));
}
