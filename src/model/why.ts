/** One member and one content or site as `decide` reads them (`domain/ladder.ts`), which also tells why. */
import { type ContentKey, contentKey, type ContentKind } from "../domain/content.ts";
import {
  decide,
  type Decision,
  type Ladder,
  type Level,
  type MemberRights,
  type SiteLevel,
  type Step,
} from "../domain/ladder.ts";
import { rank, type Role, roleOf } from "../domain/role.ts";
import { explain, explainSite, explainStrangerOnSite, type Explanation, type Person } from "../domain/why.ts";
import { ladderWithout, levelWithout, memberWithout, type Without } from "../domain/without.ts";
import { listIn, type Lists, MEMBERSHIP, PERMISSION, valueIn } from "./lists.ts";
import {
  findContent,
  findMember,
  findSite,
  INHERIT,
  keyOf,
  levelOf,
  levelOfRank,
  memberId,
  type Model,
  NOTHING,
  organizationRole,
  withAncestors,
} from "./model.ts";
import { ROLE } from "./code.ts";
import { accessOn } from "./paint.ts";
import { personIn, titlesIn } from "./records.ts";
import { sitesAround } from "./sites.ts";
import { spacesOfSite } from "./spaces.ts";

export interface ContentOrSite {
  readonly kind: ContentKind | "site";
  readonly id: string;
}

/** A content with its sites, of which `preferred` comes first: of several that give the same, the first one counts. */
function levelIn(model: Model, content: number, preferred?: number): Level {
  const sites = Array.from(sitesAround(model, content));
  sites.sort((a, b) => Number(b === preferred) - Number(a === preferred));
  return {
    content: keyOf(model, content),
    defaultLevel: levelOf(model, content),
    teams: new Map(teamsIn(model, model.contents.teams, content, roleOf)),
    ...(sites.length === 0 ? {} : { sites: sites.map((site) => siteIn(model, site)) }),
  };
}

function siteIn(model: Model, site: number): SiteLevel {
  return {
    site: model.sites.ids[site] ?? "",
    defaultLevel: levelOfRank(model.sites.levels[site] ?? INHERIT),
    teams: new Map(teamsIn(model, model.sites.teams, site, givenBy)),
  };
}

/** No access on a site is 0. */
function givenBy(role: number): Role | null {
  return role === NOTHING ? null : roleOf(role);
}

function* teamsIn<Given>(
  { teams }: Model,
  lists: Lists,
  x: number,
  given: (role: number) => Given,
): Generator<[string, Given]> {
  for (const entry of listIn(lists, x)) yield [teams.ids[entry >>> PERMISSION] ?? "", given(entry & ROLE)];
}

export function ladderOn(model: Model, content: number, preferred?: number): Ladder {
  return accessOn(model, content).levels.map((x) => levelIn(model, x, preferred));
}

/** What a member has; of the direct permissions those on `content`, its sites and the collections around it. */
export function rightsOn(model: Model, member: number, content: number): MemberRights {
  const { at, entries } = model.members.teams;
  const memberships = entries.subarray(at[member], at[member + 1]);
  const direct = new Map<ContentKey, Role>();
  for (const x of withAncestors(model, content)) {
    const role = valueIn(model.members.permissions, member, x, PERMISSION);
    if (role !== undefined) direct.set(keyOf(model, x), roleOf(role));
  }
  const onSites = new Map<string, Role | null>();
  for (const site of sitesAround(model, content)) {
    const role = valueIn(model.sites.users, site, member, PERMISSION);
    if (role !== undefined) onSites.set(model.sites.ids[site] ?? "", givenBy(role));
  }
  return {
    role: organizationRole(model, member),
    teams: Array.from(memberships, (entry) => model.teams.ids[entry >>> MEMBERSHIP] ?? ""),
    direct,
    ...(onSites.size === 0 ? {} : { directOnSites: onSites }),
  };
}

/** Decides for many members on one content, as {@link decisionOn} does for one. */
export function decisionsOn(
  model: Model,
  content: number,
): (member: number, report?: (step: Step) => void) => Decision | undefined {
  const ladder = ladderOn(model, content);
  return (member, report) => decide(ladder, rightsOn(model, member, content), report);
}

/** The effective role of a member on a content, and what gives it; `undefined` for no access. */
export function decisionOn(
  model: Model,
  member: number,
  content: number,
  report?: (step: Step) => void,
): Decision | undefined {
  return decide(ladderOn(model, content), rightsOn(model, member, content), report);
}

/**
 * The space that gives a member their role on a site, and the decision there: the first space with the highest role
 * (docs/permissions.md). With `without`, as if there were no such source.
 */
export function decisionOnSite(
  model: Model,
  member: number,
  site: number,
  without?: Without,
): { readonly space: number; readonly decision: Decision } | undefined {
  let best: { readonly space: number; readonly decision: Decision } | undefined;
  for (const space of spacesOfSite(model, site)) {
    const decision =
      without === undefined
        ? decide(ladderOn(model, space, site), rightsOn(model, member, space))
        : decide(
            ladderWithout(ancestryOf(model, space, site), [without]),
            memberWithout(memberId(model, member), rightsOn(model, member, space), [without]),
          );
    if (decision !== undefined && (best === undefined || rank(decision.role) > rank(best.decision.role)))
      best = { space, decision };
  }
  return best;
}

/** A content and all collections around it, nearest first. */
export function ancestryOf(model: Model, content: number, preferred?: number): Level[] {
  return Array.from(withAncestors(model, content), (x) => levelIn(model, x, preferred));
}

/**
 * Explains why a user has a role on a content or site, or has none. Returns `undefined` if the content or site does not
 * exist. For a user who is not a member, the explanation says so. With `without`, explains the role that the user would
 * have without that source.
 */
export function explanationOf(
  model: Model,
  user: string,
  { kind, id }: ContentOrSite,
  without?: Without,
): Explanation | undefined {
  if (kind === "site") return onSite(model, user, id, without);
  const content = findContent(model, contentKey(kind, id));
  return content === undefined ? undefined : onContent(model, user, content, without);
}

function onContent(
  model: Model,
  user: string,
  content: number,
  without: Without | undefined,
  preferred?: number,
): Explanation {
  const [here, ...above] = withAncestors(model, content);
  const cut = (x: number) => {
    const level = levelIn(model, x, preferred);
    return without === undefined ? level : levelWithout(level, [without]);
  };
  const found = findMember(model, user);
  const rights = found === undefined ? undefined : rightsOn(model, found, content);
  return explain({
    organization: model.organization,
    user: shown(model, user, found),
    member: rights && without !== undefined ? memberWithout(user, rights, [without]) : rights,
    ancestry: [cut(here ?? content), ...above.map(cut)],
    titles: titlesIn(model),
  });
}

function onSite(
  model: Model,
  user: string,
  id: string,
  without: Without | undefined,
): Explanation | undefined {
  const site = findSite(model, id);
  if (site === undefined) return undefined;
  const titled = { id, title: model.sites.titles[site] ?? id };
  const member = findMember(model, user);
  const person = shown(model, user, member);
  if (member === undefined) return explainStrangerOnSite(titled, model.organization, person);
  const found = decisionOnSite(model, member, site, without);
  const inner = found === undefined ? undefined : onContent(model, user, found.space, without, site);
  return explainSite(titled, spacesOfSite(model, site).length, person, inner);
}

function shown(model: Model, id: string, member: number | undefined): Person {
  return member === undefined ? { id, displayName: id } : personIn(model, member);
}
