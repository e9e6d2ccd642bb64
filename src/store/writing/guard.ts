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
import { INHERIT, NOTHING } from "../../model/model.ts";
import { type Staging, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { currentOf } from "../revisions/publication.ts";
import { childrenOf, storedTexts, withAncestors } from "../rows/look-up.ts";
import { holds } from "../schema/as-of.ts";
import { decodeMemberRole } from "../schema/encoding.ts";
import {
  type AccessFields,
  accessFieldsOf,
  contentIn,
  keyOfRecord,
  RECORD_KINDS,
  type RecordChange,
  type RecordKind,
  type RecordNames,
  titleIn,
} from "../../domain/record-change.ts";
import { recordColumns, recordOfRow, type RecordRow } from "../schema/record-change.ts";
import type { RecordDifference, OrganizationChange } from "./organization-change.ts";
import { describe } from "./resolve/preview.ts";

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

/** The refusal of a change; `undefined` if there is none. `now` reads what is stored; absent for a new organization. */
async function refusalOn(
  { organization, title, base, members, affected, contents, differences }: GuardedChange,
  meant: Confirmations,
  now: Reading | undefined,
): Promise<string | undefined> {
  const opened = now === undefined ? [] : await openedBy(now, contents);
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
 * changes; `now` is the current one, of which the last of them are still to come.
 */
export function refusalFor(
  base: Reading,
  now: Reading,
  title: string,
  changes: readonly RecordChange[],
): Promise<string | undefined> {
  const { organization, counts } = base.at;
  const count = (is: (change: RecordChange) => boolean) => changes.filter(is).length;
  const joined = count(
    ({ kind, was, becomes }) => kind === "member" && was === undefined && becomes !== undefined,
  );
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

/**
 * The refusal of what a whole file does to an organization, as {@link refusalFor}. `differences` are the changed records
 * of the organization.
 */
export async function refusalOfFile(
  staging: Staging,
  { organization, title, current, counts, kinds }: OrganizationChange,
  meant: Confirmations,
  differences: () => AsyncIterable<readonly RecordDifference[]>,
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
    differences,
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
type InheritanceByContent = Map<ContentKey, InheritanceFields | undefined>;

/**
 * The contents that were closed before the given changes, and that exist and are not closed after them. `now` reads what
 * no change is about, which is as it was.
 */
async function openedBy(now: Reading, changes: readonly RecordChange[]): Promise<ContentKey[]> {
  const changed = new Map(changes.map((change) => [contentIn(change), change]));
  const moved = [...changed].filter(([, change]) => change.becomes !== undefined && mayOpen(change));
  if (moved.length === 0) return [];
  const said = (document: string | undefined) =>
    document === undefined ? undefined : accessFieldsOf(document);
  const were = new Map([...changed].map(([key, { was }]) => [key, said(was)]));
  const become = new Map([...changed].map(([key, { becomes }]) => [key, said(becomes)]));
  const parents = [...were.values(), ...become.values()].flatMap((fields) => fields?.parent ?? []);
  const stored: InheritanceByContent = new Map(await withAncestors(now, [...new Set(parents)]));
  const before: InheritanceByContent = new Map([...stored, ...were]);
  const first = moved.map(([key]) => key).filter((key) => isClosed(before, key));
  const closed = await allBelow(now, were, before, first);
  const after: InheritanceByContent = new Map([...before, ...become]);
  return closed.filter((key) => after.get(key) !== undefined && !isClosed(after, key));
}

/**
 * The given contents, and all contents that inherited from them, which it adds to `known`. `were` has the changed
 * contents as they were.
 */
async function allBelow(
  now: Reading,
  were: InheritanceByContent,
  known: InheritanceByContent,
  from: readonly ContentKey[],
): Promise<ContentKey[]> {
  const found = new Set(from);
  const inside = Map.groupBy(were, ([, fields]) => fields?.parent);
  for (let next = [...from]; next.length > 0;) {
    const children = (await childrenOf(now, next)).filter(({ content }) => !were.has(content));
    const others = next.flatMap((key) => inside.get(key) ?? []);
    next = [];
    for (const [content, fields] of [
      ...children.map((child) => [child.content, child] as const),
      ...others,
    ]) {
      if (fields?.defaultLevel !== "inherit" || found.has(content)) continue;
      found.add(content);
      known.set(content, fields);
      next.push(content);
    }
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

const LEVELS = statement<[number: number, parent: number | null, level: number]>(
  () => `SELECT r.number, r.parent, r.level FROM content_row r WHERE ${holds("r")} AND r.part = 0`,
);

/** The number of closed contents. Reads all contents. */
async function closedContents(reading: Reading): Promise<number> {
  const rows = await reading.read(LEVELS, ...reading.asOf);
  const contents = new Map(rows.map(([number, ...row]) => [number, row]));
  return rows.filter(([number]) => {
    for (let content = contents.get(number); content !== undefined;) {
      const [parent, level] = content;
      if (level !== INHERIT) return level === NOTHING;
      content = parent === null ? undefined : contents.get(parent);
    }
    return false;
  }).length;
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
