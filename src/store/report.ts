/** Lists users with an effective role, by content, and why they have the role; and what sites say. */
import type { ContentKey } from "../domain/content.ts";
import { CommandError } from "../domain/error.ts";
import { compareIds } from "../domain/id.ts";
import type { Decision, Step } from "../domain/ladder.ts";
import { type ContentRef, type Titled, type Titles, plain } from "../domain/reason.ts";
import { type Role, rank, roleOf } from "../domain/role.ts";
import type { ReportScope } from "../domain/scope.ts";
import { type Person, sentenceOf } from "../domain/why.ts";
import {
  findContent,
  findMember,
  findSite,
  findTeam,
  INHERIT,
  keyOf,
  levelOfRank,
  memberId,
  type Model,
  NOTHING,
  organizationRole,
  withAncestors,
} from "../model/model.ts";
import { givenOnSite } from "../model/members.ts";
import { contentRef, contentTitle, personIn, siteTitle, teamRef, titlesIn } from "../model/records.ts";
import { teamsOnSite } from "../model/teams.ts";
import { decisionsOn, rightsOn } from "../model/why.ts";
import { contentsOf, isWithin, membersWithin, type WhoScope } from "../model/within.ts";
import { modelOf } from "./models.ts";
import type { Reading } from "./reading.ts";
import { revisionFrom, revisionsUpTo } from "./revisions/past.ts";
import { giveTurn } from "./turns.ts";

export interface ReportRow {
  readonly content: ContentRef;
  /** The titles of the content's ancestors, topmost first. */
  readonly path: readonly string[];
  readonly user: Person;
  /** `null` for a guest. */
  readonly organizationRole: Role | null;
  readonly role: Role;
  /** The explanation that `rolebook why` prints. */
  readonly why: string;
}

/** Some rows of a report, and the number of contents that are complete so far. */
interface ReportPart {
  readonly rows: readonly ReportRow[];
  readonly contents: number;
}

/**
 * The rows of a report, by content (collections first, each kind by id), then by user id, in bounded memory. Throws a
 * CommandError if the scope names a record that does not exist.
 */
export async function* reportRows(reading: Reading, scope: ReportScope): AsyncGenerator<ReportPart> {
  const model = await modelOf(reading);
  const members = scope.users && membersNamed(reading, model, scope.users);
  const isNew = await newSince(reading, scope);
  if (scope.team !== undefined && findTeam(model, scope.team) === undefined)
    throw absent(reading, "team", scope.team);
  let done = 0;
  for (const content of await contentsIn(reading, scope)) {
    const rowOf = rowsOn(model, content);
    for await (const some of membersOn(model, content, scope, members)) {
      const entries = isNew === undefined ? some : some.filter((one) => isNew(content, one));
      if (entries.length > 0) yield { rows: entries.map(rowOf), contents: done };
    }
    done++;
  }
  yield { rows: [], contents: done };
}

/** Ascending. Throws a CommandError for a user who is not a member. */
function membersNamed(reading: Reading, model: Model, users: readonly string[]): Uint32Array {
  const members = new Set<number>();
  for (const user of users) {
    const member = findMember(model, user);
    if (member === undefined) throw absent(reading, "member", user);
    members.add(member);
  }
  return Uint32Array.from(members).sort();
}

/** A member with an effective role on a content. */
export interface Held {
  readonly member: number;
  readonly decision: Decision;
  readonly step: Step;
}

/**
 * The members whose role on a content is within a scope, ascending, in parts. Of `members`, if they are given, whether
 * guests or not; users and days of the scope are not looked at.
 */
export async function* membersOn(
  model: Model,
  content: number,
  scope: WhoScope,
  members?: Iterable<number>,
): AsyncGenerator<readonly Held[]> {
  const decide = decisionsOn(model, content);
  const who: WhoScope = members === undefined ? scope : { ...scope, guests: undefined };
  for (const some of members === undefined ? membersWithin(model, content, who) : [members]) {
    const held: Held[] = [];
    for (const member of some) {
      let step: Step | undefined;
      const decision = decide(member, (tried) => (step = tried));
      if (decision === undefined || step === undefined || !isWithin(model, member, decision, who)) continue;
      held.push({ member, decision, step });
    }
    yield held;
    await giveTurn();
  }
  // Also behind a content on which nobody is within the scope.
  await giveTurn();
}

/**
 * Whether a member who has a role on a content had none, or a lower one, at the last revision before a time. Members and
 * contents have their numbers of the revision that is read.
 */
export type IsNew = (content: number, held: Held) => boolean;

/**
 * Finds who is new since a day (UTC) began, or risen unless the scope names a day of {@link ReportScope.newSince};
 * `undefined` without a day. Throws a CommandError if no revision from before it is kept.
 */
export async function newSince(
  reading: Reading,
  { since, newSince: onlyNew }: Pick<ReportScope, "since" | "newSince">,
): Promise<IsNew | undefined> {
  const day = since ?? onlyNew;
  if (day === undefined) return undefined;
  const { organization, revision } = reading.at;
  const time = new Date(Date.parse(day) - 1).toISOString();
  const [last] = await revisionsUpTo(reading, organization, { time, below: revision + 1, limit: 1 });
  const at = last && (await revisionFrom(reading, organization, last.revision));
  if (at === undefined) {
    throw new CommandError(
      `No revision from before ${day} is kept, so nobody can tell what is new since then.`,
    );
  }
  const before = await modelOf(reading.of(at));
  const model = await modelOf(reading);
  let known:
    | { readonly content: number; readonly decide: ReturnType<typeof decisionsOn> | undefined }
    | undefined;
  return (content, { member, decision }) => {
    if (known?.content !== content) {
      const then = findContent(before, keyOf(model, content));
      known = { content, decide: then === undefined ? undefined : decisionsOn(before, then) };
    }
    const was = findMember(before, memberId(model, member));
    const had = was === undefined ? undefined : known.decide?.(was)?.role;
    return had === undefined || (since !== undefined && rank(had) < rank(decision.role));
  };
}

