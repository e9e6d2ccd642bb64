/**
 * The guard (docs/snapshot.md): counts what the rules in `domain/guard.ts` compare, of a change by its records and of a
 * whole file by its staged differences, and names examples if the rules refuse.
 */
import { type ContentKey, kindOf } from "../../domain/content.ts";
import {
  type Confirmations,
  type Examples,
  type Portion,
  type Prospect,
  RISKS,
  type Risk,
  isRefused,
  judge,
  refusalOf,
} from "../../domain/guard.ts";
import { compareIds } from "../../domain/id.ts";
import { rank } from "../../domain/role.ts";
import { EMPTY } from "../../sets/head.ts";
import { childrenOf } from "../directory/below.ts";
import { contents } from "../directory/contents.ts";
import { type Staging, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { currentOf } from "../revisions/publication.ts";
import { holds } from "../schema/as-of.ts";
import { decodeContent, decodeDefaultLevel, decodeMemberRole } from "../schema/encoding.ts";
import {
  type AccessFields,
  accessFieldsOf,
  keyOfRecord,
  RECORD_KINDS,
  type RecordChange,
  type RecordKind,
  type RecordNames,
  titleIn,
} from "../../domain/record-change.ts";
import { recordColumns, recordOfRow, type RecordRow } from "../schema/record-change.ts";
import { SPACES, spaceSets } from "../schema/set-names.ts";
import { headsOf, sizeOf } from "../sets/containers.ts";
import { type RecordDifference, differing, type OrganizationChange } from "./generation/difference.ts";
import { describe } from "./resolve/preview.ts";
import { storedTexts } from "./resolve/stored.ts";

const GUEST = "0";
const ADMIN = String(rank("admin"));

type OfRecords = Exclude<Risk, "openedContent">;

function goes(kind: RecordKind): (change: RecordChange) => boolean {
  return (change) => change.kind === kind && change.was !== undefined && change.becomes === undefined;
}

/** Whether a changed record is a risk. */
const IS: Readonly<Record<OfRecords, (change: RecordChange) => boolean>> = {
  member: goes("member"),
  team: goes("team"),
  teamMember: goes("teamMember"),
  permission: goes("permission"),
  admin: ({ kind, was, becomes }) =>
    kind === "member" && was !== undefined && was !== ADMIN && becomes === ADMIN,
  formerGuest: ({ kind, was, becomes }) =>
    kind === "member" && was === GUEST && becomes !== undefined && becomes !== GUEST,
};

/** What would happen to an organization. */
interface GuardedChange {
  readonly organization: string;
  readonly title: string;
  /** The state before; absent for a new organization. */
  readonly base: Reading | undefined;
  /** How many members there would be. */
  readonly members: number;
  readonly affected: Readonly<Record<OfRecords, number>>;
  /** All changed collections, and the spaces that are moved, removed, or have another default level. */
  readonly contents: readonly RecordChange[];
  /** All changed records, with names. */
  differences(): AsyncIterable<readonly RecordDifference[]>;
}

/** The refusal of a change; `undefined` if there is none. `now` reads the names for the message. */
async function refusalOn(
  { organization, title, base, members, affected, contents, differences }: GuardedChange,
  meant: Confirmations,
  now: Reading | undefined,
): Promise<string | undefined> {
  const opened = base === undefined ? [] : await openedBy(base, contents);
  const before = base?.at.counts;
  const portion = (risk: OfRecords, of = 0): Portion => ({ affected: affected[risk], of });
  const portions = {
    member: portion("member", before?.members),
    team: portion("team", before?.teams),
    teamMember: portion("teamMember", before?.teamMembers),
    permission: portion("permission", before?.permissions),
    admin: portion("admin", before?.members),
    formerGuest: portion("formerGuest", before?.members),
    openedContent: { affected: opened.length, of: opened.length },
  };
  let prospect: Prospect = { organization, title, first: base === undefined, members, portions };
  // Closed contents are counted only if several would open, or if the refusal prints their number: counting reads all
  // collections.
  if (
    base !== undefined &&
    (opened.length > 1 || (opened.length === 1 && isRefused(judge(prospect, meant))))
  ) {
    const openedContent = { affected: opened.length, of: await closedContents(base) };
    prospect = { ...prospect, portions: { ...portions, openedContent } };
  }
  const verdict = judge(prospect, meant);
  if (!isRefused(verdict)) return undefined;
  const examples =
    now === undefined || verdict.risks.length === 0 ? {} : await examplesOf(now, differences(), opened);
  return refusalOf(prospect, verdict, examples);
}

/**
 * The refusal of changed records that need a confirmation; `undefined` if they need none. `base` is the state before the
 * changes; `now` reads the names for the message.
 */
export function refusalFor(
  base: Reading,
  now: Reading,
  title: string,
  changes: readonly RecordChange[],
): Promise<string | undefined> {
  const { organization, counts } = base.at;
  const count = (is: (change: RecordChange) => boolean) => changes.filter(is).length;
  const joined = count(({ kind, was }) => kind === "member" && was === undefined);
  const affected = {
    member: count(IS.member),
    team: count(IS.team),
    teamMember: count(IS.teamMember),
    permission: count(IS.permission),
    admin: count(IS.admin),
    formerGuest: count(IS.formerGuest),
  };
  const change = {
    organization,
    title,
    base,
    members: counts.members + joined - affected.member,
    affected,
    contents: changes.filter(isContent),
    differences: async function* () {
      yield await describe(now, organization, changes);
    },
  };
  return refusalOn(change, {}, now);
}

const CHANGED = statement<RecordRow>(
  () => `
    SELECT ${recordColumns("d")} FROM staged_difference d
      WHERE d.organization = $1 AND d.kind IN (${["member", "collection", "space"].map(placeOf).join(", ")})`,
);

function placeOf(kind: string): number {
  return RECORD_KINDS.findIndex((each) => each === kind);
}

/** The refusal of what a whole file does to an organization, as {@link refusalFor}. */
export async function refusalOfFile(
  staging: Staging,
  { organization, title, current, counts, kinds }: OrganizationChange,
  meant: Confirmations,
): Promise<string | undefined> {
  const base = current === undefined ? undefined : await currentOf(staging, organization);
  const affected = {
    member: kinds.member.removed,
    team: kinds.team.removed,
    teamMember: kinds.teamMember.removed,
    permission: kinds.permission.removed,
    admin: 0,
    formerGuest: 0,
  };
  const contents: RecordChange[] = [];
  const isRead = [kinds.member, kinds.collection, kinds.space].some(({ changed }) => changed > 0);
  for await (const row of isRead ? staging.stream(CHANGED, organization) : []) {
    const change = recordOfRow(row);
    if (IS.admin(change)) affected.admin++;
    if (IS.formerGuest(change)) affected.formerGuest++;
    if (change.kind === "collection" || (change.kind === "space" && mayOpen(change))) contents.push(change);
  }
  const change = {
    organization,
    title,
    base,
    members: counts.members,
    affected,
    contents,
    differences: async function* () {
      for await (const page of differing(staging)) {
        yield page.filter((each) => each.organization === organization);
      }
    },
  };
  return refusalOn(change, meant, base);
}

function isContent({ kind }: RecordChange): boolean {
  return kind === "collection" || kind === "space";
}

/** Whether a changed content is moved, or has another default level. */
function mayOpen({ was, becomes }: RecordChange): boolean {
  if (was === undefined || becomes === undefined) return becomes === undefined;
  const [before, after] = [accessFieldsOf(was), accessFieldsOf(becomes)];
  return before.defaultLevel !== after.defaultLevel || before.parent !== after.parent;
}

/** What decides whether a content is closed. */
type InheritanceFields = Pick<AccessFields, "parent" | "defaultLevel">;
type InheritanceByContent = Map<ContentKey, InheritanceFields>;

/** The contents that are closed at a revision, and that exist and are not closed after the given changes. */
async function openedBy(reading: Reading, changes: readonly RecordChange[]): Promise<ContentKey[]> {
  const becomes = new Map<ContentKey, InheritanceFields | undefined>();
  const moved: ContentKey[] = [];
  for (const change of changes) {
    const { content, becomes: now } = change;
    if (content === undefined) continue;
    becomes.set(content, now === undefined ? undefined : accessFieldsOf(now));
    if (now !== undefined && mayOpen(change)) moved.push(content);
  }
  if (moved.length === 0) return [];
  const parents = [...becomes.values()].flatMap((after) => after?.parent ?? []);
  const before: InheritanceByContent = new Map(await contents(reading, [...new Set([...moved, ...parents])]));
  const closed = await allBelow(
    reading,
    before,
    moved.filter((key) => isClosed(before, key)),
  );
  const after: InheritanceByContent = new Map(before);
  for (const [key, inheriting] of becomes) {
    if (inheriting === undefined) after.delete(key);
    else after.set(key, inheriting);
  }
  return closed.filter((key) => after.has(key) && !isClosed(after, key));
}

/** The given contents, and all contents that inherit from them, which it adds to `known`. */
async function allBelow(
  reading: Reading,
  known: InheritanceByContent,
  from: readonly ContentKey[],
): Promise<ContentKey[]> {
  const found = new Set(from);
  for (let next = from; next.length > 0;) {
    const inheriting = (await childrenOf(reading, next)).filter(
      ({ content, defaultLevel }) => defaultLevel === "inherit" && !found.has(content),
    );
    for (const child of inheriting) {
      found.add(child.content);
      known.set(child.content, child);
    }
    next = inheriting.map(({ content }) => content);
  }
  return [...found];
}

/**
 * Whether the default level that applies to a content is `null`. `known` must have all ancestors from which the content
 * inherits.
 */
function isClosed(known: InheritanceByContent, key: ContentKey): boolean {
  for (let content = known.get(key); content !== undefined;) {
    if (content.defaultLevel !== "inherit") return content.defaultLevel === null;
    content = content.parent === undefined ? undefined : known.get(content.parent);
  }
  return false;
}

const COLLECTIONS = statement<[id: string, parent: string | null, level: number]>(
  () => `
    SELECT c.id, c.parent, c.level FROM content c
      WHERE ${holds("c")} AND c.id >= 'collection/' AND c.id < 'collection0'`,
);

/** The number of closed contents. Reads all collections. */
async function closedContents(reading: Reading): Promise<number> {
  const collections: InheritanceByContent = new Map(
    (await reading.read(COLLECTIONS, ...reading.asOf)).map(([id, parent, level]) => [
      decodeContent(id),
      {
        parent: parent === null ? undefined : decodeContent(parent),
        defaultLevel: decodeDefaultLevel(level),
      },
    ]),
  );
  const closed = spaceSets.ending("closed");
  const [head = EMPTY] = await headsOf(reading, SPACES, [closed]);
  const spaces = await sizeOf(reading, SPACES, closed, head);
  return spaces + [...collections.keys()].filter((key) => isClosed(collections, key)).length;
}

/** The names of the first records that would be removed, promoted or opened, for each risk. */
async function examplesOf(
  now: Reading,
  differences: AsyncIterable<readonly RecordDifference[]>,
  opened: readonly ContentKey[],
): Promise<Examples> {
  const examples = new Map<Risk, string[]>(RISKS.map((risk) => [risk, []]));
  const first = opened.toSorted(compareIds).slice(0, MOST_NAMED);
  const said = await storedTexts(now, first.map(namesOf));
  for await (const page of differences) {
    for (const difference of page) {
      for (const risk of RISKS) {
        const found = examples.get(risk) ?? [];
        if (risk !== "openedContent" && found.length < MOST_NAMED && IS[risk](difference))
          found.push(nameOf(difference));
      }
      const { content, becomes } = difference;
      if (content === undefined || becomes === undefined || !isContent(difference)) continue;
      if (first.includes(content)) said.set(keyOfRecord(namesOf(content)), becomes);
    }
  }
  const titled = first.map((key) => {
    const text = said.get(keyOfRecord(namesOf(key)));
    return named(key, text && titleIn(text));
  });
  return Object.fromEntries(examples.set("openedContent", titled));
}

function namesOf(content: ContentKey): RecordNames {
  return { kind: kindOf(content), content };
}

/** The maximum number of records that a refusal names for each risk. */
const MOST_NAMED = 20;

/** A record's name for people: its ids, each followed by its title in parentheses. */
export function nameOf(difference: RecordDifference): string {
  const { kind, organization, member, team, content, site, was, becomes } = difference;
  const whom =
    member === undefined
      ? `team ${named(team, difference.teamTitle)}`
      : named(member, displayNameOf(difference.user));
  switch (kind) {
    case "organization":
      return named(organization, becomes);
    case "user":
    case "member":
      return whom;
    case "team":
      return named(team, difference.teamTitle);
    case "teamMember":
      return `${whom} in ${named(team, difference.teamTitle)}`;
    case "collection":
    case "space":
      return named(content, difference.contentTitle);
    case "site":
      return named(site, difference.siteTitle);
    case "siteSpace":
      return `${named(content, difference.contentTitle)} on ${named(site, difference.siteTitle)}`;
    case "permission":
      return `${decodeMemberRole(Number(was ?? becomes))} for ${whom} on ${named(content, difference.contentTitle)}`;
  }
}

/** An id, followed by its title if the title differs. */
export function named(id: string | undefined, title: string | undefined): string {
  return title === undefined || title === "" || title === id ? String(id) : `${id} (${title})`;
}

export function displayNameOf(doc: string | undefined): string | undefined {
  const user: { displayName?: unknown } = doc === undefined ? {} : JSON.parse(doc);
  return typeof user.displayName === "string" ? user.displayName : undefined;
}
