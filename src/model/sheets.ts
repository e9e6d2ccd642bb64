/**
 * Whole lists: of members, or of the spaces on which somebody has a role. A sheet has a byte for each member, or for each
 * space by creation, as `paint.ts` paints it: 0 for who or what is not in the list. Filters take bytes away; counts, pages
 * and the place of a row follow from what is left.
 */
import { rank } from "../domain/role.ts";
import { PERMISSION } from "./lists.ts";
import { branchesOn, paintSite, placeIn } from "./members.ts";
import { ADMIN, derived, INHERIT, keptLast, type Model, NOTHING } from "./model.ts";
import { BY_ORGANIZATION, BY_TEAM, DIRECT, ROLE, THROUGH } from "./code.ts";
import { accessOn, paint, WIDEST } from "./paint.ts";
import { type Holder, holderOf, saidTo } from "./sites.ts";
import { byCreation, spacesOfSite } from "./spaces.ts";

export interface Sheet {
  readonly codes: Uint8Array;
  /** On a site: the content from which each role comes. */
  readonly spaces?: Uint32Array;
}

/** What a list is of. */
export type ListSubject =
  /** Everybody with a role on a content; those with a direct permission there. */
  | { readonly of: "content" | "given"; readonly content: number }
  | { readonly of: "site"; readonly site: number }
  /** The members of a team: each counts as having the role `read`. With `on`, by their role on a content. */
  | { readonly of: "team"; readonly team: number; readonly on?: number }
  /** All members by organization role; with `role`, those with exactly this one, else guests count as `read`. */
  | { readonly of: "organization"; readonly role?: number }
  /** The spaces of a member, and those that the permissions of a team open. */
  | { readonly of: "spaces"; readonly member: number }
  | { readonly of: "opened"; readonly team: number };

/** How many bytes are painted on the branches of a site until others get a turn: some milliseconds. */
const BYTES_A_TURN = 1 << 21;
const CONTENTS_A_TURN = 50_000;

/** Paints a whole list. What the permissions of team `through` give is marked, if one is named. */
export function* sheetOf(model: Model, subject: ListSubject, through?: number): Generator<void, Sheet> {
  const { count } = model.members;
  switch (subject.of) {
    case "content": {
      const codes = new Uint8Array(count);
      const access = accessOn(model, subject.content);
      for (let from = 0; from < count; from += WIDEST) {
        const to = Math.min(count, from + WIDEST);
        paint(model, access, from, to, codes.subarray(from, to), through);
        yield;
      }
      return { codes };
    }
    case "site":
      return yield* sheetOfSite(model, subject.site, through);
    case "given": {
      const codes = new Uint8Array(count);
      const { at, entries } = model.contents.users;
      const end = at[subject.content + 1] ?? 0;
      for (let g = at[subject.content] ?? 0; g < end; g++) {
        const entry = entries[g] ?? 0;
        codes[entry >>> PERMISSION] = (entry & ROLE) | DIRECT;
      }
      return { codes };
    }
    case "team": {
      const members = membersOf(model, subject.team);
      if (subject.on !== undefined) {
        const everyone = yield* sheetOf(model, { of: "content", content: subject.on }, through);
        return narrowed(everyone, { within: [members] });
      }
      const codes = new Uint8Array(count);
      for (let k = 0; k < members.length; k++) codes[members[k] ?? 0] = READ;
      return { codes };
    }
    case "organization":
      return { codes: recoded(model.members.roles, (role) => organizationCode(role, subject.role)) };
    case "spaces":
      return yield* sheetOfSpaces(model, holderOf(model, subject.member), through);
    case "opened":
      // What a guest has who is in this team alone.
      return yield* sheetOfSpaces(model, { role: NOTHING, teams: [subject.team] }, through);
  }
}

const READ = rank("read");

