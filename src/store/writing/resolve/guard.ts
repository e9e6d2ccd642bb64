/**
 * The guard of changes (docs/snapshot.md). It counts what the rules in `domain/guard.ts` compare: removals, promotions,
 * and closed contents that a change opens. If the rules refuse, it names examples.
 */
import { type ContentKey, kindOf } from "../../../domain/content.ts";
import {
  type Examples,
  type Portion,
  type Prospect,
  RISKS,
  type Risk,
  isRefused,
  judge,
  refusalOf,
} from "../../../domain/guard.ts";
import { compareIds } from "../../../domain/id.ts";
import { rank } from "../../../domain/role.ts";
import { statement } from "../../engine/engine.ts";
import { holds } from "../../schema/as-of.ts";
import type { Reading } from "../../reading.ts";
import { decodeContent, decodeDefaultLevel } from "../../schema/encoding.ts";
import {
  type AccessFields,
  accessFieldsOf,
  keyOfRecord,
  type RecordChange,
  type RecordKind,
  type RecordNames,
  titleIn,
} from "../../schema/record-change.ts";
import { SPACES, spaceSets } from "../../schema/set-names.ts";
import { sizesOf } from "../../sets/containers.ts";
import type { Difference } from "../generation/difference.ts";
import { NAMED, nameOf, named } from "../generation/prospect.ts";
import { childrenOf } from "../../directory/below.ts";
import { contents } from "../../directory/contents.ts";
import { describe } from "./preview.ts";
import { storedTexts } from "./stored.ts";

const GUEST = "0";
const ADMIN = String(rank("admin"));

const rises = {
  admin: ({ kind, was, becomes }: RecordChange) =>
    kind === "member" && was !== undefined && was !== ADMIN && becomes === ADMIN,
  formerGuest: ({ kind, was, becomes }: RecordChange) =>
    kind === "member" && was === GUEST && becomes !== undefined && becomes !== GUEST,
} as const;

function goes(kind: RecordKind): (change: RecordChange) => boolean {
  return (change) => change.kind === kind && change.was !== undefined && change.becomes === undefined;
}

/** What the guard compares for an organization. `at` reads the state before the changes. */
async function prospectOf(
  reading: Reading,
  title: string,
  changes: readonly RecordChange[],
): Promise<{ readonly prospect: Prospect; readonly opened: readonly ContentKey[] }> {
  const { organization, counts } = reading.at;
  const portion = (is: (change: RecordChange) => boolean, of: number): Portion => ({
    affected: changes.filter(is).length,
    of,
  });
  const opened = await openedBy(reading, changes);
  const portions = {
    member: portion(goes("member"), counts.members),
    team: portion(goes("team"), counts.teams),
    teamMember: portion(goes("teamMember"), counts.teamMembers),
    permission: portion(goes("permission"), counts.permissions),
    admin: portion(rises.admin, counts.members),
    formerGuest: portion(rises.formerGuest, counts.members),
    openedContent: { affected: opened.length, of: opened.length },
  };
  const added = changes.filter(({ kind, was }) => kind === "member" && was === undefined).length;
  const members = counts.members + added - portions.member.affected;
  const prospect: Prospect = { organization, title, first: false, members, portions };
  // Closed contents are counted only if several would open, or if the refusal prints their number: counting reads all
  // collections.
  if (opened.length === 0 || (opened.length === 1 && !isRefused(judge(prospect, {})))) {
    return { prospect, opened };
  }
  const openedContent = { affected: opened.length, of: await closedContents(reading) };
  return { prospect: { ...prospect, portions: { ...portions, openedContent } }, opened };
}

/** What decides whether a content is closed. */
type Inheriting = Pick<AccessFields, "parent" | "defaultLevel">;
type ByContent = Map<ContentKey, Inheriting>;

