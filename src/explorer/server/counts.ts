import { absent } from "../../operations/authorize.ts";
import { countGivenToTeam } from "./catalog.ts";
import { spacesByRole, totalOf } from "./list.ts";
import { roleCounts } from "../../store/listings/counts.ts";
import { accessOnContent, accessOnSite } from "../../store/listings/subject.ts";
import { ladderFor } from "../../store/directory/inheritance.ts";
import { memberOf } from "../../store/directory/members.ts";
import { directCounts } from "./nodes.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import type { Reading } from "../../store/reading.ts";
import type { CountsAnswer } from "../wire/answers.ts";
import type { Stamp } from "../wire/protocol.ts";
import { type Subject, isContent, isFiltering, keyOf } from "./query.ts";
import { LIST_PARAMETERS, listOf } from "./list-of.ts";
import type { ExplorerOperation } from "./operation.ts";

type Counts = Omit<CountsAnswer, keyof Stamp>;

export const counts: ExplorerOperation = {
  id: "explorerCounts",
  path: "/explorer/counts",
  summary: "Count the people in each role, and the rows of each list",
  description:
    "For a content or a site: the number of members with each effective role. For a member: the number of spaces on which they have each. Also the length of each list of `access` and, with a list's `tab` and filters, the number of rows that pass them. Computed once per revision.",
  parameters: LIST_PARAMETERS,
  takes: "revision",
  ask(query) {
    const { list, subject, filter, allow } = listOf(query, ["revision"]);
    return async (asking) => {
      await allow(asking);
      const { reading, viewer } = asking;
      const found = subject === undefined ? { tabs: {} } : await countsOf(reading, subject);
      const opened = isFiltering(filter) ? await list.open(reading, viewer) : undefined;
      if (found === undefined) throw absent(subject?.kind ?? "list", subject?.id ?? "");
      const filtered = await opened?.count();
      const fields: Counts = { ...found, ...(filtered === undefined ? {} : { filtered }) };
      return { of: "thing", fields };
    };
  },
};

async function countsOf(reading: Reading, subject: Subject): Promise<Counts | undefined> {
  const { kind, id } = subject;
  if (isContent(subject)) {
    const key = keyOf(subject);
    const access = await accessOnContent(reading, key);
    if (access === undefined) return undefined;
    const [level] = (await ladderFor(reading, key)) ?? [];
    const roles = await roleCounts(reading, key, access);
    const people = (await directCounts(reading, [key])).get(key) ?? 0;
    return { roles, tabs: { everyone: totalOf(roles), people, teams: level?.teams.size ?? 0 } };
  }
  if (kind === "site") {
    const access = await accessOnSite(reading, id);
    if (access === undefined) return undefined;
    const roles = await roleCounts(reading, `site/${id}`, access);
    return { roles, tabs: { everyone: totalOf(roles), spaces: access.subjects.length } };
  }
  if (kind === "member") {
    const member = await memberOf(reading, id);
    if (member === undefined) return undefined;
    const roles = await spacesByRole(reading, member);
    return { roles, tabs: { spaces: totalOf(roles), teams: member.teams.length } };
  }
  const team = (await teamNodes(reading, [id])).get(id);
  if (team === undefined) return undefined;
  return { tabs: { permissions: await countGivenToTeam(reading, id), members: team.members } };
}
