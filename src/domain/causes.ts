/** Finds the changed records that caused the difference of a user's effective role on a content (docs/past.md). */
import { type AccessChanges, type ChangedRecord, compareCauses, levelIn } from "./changed-record.ts";
import type { ContentKey } from "./content.ts";
import {
  askSite,
  decide,
  type Decision,
  type Ladder,
  type MemberRights,
  type Rule,
  type Step,
} from "./ladder.ts";
import { rank, rankOrZero, type Role } from "./role.ts";

/** How the ladder of one content decides for one user, at one of the two revisions. */
export interface Climbed {
  readonly ladder: Ladder;
  readonly member: MemberRights;
  /** `undefined` for no access. */
  readonly decision: Decision | undefined;
}

/** Decides for a user on a ladder; `undefined` if the user is not a member or the content does not exist. */
export function climb(ladder: Ladder | undefined, member: MemberRights | undefined): Climbed | undefined {
  return ladder && member && { ladder, member, decision: decide(ladder, member) };
}

/** The rule that decides, and where. */
interface Place {
  /**
   * The index of the content on the ladder: -1 for the rule `admin`, and the ladder's length for `organization`. A site
   * comes between the space that asks it and what is above.
   */
  readonly level: number;
  readonly content: ContentKey | undefined;
  /** The site that decides, if one does. */
  readonly site?: string | undefined;
  readonly rule: Rule;
  /** The rank of the role if the rule is `team`, else 0. */
  readonly rank: number;
}

/** Where a site comes, behind the content that asks it. */
const ASIDE = 0.5;

/** What may have caused the difference of a user on a content. */
interface Suspects {
  /** That the user joined, left, or got another organization role. */
  readonly person: ChangedRecord | undefined;
  /** The records that changed what a content gives the user by its own permissions and default level. */
  at(content: ContentKey): Iterable<ChangedRecord>;
  /** The records that changed what a site says to the user on a space. */
  ofSite(space: ContentKey, site: string): Iterable<ChangedRecord>;
  /** Whether the user was in a team at the earlier revision, and at the later one. */
  wasIn(team: string): boolean;
  isIn(team: string): boolean;
}

/**
 * The causes of the difference of one user on a content, in the order of {@link compareCauses}:
 *
 * - the changed records of what decides at the later revision;
 * - the changed records of what decided at the earlier revision, if that comes first on the ladder or gave a higher role
 *   there;
 * - the content that was moved, if both decide above it, on different contents;
 * - if sites decide at both: of the site that gave more, or gives more, what it says and said;
 * - that the content was added, unless one of these records was added as late;
 * - if the user left or the content was removed, only that: the earlier of the two.
 */
export function causesOf(
  changes: AccessChanges,
  { user, content }: { readonly user: string; readonly content: ContentKey },
  earlier: Climbed | undefined,
  later: Climbed | undefined,
): ChangedRecord[] {
  const thing = changes.contents.get(content);
  const person = changes.people.get(user);
  if (later === undefined) return firstGone([person, thing]);
  const own = changes.own.get(user) ?? [];
  const suspects: Suspects = {
    person,
    *at(on) {
      for (const record of own) if (record.kind === "teamMember" || record.content === on) yield record;
      yield* changes.on(on);
    },
    *ofSite(space, site) {
      for (const record of own) if (record.kind === "teamMember" || record.site === site) yield record;
      yield* changes.ofSite(space, site);
    },
    wasIn: (team) => earlier?.member.teams.includes(team) === true,
    isIn: (team) => later.member.teams.includes(team),
  };
  const is = placeOf(later);
  const found = new Set(recordsBehind(suspects, is, "becomes", later.ladder));
  if (earlier !== undefined) {
    for (const record of earlierCauses(suspects, earlier, later, is)) found.add(record);
  } else if (thing !== undefined && thing.was === undefined) {
    // A record that was added explains a role alone if the content was there before or at once.
    const isExplained = [...found].some(({ was, revision }) => was === undefined && revision >= thing.first);
    if (!isExplained) found.add(thing);
  }
  return [...found].sort(compareCauses);
}

/** The causes that have to do with what decided at the earlier revision. */
function* earlierCauses(
  suspects: Suspects,
  earlier: Climbed,
  later: Climbed,
  is: Place,
): Generator<ChangedRecord> {
  const was = placeOf(earlier);
  const fork = forkOf(earlier.ladder, later.ladder);
  const isSame = was.content === is.content;
  if (was.level >= fork && is.level >= fork && !isSame) {
    const moved = later.ladder[fork - 1]?.content;
    for (const record of moved === undefined ? [] : suspects.at(moved))
      if (record.kind !== "permission" && record.member === undefined) yield record;
  } else if (was.site !== undefined && is.site !== undefined) {
    const isLess = strength(later) < strength(earlier);
    const site = isLess ? was.site : is.site;
    const [said, says] = [placeOnSite(earlier, site), placeOnSite(later, site)];
    if (says !== undefined) yield* recordsBehind(suspects, says, "becomes", later.ladder);
    if (said !== undefined && (says === undefined || isAhead(said, says)))
      yield* recordsBehind(suspects, said, "was", earlier.ladder);
  } else if (isSame && was.level === is.level ? isAhead(was, is) : was.level < is.level) {
    yield* recordsBehind(suspects, was, "was", earlier.ladder);
  }
}

