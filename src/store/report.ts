/** Lists users with an effective role, by content, and why they have the role. */
import { type ContentKey, type ContentKind, contentKey, idOf, kindOf } from "../domain/content.ts";
import { CommandError } from "../domain/error.ts";
import { compareIds } from "../domain/id.ts";
import { type Decision, type Step, decide } from "../domain/ladder.ts";
import { type ContentRef, type Titles, plain } from "../domain/reason.ts";
import { type Role, rank } from "../domain/role.ts";
import type { ReportScope } from "../domain/scope.ts";
import { type Person, sentenceOf } from "../domain/why.ts";
import { type Content, ancestryOf, withAncestors, contents, ladderOf } from "./directory/contents.ts";
import { type Member, memberOf, withDirectOn, wholeMembers } from "./directory/members.ts";
import { personOf } from "./directory/person.ts";
import { spacesOfSite } from "./directory/sites.ts";
import { teamNodes } from "./directory/teams.ts";
import { titlesFor } from "./directory/titles.ts";
import { statement } from "./engine/engine.ts";
import type { Access } from "./listings/access.ts";
import { type ExplainedEntry, explainedMembers } from "./listings/entries.ts";
import { accessOnLadders, adminSet, guestSet } from "./listings/subject.ts";
import type { Reading } from "./reading.ts";
import { revisionFrom, revisionsUpTo } from "./revisions/past.ts";
import { holds } from "./schema/as-of.ts";
import { decodeContent } from "./schema/encoding.ts";
import { descend } from "./directory/below.ts";

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

const ROWS = 1000;

/**
 * The rows of a report, by content (collections first, each kind by id), then by user id. Reads in bounded memory.
 * Throws a CommandError if the scope names a record that does not exist.
 */
export async function* reportRows(reading: Reading, scope: ReportScope): AsyncGenerator<ReportPart> {
  let done = 0;
  const members = scope.users && (await membersNamed(reading, scope.users));
  const newOf = await newSince(reading, scope);
  if (scope.team !== undefined && !(await teamNodes(reading, [scope.team])).has(scope.team))
    throw absent(reading, "team", scope.team);
  for await (const keys of contentBlocks(reading, scope)) {
    const loaded = await withAncestors(reading, keys);
    const titles = await titlesFor(reading, loaded);
    const ladders = () => [...loaded.values()].map((content) => ladderOf(content, loaded));
    const looked: Member[] = [];
    for (const member of members ?? []) looked.push(await withDirectOn(reading, member, ladders()));
    for (const key of keys) {
      const content = loaded.get(key);
      if (content === undefined) throw new Error(`${key} is not in the revision.`);
      const path = ancestryOf(content, loaded)
        .slice(1)
        .map(({ title }) => title)
        .toReversed();
      const ladder = ladderOf(content, loaded);
      for await (const some of entriesOf(reading, ladder, scope, members && looked)) {
        const isNew = await newOf?.(key, some);
        const entries = isNew === undefined ? some : some.filter(({ id }) => isNew.has(id));
        yield { rows: entries.map((entry) => rowOf(reading, content, path, entry, titles)), contents: done };
      }
      done++;
    }
    yield { rows: [], contents: done };
  }
}

/** Sorted by id. Throws a CommandError for a user who is not a member. */
async function membersNamed(reading: Reading, users: readonly string[]): Promise<Member[]> {
  const members: Member[] = [];
  for (const user of new Set(users)) {
    const member = await memberOf(reading, user);
    if (member === undefined) throw absent(reading, "member", user);
    members.push(member);
  }
  return members.sort((a, b) => compareIds(a.id, b.id));
}

interface DecidedEntry extends Pick<ExplainedEntry, "id" | "document" | "role" | "memberRole"> {
  readonly step: Step;
}

async function* entriesOf(
  reading: Reading,
  ladder: readonly Content[],
  scope: ReportScope,
  members: readonly Member[] | undefined,
): AsyncGenerator<readonly DecidedEntry[]> {
  if (members !== undefined) {
    const isLeftOut = ({ role }: Member) => scope.withoutAdmins === true && role === "admin";
    yield members.filter((member) => !isLeftOut(member)).flatMap((member) => decided(ladder, member, scope));
    return;
  }
  const access = await accessWithin(reading, ladder, scope);
  for (let after: string | undefined; ;) {
    const { entries, next } = await explainedMembers(reading, access, { after, limit: ROWS }, scope.role);
    if (entries.length > 0) yield entries.map((entry) => ({ ...entry, step: entry.step() }));
    if (next === undefined) return;
    after = next;
  }
}

/** What gives a role, as far as a scope selects by it. */
type GivingScope = Pick<ReportScope, "least" | "direct" | "team">;

/** Those of a content whose role is within a scope; `role`, users and days are not looked at. */
export async function accessWithin(
  reading: Reading,
  ladder: readonly Content[],
  { guests, withoutAdmins, least, direct, team }: GivingScope & Pick<ReportScope, "guests" | "withoutAdmins">,
): Promise<Access> {
  const whole = await accessOnLadders(reading, [ladder]);
  const isFree = least === undefined && direct !== true && team === undefined;
  return whole.narrowed({
    within: guests === true ? [await guestSet(reading)] : [],
    without: withoutAdmins === true ? [await adminSet(reading)] : [],
    ...(!isFree && { accepts: (decision: Decision) => isWithin(decision, { least, direct, team }) }),
  });
}

function isWithin({ role, rule, team: through }: Decision, { least, direct, team }: GivingScope): boolean {
  if (least !== undefined && rank(role) < rank(least)) return false;
  return (direct !== true || rule === "direct") && (team === undefined || through === team);
}

