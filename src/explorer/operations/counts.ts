import { absent } from "../../operations/authorize.ts";
import { countGivenToTeam } from "../../store/catalog.ts";
import { ladderFor, memberOf } from "../../store/members.ts";
import { membersByRole, spacesByRole, sumOf } from "../../store/mix.ts";
import { teamNodes } from "../../store/nodes.ts";
import type { Reading } from "../../store/reading.ts";
import { openSite } from "../../store/sites.ts";
import { total } from "../../store/levels.ts";
import { contentTarget } from "../../store/target.ts";
import type { CountsAnswer, Stamp } from "../wire.ts";
import { mayList } from "./allow.ts";
import type { ExplorerOperation } from "./operation.ts";
import { isContent, keyOf, KINDS, only, type Subject, subjectOf } from "./read.ts";

type Counts = Omit<CountsAnswer, keyof Stamp>;

/** How many of what, for one thing. */
export const counts: ExplorerOperation = {
  id: "explorerCounts",
  path: "/explorer/counts",
  summary: "Count who has which role, and how long the lists are",
  description:
    "For a content or a site: how many members hold each effective role; for a member: on how many spaces they hold each; and how long each list of `access` is. Worked out once a snapshot.",
  parameters: KINDS,
  takes: "revision",
  ask(query) {
    const subject = subjectOf(query);
    only(query, [subject.kind, "revision"]);
    return async (asking) => {
      await mayList(asking, subject);
      const fields = await countsOf(asking.reading, subject);
      if (fields === undefined) throw absent(subject.kind, subject.id);
      return { of: "thing", fields };
    };
  },
};

async function countsOf(reading: Reading, subject: Subject): Promise<Counts | undefined> {
  const { kind, id } = subject;
  if (isContent(subject)) {
    const ladder = await ladderFor(reading, keyOf(subject));
    const [level] = ladder ?? [];
    if (ladder === undefined || level === undefined) return undefined;
    const roles = await membersByRole(reading, contentTarget(ladder));
    return { roles, tabs: { everyone: sumOf(roles), people: total(level.direct), teams: level.teams.size } };
  }
  if (kind === "site") {
    const site = await openSite(reading, id);
    if (site === undefined) return undefined;
    const roles = await membersByRole(reading, site);
    return { roles, tabs: { everyone: sumOf(roles), spaces: site.ladders.length } };
  }
  if (kind === "member") {
    const member = await memberOf(reading, id);
    if (member === undefined) return undefined;
    const roles = await spacesByRole(reading, member);
    return { roles, tabs: { spaces: sumOf(roles), teams: member.teams.length } };
  }
  const team = (await teamNodes(reading, [id])).get(id);
  if (team === undefined) return undefined;
  return { tabs: { permissions: await countGivenToTeam(reading, id), members: team.members } };
}