function strength({ decision }: Climbed): number {
  return rankOrZero(decision?.role);
}

/** Where a site answers, whatever other sites say; `undefined` if it is not asked, or silent. */
function placeOnSite({ ladder: [space], member }: Climbed, id: string): Place | undefined {
  const site = space?.sites?.find((each) => each.site === id);
  const answer = space && site && askSite(space, site, member);
  return answer && asidePlace(space.content, answer);
}

function asidePlace(
  content: ContentKey,
  { site, rule, role }: Pick<Step, "rule" | "site"> & { readonly role?: Role | null },
): Place {
  return { level: ASIDE, content, site, rule, rank: rule === "team" ? rankOrZero(role) : 0 };
}

function placeOf({ ladder, member, decision }: Climbed): Place {
  const last = ladder.length - 1;
  if (decision === undefined) {
    const [space] = ladder;
    if (space?.sites !== undefined) {
      let refusal: Step | undefined;
      decide(ladder, member, (step) => (refusal = step));
      if (refusal?.site !== undefined) return asidePlace(space.content, refusal);
    }
    // Nothing gives a role: the last content is closed, or the member is a guest.
    const isOpen = ladder[last]?.defaultLevel === "inherit";
    return isOpen
      ? { level: ladder.length, content: undefined, rule: "organization", rank: 0 }
      : { level: last, content: ladder[last]?.content, rule: "default", rank: 0 };
  }
  const { rule, role, level } = decision;
  if (level === undefined) {
    return { level: rule === "admin" ? -1 : ladder.length, content: undefined, rule, rank: 0 };
  }
  const { content } = level;
  if (decision.site !== undefined) return asidePlace(content, decision);
  const index = ladder.findIndex((each) => each.content === content);
  return { level: index, content, rule, rank: rule === "team" ? rank(role) : 0 };
}

/** The changed records of what decides at one of the two revisions. */
function* recordsBehind(
  suspects: Suspects,
  { level, content, site, rule, rank: held }: Place,
  then: "was" | "becomes",
  ladder: Ladder,
): Generator<ChangedRecord> {
  const { person } = suspects;
  if (content === undefined) {
    if (person !== undefined) yield person;
    return;
  }
  let another: ChangedRecord | undefined;
  const on = ladder[Math.floor(level)];
  const given = site === undefined ? on?.teams : on?.sites?.find((each) => each.site === site)?.teams;
  for (const record of site === undefined ? suspects.at(content) : suspects.ofSite(content, site)) {
    const { kind, member, team } = record;
    if (record[then] === undefined) continue;
    if (kind === "siteSpace") yield record;
    else if (member !== undefined) {
      const role = given?.get(team ?? "");
      const isThrough = rule === "team" && role !== undefined && rankOrZero(role) === held;
      const isBehind = kind === "permission" ? rule === "direct" : isThrough;
      if (isBehind) yield record;
    } else if (team === undefined) {
      if (rule !== "default" || !saysOtherLevel(record)) continue;
      another = record;
      yield record;
    } else if (rule === "team" && Number(record[then]) === held) {
      if (then === "was" && !suspects.wasIn(team)) continue;
      // The permission of a team says nothing about a user who left the team, unless it is gone, too.
      if (record.becomes === undefined || suspects.isIn(team)) yield record;
    }
  }
  // Whoever joined, or became or ceased to be a guest, after the default level changed has the role because of that.
  if (rule !== "default" || person === undefined || !isOtherMember(person)) return;
  if (another === undefined || another.revision <= person.revision) yield person;
}

function firstGone(records: readonly (ChangedRecord | undefined)[]): ChangedRecord[] {
  const gone = records
    .filter((record) => record !== undefined)
    .filter(({ becomes }) => becomes === undefined);
  const first = Math.min(...gone.map(({ revision }) => revision));
  return gone.filter(({ revision }) => revision === first).sort(compareCauses);
}

/** A default level gives nothing to guests, whose organization role is logged as 0. */
function isOtherMember({ was, becomes }: ChangedRecord): boolean {
  return was === undefined || becomes === undefined || (Number(was) === 0) !== (Number(becomes) === 0);
}

function saysOtherLevel({ kind, was, becomes }: ChangedRecord): boolean {
  if (kind !== "site" && (was === undefined || becomes === undefined)) return true;
  return levelIn(was) !== levelIn(becomes);
}

/** The order of the rules, of which all but the first and the last apply at each content. */
const RULES: readonly Rule[] = ["admin", "direct", "team", "default", "organization"];

/** Whether a rule comes before another one on the same content, or is the same and gave as high a role. */
function isAhead(was: Place, now: Place): boolean {
  return (RULES.indexOf(was.rule) - RULES.indexOf(now.rule) || now.rank - was.rank) <= 0;
}

/** The number of contents with which both ladders begin, if they part because a content was moved; else infinity. */
function forkOf(from: Ladder, to: Ladder): number {
  const parting = from.findIndex(({ content }, index) => content !== to[index]?.content);
  const shared = parting === -1 ? from.length : parting;
  return shared === from.length && shared === to.length ? Number.POSITIVE_INFINITY : shared;
}