/** Those of some users with a role on a content who had none, or a lower one, at the last revision before a time. */
export type NewOf = (
  content: ContentKey,
  held: readonly { readonly id: string; readonly role: Role }[],
) => Promise<ReadonlySet<string>>;

/**
 * Finds who is new since a day (UTC) began, or risen unless the scope names a day of {@link ReportScope.newSince};
 * `undefined` without a day. Throws a CommandError if no revision from before it is kept.
 */
export async function newSince(
  reading: Reading,
  { since, newSince: onlyNew }: Pick<ReportScope, "since" | "newSince">,
): Promise<NewOf | undefined> {
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
  const before = reading.of(at);
  return async (key, held) => {
    const users = held.map(({ id }) => id);
    const loaded = await contents(before, [key]);
    const content = loaded.get(key);
    if (content === undefined) return new Set(users);
    const ladder = ladderOf(content, loaded);
    const members = await wholeMembers(before, users);
    const isNew = ({ id, role }: (typeof held)[number]) => {
      const member = members.get(id);
      const had = member && decide(ladder, member)?.role;
      return had === undefined || (since !== undefined && rank(had) < rank(role));
    };
    return new Set(held.filter(isNew).map(({ id }) => id));
  };
}

/** The row of one member; empty if the member has no role within the scope. */
function decided(ladder: readonly Content[], member: Member, scope: ReportScope): DecidedEntry[] {
  let step: Step | undefined;
  const decision = decide(ladder, member, (tried) => (step = tried));
  if (decision === undefined || step === undefined || !isWithin(decision, scope)) return [];
  const { role } = decision;
  if (scope.role !== undefined && role !== scope.role) return [];
  const { id, document, role: memberRole } = member;
  return [{ id, document, role, memberRole, step: { ...step, teams: member.teams } }];
}

function rowOf(
  { at }: Reading,
  { content, title }: Content,
  path: readonly string[],
  { id, document, role, memberRole, step }: DecidedEntry,
  titles: Titles,
): ReportRow {
  const user = personOf({ id, role: memberRole, document });
  const sentence = sentenceOf(
    {
      subject: content,
      organization: { id: at.organization, title: at.title },
      person: user,
      teams: step.teams ?? [],
      step,
      // Only explanations of members without a role need it, and a report has no rows for these members.
      givenAbove: false,
    },
    titles,
  );
  return {
    content: { kind: kindOf(content), id: idOf(content), title },
    path,
    user,
    organizationRole: memberRole,
    role,
    why: plain(sentence),
  };
}

// The contents and the users of a report.

/** The number of contents whose ladders are loaded together. */
const CONTENTS = 256;

/** The number of contents in a report. Throws a CommandError if the scope names a record that does not exist. */
export async function countContents(reading: Reading, scope: ReportScope): Promise<number> {
  const named = await contentsNamed([reading], scope);
  return named?.length ?? reading.at.counts.collections + reading.at.counts.spaces;
}

/** A collection and everything in it: collections first, each kind sorted by id. */
export async function contentsBelow(reading: Reading, collection: ContentKey): Promise<ContentKey[]> {
  const found = [collection];
  for await (const some of descend(reading, [collection], false)) {
    for (const { content } of some) found.push(content);
  }
  return found.sort(compareIds);
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
  for (const [kind, id] of names) {
    const parts = await Promise.all(readings.map((reading) => contentsOf(reading, kind, id)));
    if (parts.every((keys) => keys === undefined)) onAbsent(absent(latest, kind, id));
    for (const keys of parts) for (const key of keys ?? []) found.add(key);
  }
  return [...found].sort(compareIds);
}

function refuse(error: CommandError): void {
  throw error;
}

/** The contents of a space, a collection or a site; `undefined` if it does not exist. */
async function contentsOf(
  reading: Reading,
  kind: ContentKind | "site",
  id: string,
): Promise<readonly ContentKey[] | undefined> {
  if (kind === "site") return spacesOfSite(reading, id);
  const key = contentKey(kind, id);
  if (!(await contents(reading, [key])).has(key)) return undefined;
  return kind === "space" ? [key] : contentsBelow(reading, key);
}

export function absent({ at }: Reading, kind: string, id: string): CommandError {
  return new CommandError(`There is no ${kind} ${JSON.stringify(id)} in organization ${at.organization}.`);
}

const NEXT = statement<[id: string]>(
  () => `SELECT c.id FROM content c WHERE ${holds("c")} AND c.id > $3 ORDER BY c.id LIMIT $4`,
);

/** The contents of a report in blocks, in the order of the report. `onAbsent` is as of {@link contentsNamed}. */
export async function* contentBlocks(
  reading: Reading,
  scope: ReportScope,
  onAbsent = refuse,
): AsyncGenerator<ContentKey[]> {
  yield* blocksOf(reading, await contentsNamed([reading], scope, onAbsent));
}

/** Yields the contents `named` in blocks; all contents of the organization, by key, if `named` is `undefined`. */
export async function* blocksOf(
  reading: Reading,
  named: readonly ContentKey[] | undefined,
): AsyncGenerator<ContentKey[]> {
  if (named !== undefined) {
    for (let start = 0; start < named.length; start += CONTENTS) yield named.slice(start, start + CONTENTS);
    return;
  }
  for (let after = ""; ;) {
    const rows = await reading.read(NEXT, ...reading.asOf, after, CONTENTS);
    if (rows.length === 0) return;
    yield rows.map(([id]) => decodeContent(id));
    after = rows.at(-1)?.[0] ?? after;
  }
}
