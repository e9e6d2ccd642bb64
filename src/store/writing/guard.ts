/**
 * The guard (docs/snapshot.md): counts what the rules in `domain/guard.ts` compare, of a change by its records and of a
 * whole file by its staged differences, and names examples if the rules refuse.
 */
import { type ContentKey, type DefaultLevel, kindOf } from "../../domain/content.ts";
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
import { INHERIT, levelOfRank } from "../../model/model.ts";
import { type Staging, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { currentOf } from "../revisions/publication.ts";
import { readList } from "../rows/lists.ts";
import { childrenOf, linksOfSites, storedTexts, withAncestors } from "../rows/look-up.ts";
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
  siteIn,
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
  siteSpace: goes("siteSpace"),
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
  /**
   * The changed records that say from where contents inherit: collections, sites and links to sites, and the spaces that
   * are moved, removed, or have another default level.
   */
  readonly inheriting: readonly RecordChange[];
  /** All changed records, with names. */
  differences(): AsyncIterable<readonly RecordDifference[]>;
}

/** The refusal of a change; `undefined` if there is none. `now` reads what is stored; absent for a new organization. */
async function refusalOn(
  { organization, title, base, members, affected, inheriting, differences }: GuardedChange,
  meant: Confirmations,
  now: Reading | undefined,
): Promise<string | undefined> {
  const opened = now === undefined ? [] : await openedBy(now, inheriting);
  const before = base?.at.counts;
  const portion = (risk: OfRecords, of = 0): Portion => ({ affected: affected[risk], of });
  const portions = {
    member: portion("member", before?.members),
    team: portion("team", before?.teams),
    teamMember: portion("teamMember", before?.teamMembers),
    permission: portion("permission", before?.permissions),
    siteSpace: portion("siteSpace", before?.siteSpaces),
    admin: portion("admin", before?.members),
    formerGuest: portion("formerGuest", before?.members),
    openedContent: { affected: opened.length, of: opened.length },
  };
  let prospect: Prospect = { organization, title, first: base === undefined, members, portions };
  // Closed contents are counted only if several would open, or if the refusal prints their number: counting reads all
  // contents.
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
    siteSpace: count(IS.siteSpace),
    admin: count(IS.admin),
    formerGuest: count(IS.formerGuest),
  };
  const change = {
    organization,
    title,
    base,
    members: counts.members + joined - affected.member,
    affected,
    inheriting: changes.filter(({ kind }) => INHERITING.includes(kind)),
    differences: async function* () {
      yield await describe(now, organization, changes);
    },
  };
  return refusalOn(change, {}, now);
}

const INHERITING: readonly RecordKind[] = ["collection", "space", "site", "siteSpace"];

const CHANGED = statement<RecordRow>(
  () => `
    SELECT ${recordColumns("d")} FROM staged_difference d
      WHERE d.organization = $1 AND d.kind IN (${["member", ...INHERITING].map(placeOf).join(", ")})`,
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
    siteSpace: kinds.siteSpace.removed,
    admin: 0,
    formerGuest: 0,
  };
  const inheriting: RecordChange[] = [];
  const { member, collection, space, site, siteSpace } = kinds;
  const isRead =
    [member, collection, space, site].some(({ changed }) => changed > 0) ||
    (base !== undefined && siteSpace.added + siteSpace.removed > 0);
  for await (const row of isRead ? staging.stream(CHANGED, organization) : []) {
    const change = recordOfRow(row);
    if (IS.admin(change)) affected.admin++;
    if (IS.formerGuest(change)) affected.formerGuest++;
    const { kind } = change;
    if (INHERITING.includes(kind) && (kind !== "space" || mayOpen(change))) inheriting.push(change);
  }
  const change = { organization, title, base, members: counts.members, affected, inheriting, differences };
  return refusalOn(change, meant, base);
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

/** A state of contents and sites, as far as it decides whether some contents are closed. Contents are named by a `Key`. */
interface Inheritance<Key> {
  readonly contents: ReadonlyMap<
    Key,
    { readonly parent: Key | undefined; readonly defaultLevel: DefaultLevel } | undefined
  >;
  /** Of spaces on sites: the default levels of the sites other than `inherit`. */
  readonly onSites: ReadonlyMap<Key, readonly DefaultLevel[]>;
}

/**
 * The contents that were closed before the given changes, and that exist and are not closed after them. `now` reads what
 * no change is about, which is as it was.
 */
async function openedBy(now: Reading, changes: readonly RecordChange[]): Promise<ContentKey[]> {
  const [ofContents, ofSites] = [
    changes.filter(({ kind }) => kind === "collection" || kind === "space"),
    changes.filter(({ kind }) => kind === "site" || kind === "siteSpace"),
  ];
  const changed = new Map(ofContents.map((change) => [contentIn(change), change]));
  const moved = [...changed].filter(([, change]) => change.becomes !== undefined && mayOpen(change));
  if (moved.length + ofSites.length === 0) return [];
  const said = (document: string | undefined) =>
    document === undefined ? undefined : accessFieldsOf(document);
  const were = new Map([...changed].map(([key, { was }]) => [key, said(was)]));
  const become = new Map([...changed].map(([key, { becomes }]) => [key, said(becomes)]));
  const parents = [...were.values(), ...become.values()].flatMap((fields) => fields?.parent ?? []);
  const sites = await levelsOfSites(now, ofSites);
  const named = new Set([...parents, ...sites.affected]);
  const stored: InheritanceByContent = new Map(await withAncestors(now, [...named]));
  const before = { contents: new Map([...stored, ...were]), onSites: sites.before };
  const first = [...moved.map(([key]) => key), ...sites.affected].filter((key) => isClosed(before, key));
  const below = await allBelow(now, were, before.contents, first);
  const after = { contents: new Map([...before.contents, ...become]), onSites: sites.after };
  return below.filter(
    (key) => isClosed(before, key) && after.contents.get(key) !== undefined && !isClosed(after, key),
  );
}