/** Other bytes for bytes. A million calls would take long, a table does not. */
export function recoded(bytes: Uint8Array, codeFor: (byte: number) => number): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => codeFor(byte));
  const codes = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) codes[at] = table[bytes[at] ?? 0] ?? 0;
  return codes;
}

function organizationCode(role: number, only: number | undefined): number {
  if (only !== undefined) return role === only ? role : NOTHING;
  return role === NOTHING ? READ : role;
}

/** The members of a team, ascending. */
export function membersOf({ teams }: Model, team: number): Uint32Array {
  return teams.members.entries.subarray(teams.members.at[team], teams.members.at[team + 1]);
}

function* sheetOfSite(model: Model, site: number, through: number | undefined): Generator<void, Sheet> {
  const { count } = model.members;
  const codes = new Uint8Array(count);
  const spaces = new Uint32Array(count);
  const listed = spacesOfSite(model, site);
  const width = Math.max(512, Math.min(WIDEST, Math.floor(BYTES_A_TURN / (branchesOn(model, site) + 1))));
  for (let from = 0; from < count; from += width) {
    const to = Math.min(count, from + width);
    const words = paintSite(model, site, from, to, codes.subarray(from, to), through);
    for (let i = 0; i < to - from; i++) spaces[from + i] = listed[placeIn(words, i)] ?? 0;
    yield;
  }
  return { codes, spaces };
}

function* sheetOfSpaces(model: Model, holder: Holder, through: number | undefined): Generator<void, Sheet> {
  const held = yield* codesOf(model, holder, through);
  return { codes: Uint8Array.from(byCreation(model).order, (x) => held[x] ?? NOTHING) };
}

/** The painted byte on each content. Depth first: whatever is around a content was looked at before. */
function* codesOf(model: Model, holder: Holder, through: number | undefined): Generator<void, Uint8Array> {
  const { contents } = model;
  const { role } = holder;
  if (role === ADMIN) return new Uint8Array(contents.count).fill(ADMIN | BY_ORGANIZATION);
  const held = ownCodes(model, holder, through);
  const said = saidTo(model, holder, through);
  const organization = role === NOTHING ? NOTHING : role | BY_ORGANIZATION;
  for (let x = 0; x < contents.count; x++) {
    if (x % CONTENTS_A_TURN === CONTENTS_A_TURN - 1) yield;
    if (held[x] !== NOTHING) continue;
    const level = contents.levels[x] ?? INHERIT;
    const parent = contents.parents[x] ?? -1;
    if (level !== INHERIT) held[x] = role === NOTHING ? NOTHING : level;
    else {
      const answer = said(x);
      if (answer !== NOTHING) held[x] = (answer & ROLE) === NOTHING ? NOTHING : answer;
      else held[x] = parent < 0 ? organization : (held[parent] ?? NOTHING);
    }
  }
  yield;
  return held;
}

const heldByMembers = derived(
  ["member", "teamMember", "collection", "space", "site", "siteSpace", "permission"],
  () => new Map<number, Uint8Array>(),
);
/** Of how many members it is kept, the last used ones. */
const MOST_HOLDERS = 8;

/** The painted byte of a member on each content. */
export function* codesHeldBy(model: Model, member: number): Generator<void, Uint8Array> {
  const kept = heldByMembers(model);
  const held = kept.get(member) ?? (yield* codesOf(model, holderOf(model, member), undefined));
  return keptLast(kept, member, MOST_HOLDERS, () => held);
}

/** What teams and direct permissions give, by content. Of teams with equal roles, the one with the smallest id counts. */
function ownCodes(
  { teams, members, contents }: Model,
  holder: Holder,
  through: number | undefined,
): Uint8Array {
  const own = new Uint8Array(contents.count);
  for (const team of holder.teams) {
    const by = team === through ? BY_TEAM | THROUGH : BY_TEAM;
    const { at, entries } = teams.permissions;
    for (const entry of entries.subarray(at[team], at[team + 1])) {
      const x = entry >>> PERMISSION;
      if ((entry & ROLE) > ((own[x] ?? NOTHING) & ROLE)) own[x] = (entry & ROLE) | by;
    }
  }
  if (holder.direct === undefined) return own;
  const { at, entries } = members.permissions;
  for (const entry of entries.subarray(at[holder.direct], at[holder.direct + 1]))
    own[entry >>> PERMISSION] = (entry & ROLE) | DIRECT;
  return own;
}