/** Words the rows of one content. */
function rowsOn(model: Model, content: number): (held: Held) => ReportRow {
  const { organization } = model;
  const key = keyOf(model, content);
  const named = contentRef(model, content);
  const [, ...above] = withAncestors(model, content);
  const path = above.map((x) => contentTitle(model, x)).toReversed();
  const titles = remembered(titlesIn(model));
  return ({ member, decision, step }) => {
    const user = personIn(model, member);
    const sentence = sentenceOf(
      {
        subject: key,
        organization,
        person: user,
        teams: rightsOn(model, member, content).teams,
        step,
        // Only explanations of members without a role need it, and a report has no rows for these members.
        givenAbove: false,
      },
      titles,
    );
    return {
      content: named,
      path,
      user,
      organizationRole: organizationRole(model, member),
      role: decision.role,
      why: plain(sentence),
    };
  };
}

/** Looks each title up once. */
function remembered({ content, team, site }: Titles): Titles {
  const known = new Map<string, string>();
  const once = (name: string, look: () => string) => {
    const title = known.get(name) ?? look();
    known.set(name, title);
    return title;
  };
  return {
    content: (key) => once(key, () => content(key)),
    team: (id) => once(`team/${id}`, () => team(id)),
    site: (id) => once(`site/${id}`, () => site(id)),
  };
}

/** The number of contents in a report. Throws a CommandError if the scope names a record that does not exist. */
export async function countContents(reading: Reading, scope: ReportScope): Promise<number> {
  return (await contentsIn(reading, scope)).length;
}

/** The contents of a report, in its order. `onAbsent` is as of {@link contentsNamed}. */
export async function contentsIn(
  reading: Reading,
  scope: ReportScope,
  onAbsent = refuse,
): Promise<Uint32Array> {
  const model = await modelOf(reading);
  const named = await contentsNamed([reading], scope, onAbsent);
  if (named === undefined) return model.contents.byKey;
  return Uint32Array.from(named.flatMap((key) => findContent(model, key) ?? []));
}

/**
 * The contents that a scope names in at least one of the readings: collections first, each kind sorted by id;
 * `undefined` for all contents. `onAbsent` receives a CommandError for each named record that exists in none of them.
 */
export async function contentsNamed(
  readings: readonly [Reading, ...Reading[]],
  { spaces = [], collections = [], sites = [] }: ReportScope,
  onAbsent = refuse,
): Promise<readonly ContentKey[] | undefined> {
  const names = [
    ...spaces.map((id) => ["space", id] as const),
    ...collections.map((id) => ["collection", id] as const),
    ...sites.map((id) => ["site", id] as const),
  ];
  if (names.length === 0) return undefined;
  const found = new Set<ContentKey>();
  const [latest] = readings;
  const models = await Promise.all(readings.map(modelOf));
  for (const [kind, id] of names) {
    const parts = models.map((model) => ({ model, contents: contentsOf(model, kind, id) }));
    if (parts.every(({ contents }) => contents === undefined)) onAbsent(absent(latest, kind, id));
    for (const { model, contents = [] } of parts) for (const x of contents) found.add(keyOf(model, x));
  }
  return [...found].sort(compareIds);
}

/** What a site itself says, whether or not it decides anywhere: to a team, to a user, or by its default level. */
export interface SiteRow {
  readonly site: Titled;
  readonly team?: Titled;
  readonly user?: Person;
  /** `null` for no access. */
  readonly role: Role | null;
}

/** How many rows of users are made until others get a turn. */
const USERS_A_TURN = 1000;

/**
 * What sites say, by site id: the default level unless it is `inherit`, then teams, then users, each by id. Of all sites
 * unless some are named. Throws a CommandError for a site that does not exist.
 */
export async function* siteRows(
  reading: Reading,
  named?: readonly string[],
): AsyncGenerator<readonly SiteRow[]> {
  const model = await modelOf(reading);
  const { ids, levels } = model.sites;
  for (const id of named === undefined ? ids : [...named].sort(compareIds)) {
    const number = findSite(model, id);
    if (number === undefined) throw absent(reading, "site", id);
    const site = { id, title: siteTitle(model, number) };
    const level = levelOfRank(levels[number] ?? INHERIT);
    if (level !== "inherit") yield [{ site, role: level }];
    const teams = teamsOnSite(model, number, { from: 0, most: model.teams.count });
    yield teams.map(({ team, role }) => ({ site, team: teamRef(model, team), role: roleOrNone(role) }));
    for (let from = 0; from < model.members.count;) {
      const users = givenOnSite(model, number, { from, most: USERS_A_TURN });
      yield users.map(({ member, code }) => ({
        site,
        user: personIn(model, member),
        role: roleOrNone(code),
      }));
      await giveTurn();
      from = users.length < USERS_A_TURN ? model.members.count : (users.at(-1)?.member ?? 0) + 1;
    }
  }
}

function roleOrNone(wanted: number): Role | null {
  return wanted === NOTHING ? null : roleOf(wanted);
}

function refuse(error: CommandError): void {
  throw error;
}

export function absent({ at }: Reading, kind: string, id: string): CommandError {
  return new CommandError(`There is no ${kind} ${JSON.stringify(id)} in organization ${at.organization}.`);
}
