/** The requests of the page's first view: who asks, what to review first, and the last results of the rules. */
import { ROLES } from "../../domain/role.ts";
import { modelOf } from "../../store/models.ts";
import type { Counts } from "../../store/reading.ts";
import type { RuleResult } from "../../store/rule-results.ts";
import { workInTurns } from "../../store/turns.ts";
import { contentsBySetting } from "./contents.ts";
import type { ShownCaller, Me, OverviewAnswer, RuleNode, RulesAnswer, Totals } from "../wire/answers.ts";
import type { Stamp } from "../wire/protocol.ts";
import { mustSeeAll } from "./viewer.ts";
import type { Asking, ExplorerOperation } from "./operation.ts";

export const me: ExplorerOperation = {
  id: "explorerMe",
  path: "/explorer/me",
  summary: "Describe the token",
  description:
    "The organization and the caller; for callers who see everything, also the number of things of each kind.",
  parameters: [],
  takes: "nothing",
  ask: () => async (asking) => {
    const { at } = asking.reading;
    const fields: Omit<Me, keyof Stamp> = {
      organization: { id: at.organization, title: at.title },
      caller: callerOf(asking),
      tokenId: asking.tokenId,
      ...(asking.issuer === undefined ? {} : { issuer: asking.issuer }),
      earliest: asking.earliest,
      confirmedAt: asking.confirmedAt ?? at.importedAt,
      ...(asking.viewer.all ? { totals: totalsOf(at.counts) } : {}),
      publicUrl: asking.publicUrl,
      version: asking.version,
    };
    return { of: "thing", fields };
  },
};

export function totalsOf({ members, teams, spaces, collections, sites, permissions }: Counts): Totals {
  return { members, teams, spaces, collections, sites, permissions };
}

function callerOf({ viewer: { member }, tokenName }: Asking): ShownCaller {
  if (member === undefined) return { kind: "organization", token: tokenName };
  return { kind: "member", ...member };
}

export const overview: ExplorerOperation = {
  id: "explorerOverview",
  path: "/explorer/overview",
  summary: "Count what to review first",
  description:
    "The numbers of organization admins, guests, closed contents, contents whose default level is `edit` or stronger, and deleted spaces. Each is the length of a list of `access`. For callers who see everything.",
  parameters: [],
  takes: "revision",
  ask: () => async (asking) => {
    mustSeeAll(asking, "count the organization's contents and members");
    const { reading } = asking;
    const { members, roles } = reading.at.counts;
    const { closed, broad, deleted } = await workInTurns(contentsBySetting(await modelOf(reading)));
    const fields: Omit<OverviewAnswer, keyof Stamp> = {
      admins: roles.admin,
      guests: members - ROLES.reduce((sum, role) => sum + roles[role], 0),
      closed: closed.length,
      broad: broad.length,
      deleted: deleted.length,
    };
    return { of: "thing", fields };
  },
};

export const rules: ExplorerOperation = {
  id: "explorerRules",
  path: "/explorer/rules",
  summary: "Show the last result of each rule",
  description:
    "The result of the last `rolebook check --record`, or of the last import or change with `--rules`: the breaches of each rule, the time of the check and the checked revision.",
  parameters: [],
  takes: "nothing",
  ask: () => async (asking) => {
    mustSeeAll(asking, "see the results of rules");
    const found = await asking.ruleResults();
    const fields: Omit<RulesAnswer, keyof Stamp> =
      found === undefined
        ? { rules: [] }
        : { checked: { at: found.checkedAt, revision: found.revision }, rules: found.results.map(nodeOf) };
    return { of: "thing", fields };
  },
};

function nodeOf({ rule, breaches, definition }: RuleResult): RuleNode {
  return { rule, breaches, listed: definition !== undefined };
}