/** The sites with a default level other than `inherit`. */
const SITE_LEVELS = statement<[site: string, level: number]>(
  () => `
    SELECT r.id, r.level FROM site_row r
      WHERE ${holds("r")} AND r.part = 0 AND r.level <> ${INHERIT}`,
);

const SILENT = ["inherit", "inherit"] as const;

/**
 * Before and after changes of sites and links, the default levels other than `inherit` of the sites that spaces are on,
 * by space; and the spaces for which they may differ. `now` reads what no change is about.
 */
async function levelsOfSites(now: Reading, changes: readonly RecordChange[]) {
  const levels = new Map<string, readonly [before: DefaultLevel, after: DefaultLevel]>();
  for (const [site, rank] of await now.read(SITE_LEVELS, ...now.asOf)) {
    const level = levelOfRank(rank);
    levels.set(site, [level, level]);
  }
  const levelIn = (document: string | undefined) =>
    document === undefined ? "inherit" : accessFieldsOf(document).defaultLevel;
  for (const { kind, site = "", was, becomes } of changes)
    if (kind === "site") levels.set(site, [levelIn(was), levelIn(becomes)]);
  const stored = await linksOfSites(now, [...levels.keys()]);
  const links = new Map(
    stored.map(({ says, ...names }): [string, RecordChange] => [
      keyOfRecord(names),
      { ...names, was: says, becomes: says },
    ]),
  );
  for (const change of changes) if (change.kind === "siteSpace") links.set(keyOfRecord(change), change);
  const before = new Map<ContentKey, DefaultLevel[]>();
  const after = new Map<ContentKey, DefaultLevel[]>();
  const affected = new Set<ContentKey>();
  for (const link of links.values()) {
    const [content, [was, is]] = [contentIn(link), levels.get(siteIn(link)) ?? SILENT];
    if (link.was !== undefined && was !== "inherit") append(before, content, was);
    if (link.becomes !== undefined && is !== "inherit") append(after, content, is);
    if (link.was !== link.becomes || was !== is) affected.add(content);
  }
  return { before, after, affected };
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
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
 * Whether the default level that applies to a content is `null`; of a space on several sites, all levels that apply. The
 * state must have all ancestors from which the content inherits.
 */
function isClosed<Key>({ contents, onSites }: Inheritance<Key>, key: Key): boolean {
  const levels = onSites.get(key);
  for (let content = contents.get(key); content !== undefined;) {
    if (content.defaultLevel !== "inherit") return content.defaultLevel === null;
    // Only spaces are on sites, and nothing inherits from a space.
    if (levels !== undefined) return levels.every((level) => level === null);
    content = content.parent === undefined ? undefined : contents.get(content.parent);
  }
  return false;
}

const LEVELS = statement<[number: number, parent: number | null, level: number]>(
  () => `SELECT r.number, r.parent, r.level FROM content_row r WHERE ${holds("r")} AND r.part = 0`,
);
const LEVELS_ON_SITES = statement<[site: string, part: number, level: number, spaces: string]>(
  () => `SELECT r.id, r.part, r.level, r.spaces FROM site_row r WHERE ${holds("r")} ORDER BY r.id, r.part`,
);

/** The number of closed contents. Reads all contents and sites. */
async function closedContents(reading: Reading): Promise<number> {
  const onSites = new Map<number, DefaultLevel[]>();
  let level: DefaultLevel = "inherit";
  for (const [, part, rank, spaces] of await reading.read(LEVELS_ON_SITES, ...reading.asOf)) {
    if (part === 0) level = levelOfRank(rank);
    if (level !== "inherit") for (const space of readList(spaces).keys()) append(onSites, space, level);
  }
  const rows = await reading.read(LEVELS, ...reading.asOf);
  const contents = new Map(
    rows.map(([number, parent, rank]) => [
      number,
      { parent: parent ?? undefined, defaultLevel: levelOfRank(rank) },
    ]),
  );
  return rows.filter(([number]) => isClosed({ contents, onSites }, number)).length;
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
      if (content === undefined || becomes === undefined || !first.includes(content)) continue;
      said.set(keyOfRecord(difference), becomes);
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
    case "permission": {
      const role = decodeMemberRole(Number(was ?? becomes)) ?? "no access";
      const where =
        site === undefined
          ? named(content, difference.contentTitle)
          : named(`site/${site}`, difference.siteTitle);
      return `${role} for ${whom} on ${where}`;
    }
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