/** The contents that are closed at a revision, and that exist and are not closed after the given changes. */
async function openedBy(reading: Reading, changes: readonly RecordChange[]): Promise<ContentKey[]> {
  const becomes = new Map<ContentKey, Inheriting | undefined>();
  const moved: ContentKey[] = [];
  for (const { kind, content, was, becomes: now } of changes) {
    if (content === undefined || (kind !== "collection" && kind !== "space")) continue;
    const [before, after] = [was && accessFieldsOf(was), now && accessFieldsOf(now)];
    becomes.set(content, after || undefined);
    if (!before || !after) continue;
    if (before.defaultLevel !== after.defaultLevel || before.parent !== after.parent) moved.push(content);
  }
  if (moved.length === 0) return [];
  const parents = [...becomes.values()].flatMap((after) => after?.parent ?? []);
  const before: ByContent = new Map(await contents(reading, [...new Set([...moved, ...parents])]));
  const closed = await allBelow(
    reading,
    before,
    moved.filter((key) => isClosed(before, key)),
  );
  const after: ByContent = new Map(before);
  for (const [key, inheriting] of becomes) {
    if (inheriting === undefined) after.delete(key);
    else after.set(key, inheriting);
  }
  return closed.filter((key) => after.has(key) && !isClosed(after, key));
}

/** The given contents, and all contents that inherit from them, which it adds to `known`. */
async function allBelow(
  reading: Reading,
  known: ByContent,
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
function isClosed(known: ByContent, key: ContentKey): boolean {
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
  const collections: ByContent = new Map(
    (await reading.read(COLLECTIONS, ...reading.asOf)).map(([id, parent, level]) => [
      decodeContent(id),
      {
        parent: parent === null ? undefined : decodeContent(parent),
        defaultLevel: decodeDefaultLevel(level),
      },
    ]),
  );
  const [spaces = 0] = await sizesOf(reading, SPACES, [spaceSets.ending("closed")]);
  return spaces + [...collections.keys()].filter((key) => isClosed(collections, key)).length;
}

/**
 * The refusal of changes that need a confirmation (docs/snapshot.md); `undefined` if they need none. `base` is the
 * state before the changes; `now` reads the names for the message.
 */
export async function refusalFor(
  base: Reading,
  now: Reading,
  title: string,
  changes: readonly RecordChange[],
): Promise<string | undefined> {
  const { prospect, opened } = await prospectOf(base, title, changes);
  const verdict = judge(prospect, {});
  if (!isRefused(verdict)) return undefined;
  const { organization } = base.at;
  return refusalOf(prospect, verdict, await examplesOf(now, organization, changes, opened));
}

const IS: Readonly<Record<Exclude<Risk, "openedContent">, (change: RecordChange) => boolean>> = {
  member: goes("member"),
  team: goes("team"),
  teamMember: goes("teamMember"),
  permission: goes("permission"),
  ...rises,
};

/** The names of the first records that would be removed, promoted or opened, for each risk. */
async function examplesOf(
  now: Reading,
  organization: string,
  changes: readonly RecordChange[],
  opened: readonly ContentKey[],
): Promise<Examples> {
  const differences: Difference[] = await describe(now, organization, changes);
  const first = opened.toSorted(compareIds).slice(0, NAMED);
  const titles = await storedTexts(now, first.map(namesOf));
  const titleBefore = (key: ContentKey) => {
    const said = titles.get(keyOfRecord(namesOf(key)));
    return said && titleIn(said);
  };
  const examples: Partial<Record<Risk, string[]>> = {};
  for (const risk of RISKS) {
    examples[risk] =
      risk === "openedContent"
        ? first.map((key) => named(key, titleAfter(differences, key) ?? titleBefore(key)))
        : differences.filter(IS[risk]).slice(0, NAMED).map(nameOf);
  }
  return examples;
}

function namesOf(content: ContentKey): RecordNames {
  return { kind: kindOf(content), content };
}

function titleAfter(differences: readonly Difference[], key: ContentKey): string | undefined {
  return differences.find(({ content }) => content === key)?.contentTitle;
}