/** A filter of a sheet. */
export interface Narrowing {
  /** Only what is in all of these lists, and in none of those. */
  readonly within?: readonly ArrayLike<number>[];
  readonly without?: readonly ArrayLike<number>[];
  /** Whether a painted byte counts. */
  readonly accepts?: ((code: number) => boolean) | undefined;
}

export function narrowed(sheet: Sheet, { within = [], without = [], accepts }: Narrowing): Sheet {
  let codes: Uint8Array = sheet.codes.slice();
  for (const list of within) {
    const left = new Uint8Array(codes.length);
    for (let k = 0; k < list.length; k++) {
      const at = list[k] ?? 0;
      left[at] = codes[at] ?? NOTHING;
    }
    codes = left;
  }
  for (const list of without) for (let k = 0; k < list.length; k++) codes[list[k] ?? 0] = NOTHING;
  if (accepts !== undefined) codes = recoded(codes, (code) => (code !== 0 && accepts(code) ? code : 0));
  return { ...sheet, codes };
}

/** How many have each role, by rank. */
export function countRoles({ codes }: Sheet): Uint32Array {
  const byCode = new Uint32Array(256);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    byCode[code] = (byCode[code] ?? 0) + 1;
  }
  const counts = new Uint32Array(ROLE + 1);
  for (const [code, count] of byCode.entries()) counts[code & ROLE] = (counts[code & ROLE] ?? 0) + count;
  counts[NOTHING] = 0;
  return counts;
}

/** Up, or down for the spaces that were created last first. */
export type Way = 1 | -1;

/** The next numbers with one of the ranks, at most `most`, from `from` on. */
export function nextOn(
  { codes }: Sheet,
  ranks: readonly number[],
  { from, most, way }: { readonly from: number; readonly most: number; readonly way: Way },
): number[] {
  const wanted = wantedRanks(ranks);
  const found: number[] = [];
  for (let at = from; at >= 0 && at < codes.length && found.length < most; at += way)
    if (((wanted >>> ((codes[at] ?? 0) & ROLE)) & 1) === 1) found.push(at);
  return found;
}

/** The number of row `row`, which counts from 0, among those with one of the ranks; `undefined` after the last one. */
export function rowOn(
  { codes }: Sheet,
  ranks: readonly number[],
  { row, way }: { readonly row: number; readonly way: Way },
): number | undefined {
  const wanted = wantedRanks(ranks);
  let left = row;
  for (let at = way === 1 ? 0 : codes.length - 1; at >= 0 && at < codes.length; at += way)
    if (((wanted >>> ((codes[at] ?? 0) & ROLE)) & 1) === 1 && left-- === 0) return at;
  return undefined;
}

function wantedRanks(ranks: readonly number[]): number {
  return ranks.reduce((bits, each) => bits | (1 << each), 0);
}

const known = derived(
  ["member", "teamMember", "collection", "space", "site", "siteSpace", "permission"],
  () => new Map<string, Uint32Array>(),
);
const MOST_KNOWN = 10_000;

/** How many have each role, by rank. The counts are kept with the model, the list is not. */
export function* rolesIn(model: Model, subject: ListSubject): Generator<void, Uint32Array> {
  const counts = known(model);
  const key = JSON.stringify(subject);
  const found = counts.get(key) ?? countRoles(yield* sheetOf(model, subject));
  if (counts.size >= MOST_KNOWN) counts.clear();
  counts.set(key, found);
  return found;
}
