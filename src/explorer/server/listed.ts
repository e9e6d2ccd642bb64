/**
 * Lists of members, and of spaces on which somebody has a role, with their filters and orders: pages, counts, and the
 * place of a row. A list is painted whole (`model/sheets.ts`) and kept while its model is.
 */
import { LRUCache } from "lru-cache";
import { idOf } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { type Order, type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { RECORD_KINDS } from "../../domain/record-change.ts";
import { type Role, type RoleCounts, rank, roleOf } from "../../domain/role.ts";
import { queryOf } from "../../domain/search.ts";
import { titleKeyOf } from "../../domain/title-key.ts";
import { derived, findTeam, keyOf, memberId, type Model } from "../../model/model.ts";
import { BY_ORGANIZATION, BY_TEAM, DIRECT, ROLE, THROUGH } from "../../model/code.ts";
import { guests as guestsIn } from "../../model/paint.ts";
import { numbersMatching } from "../../model/names.ts";
import { sortedInTurns } from "../../model/order.ts";
import { contentTitle, personIn } from "../../model/records.ts";
import {
  countRoles,
  type ListSubject,
  narrowed,
  nextOn,
  rowOn,
  type Sheet,
  sheetOf,
  type Way,
} from "../../model/sheets.ts";
import { byCreation, deletedPlaces, placeAfter, sortKeyIn } from "../../model/spaces.ts";
import { firstAfter } from "../../model/texts.ts";
import { workInTurns } from "../../store/turns.ts";
import { MOST_BY_NAME } from "../wire/lists.ts";
import { refuseLong } from "./by-name.ts";
import { indexAfter } from "./list.ts";
import { type Filter, isFiltering, rolesOf } from "./query.ts";

/** A row of a list: a member, or the place of a space by creation. */
export interface Listed {
  readonly at: number;
  readonly role: Role;
  /** In the list of a site: the content from which the role comes. */
  readonly space?: number | undefined;
}

/** What is listed by number, in the order of keys. */
interface Things {
  key(at: number): string;
  /** The number of the first one behind a key. */
  behind(key: string, way: Way): number;
  /** The key in the order by name. */
  nameKey(at: number): string;
  /** The numbers of those that match a text. */
  matching(q: string): Generator<void, Uint32Array>;
  readonly count: number;
}

function membersIn(model: Model): Things {
  const { ids, count } = model.members;
  return {
    count,
    key: (at) => memberId(model, at),
    behind: (key) => firstAfter(ids, key),
    nameKey(at) {
      const { id, displayName, email = "" } = personIn(model, at);
      return titleKeyOf([displayName, email, id].find((each) => each.trim() !== "") ?? "", id);
    },
    matching: (q) => numbersMatching(model, "member", queryOf(q)),
  };
}

/** Spaces by creation. */
export function spaceOrder(model: Model): Things {
  const { order, places } = byCreation(model);
  const idAt = (at: number) => idOf(keyOf(model, order[at] ?? 0));
  const titleAt = (at: number) => contentTitle(model, order[at] ?? 0);
  return {
    count: order.length,
    key: (at) => sortKeyIn(model, order[at] ?? 0),
    behind: (key, way) => placeAfter(model, key, way === -1),
    nameKey: (at) => titleKeyOf(titleAt(at), idAt(at)),
    *matching(q) {
      const found = yield* numbersMatching(model, "content", queryOf(q));
      return found.filter((x) => model.contents.isSpace[x] === 1).map((x) => places[x] ?? 0);
    },
  };
}

interface Counted {
  readonly sheet: Sheet;
  /** By rank. */
  readonly counts: Uint32Array;
}

/** The rows of a list by name: ascending keys, and the number of each. */
interface ByName {
  readonly keys: readonly string[];
  readonly numbers: Uint32Array;
}

/** How many bytes of lists are kept beside a model, about: the last used ones. */
const KEPT = 16 << 20;
/** What a list takes beside its sheet, and a key by name. */
const LIST_BYTES = 1000;
const KEY_BYTES = 150;

const keptLists = derived(RECORD_KINDS, ({ members }) => {
  const bytes = LIST_BYTES + 2 * members.count;
  return new LRUCache<string, Promise<Counted>>({ maxSize: KEPT + bytes, sizeCalculation: () => bytes });
});
const keptOrders = derived(
  RECORD_KINDS,
  () => new LRUCache<string, Promise<ByName>>({ max: Math.ceil(KEPT / KEY_BYTES / MOST_BY_NAME) }),
);

/** What is kept under a key, or made and kept; a failure is not kept. */
function once<Made extends object>(
  kept: LRUCache<string, Promise<Made>>,
  key: string,
  make: () => Promise<Made>,
): Promise<Made> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}

/** Finds the numbers that are in a list and were not, or had a lower role, at the last revision before a time (ISO 8601, UTC). */
export type NewSince = (time: string) => Promise<ArrayLike<number>>;

/** A list with a filter, in an order by key. */
export class FilteredList {
  readonly #model: Model;
  readonly #subject: ListSubject;
  readonly #filter: Filter;
  readonly #newSince: NewSince | undefined;
  readonly #things: Things;
  readonly #way: Way;

  /** `order` is that of spaces; members are always listed by ascending ids. `newSince` is for lists with a filter by time. */
  constructor(
    model: Model,
    subject: ListSubject,
    filter: Filter,
    { order = "asc", newSince }: { readonly order?: Order; readonly newSince?: NewSince } = {},
  ) {
    this.#model = model;
    this.#subject = subject;
    this.#filter = filter;
    this.#newSince = newSince;
    this.#things = this.#isOfSpaces ? spaceOrder(model) : membersIn(model);
    this.#way = order === "asc" ? 1 : -1;
  }

  get #isOfSpaces(): boolean {
    return this.#subject.of === "spaces" || this.#subject.of === "opened";
  }

  /** The list without the filters `role` and `least`, which its readers apply. */
  #counted(): Promise<Counted> {
    const { role: _, least: __, sort: ___, ...rest } = this.#filter;
    const key = JSON.stringify([this.#subject, Object.entries(rest).sort()]);
    return once(keptLists(this.#model), key, async () => {
      const sheet = isFiltering(rest) ? await this.#narrow(rest) : await this.#whole();
      return { sheet, counts: countRoles(sheet) };
    });
  }

  async #whole(through?: number): Promise<Sheet> {
    if (through !== undefined) return workInTurns(sheetOf(this.#model, this.#subject, through));
    const key = JSON.stringify([this.#subject, []]);
    const { sheet } = await once(keptLists(this.#model), key, async () => {
      const whole = await workInTurns(sheetOf(this.#model, this.#subject));
      return { sheet: whole, counts: countRoles(whole) };
    });
    return sheet;
  }

  async #narrow({ q, reasons, through, guests, deleted, since }: Filter): Promise<Sheet> {
    const model = this.#model;
    const within: ArrayLike<number>[] = [];
    const without: ArrayLike<number>[] = [];
    if (guests !== undefined) (guests === "only" ? within : without).push(guestsIn(model));
    if (deleted !== undefined && this.#isOfSpaces)
      (deleted === "only" ? within : without).push(await workInTurns(deletedPlaces(model)));
    if (q !== "") within.push(await workInTurns(this.#things.matching(q)));
    if (since !== undefined && this.#newSince !== undefined) within.push(await this.#newSince(since));
    const team = through === undefined ? undefined : findTeam(model, through);
    const sheet = await this.#whole(team);
    const accepted = new Set<string>(reasons);
    const isAccepted = (code: number) =>
      (accepted.size === 0 || accepted.has(reasonOf(code))) &&
      (through === undefined || (code & THROUGH) !== 0);
    const isFree = accepted.size === 0 && through === undefined;
    return narrowed(sheet, { within, without, accepts: isFree ? undefined : isAccepted });
  }

  /** The painted byte of all that passes the filter, by number; 0 for others. */
  async passing(): Promise<Uint8Array> {
    const { sheet } = await this.#counted();
    const roles = new Set(rolesOf(this.#filter).map(rank));
    return sheet.codes.map((code) => (roles.has(code & ROLE) ? code : 0));
  }

  /** A page by key or, if `isByRole`, by role, strongest first, and then by key; by name if the filter says so. */
  async page(request: PageRequest<string>, isByRole: boolean): Promise<Page<Listed, string>> {
    const { sheet } = await this.#counted();
    if (this.#filter.sort === "name") return this.#pageByName(sheet, request);
    const roles = rolesOf(this.#filter);
    const { key } = this.#things;
    if (!isByRole) {
      const found = this.#next(sheet, roles, request.after, request.limit + 1);
      return pageOf(found, request.limit, ({ at }) => key(at));
    }
    const { after, limit } = request;
    const slash = after?.indexOf("/") ?? -1;
    const begun = after?.slice(0, Math.max(0, slash));
    const start = Math.max(
      0,
      roles.findIndex((role) => role === begun),
    );
    const found: Listed[] = [];
    for (const role of roles.slice(start)) {
      const behind = role === begun ? after?.slice(slash + 1) : undefined;
      found.push(...this.#next(sheet, [role], behind, limit + 1 - found.length));
      if (found.length > limit) break;
    }
    return pageOf(found, limit, ({ at, role }) => `${role}/${key(at)}`);
  }

  #next(sheet: Sheet, roles: readonly Role[], after: string | undefined, most: number): Listed[] {
    const way = this.#way;
    const begin = way === 1 ? 0 : this.#things.count - 1;
    const from = after === undefined ? begin : this.#things.behind(after, way);
    return nextOn(sheet, roles.map(rank), { from, most, way }).map((at) => listed(sheet, at));
  }

  async #pageByName(sheet: Sheet, { after, limit }: PageRequest<string>): Promise<Page<Listed, string>> {
    const { keys, numbers } = await this.#byName();
    const from = indexAfter(keys.length, (index) => keys[index] ?? "", after);
    const { entries, ...next } = pageOf(keys.slice(from, from + limit + 1), limit, (key) => key);
    return { ...next, entries: entries.map((_, index) => listed(sheet, numbers[from + index] ?? 0)) };
  }

  /** Throws 400 if the list has too many rows. */
  #byName(): Promise<ByName> {
    const key = JSON.stringify([this.#subject, Object.entries(this.#filter).sort()]);
    return once(keptOrders(this.#model), key, async () => {
      const { sheet } = await this.#counted();
      const all = nextOn(sheet, rolesOf(this.#filter).map(rank), { from: 0, most: MOST_BY_NAME + 1, way: 1 });
      refuseLong(all.length);
      return workInTurns(ordered(all, this.#things.nameKey));
    });
  }

  /** The number of rows with each role; ignores the filters `role` and `least`. */
  async counts(): Promise<RoleCounts> {
    return countsByRole((await this.#counted()).counts);
  }

  /** Tests whether something is in the list, by number. */
  async includes(): Promise<(at: number) => boolean> {
    const { codes } = (await this.#counted()).sheet;
    const ranks = new Set(rolesOf(this.#filter).map(rank));
    return (at) => ranks.has((codes[at] ?? 0) & ROLE);
  }

  async total(): Promise<number> {
    const counts = await this.counts();
    return rolesOf(this.#filter).reduce((sum, role) => sum + counts[role], 0);
  }

  /**
   * The key of the row with number `row`, which counts from 0; the order is that of {@link page}. `undefined` after the
   * last row.
   */
  async keyOf(row: number, isByRole: boolean): Promise<string | undefined> {
    if (this.#filter.sort === "name") return (await this.#byName()).keys[row];
    const { sheet, counts } = await this.#counted();
    const roles = rolesOf(this.#filter);
    const way = this.#way;
    const keyAt = (ranks: readonly number[], nth: number) => {
      const at = rowOn(sheet, ranks, { row: nth, way });
      return at === undefined ? undefined : this.#things.key(at);
    };
    if (!isByRole) return keyAt(roles.map(rank), row);
    let left = row;
    for (const role of roles) {
      const here = counts[rank(role)] ?? 0;
      if (left < here) return `${role}/${keyAt([rank(role)], left)}`;
      left -= here;
    }
    return undefined;
  }
}

function listed({ codes, spaces }: Sheet, at: number): Listed {
  return { at, role: roleOf((codes[at] ?? 0) & ROLE), space: spaces?.[at] };
}

/** The group of reasons to which a painted byte belongs. */
function reasonOf(code: number): Filter["reasons"][number] {
  if ((code & BY_ORGANIZATION) !== 0) return "organization";
  if ((code & DIRECT) !== 0) return "direct";
  return (code & BY_TEAM) === 0 ? "default" : "team";
}

export function countsByRole(counts: Uint32Array): RoleCounts {
  const of = (role: Role) => counts[rank(role)] ?? 0;
  return {
    read: of("read"),
    comment: of("comment"),
    edit: of("edit"),
    review: of("review"),
    create: of("create"),
    admin: of("admin"),
  };
}

/** How many names are looked at until others get a turn. */
const NAMES_A_TURN = 500;

/** Numbers by their keys. */
function* ordered(numbers: readonly number[], keyOf: (number: number) => string): Generator<void, ByName> {
  const keys: string[] = [];
  for (const number of numbers) {
    keys.push(keyOf(number));
    if (keys.length % NAMES_A_TURN === 0) yield;
  }
  const order = yield* sortedInTurns(Uint32Array.from(keys.keys()), (a, b) =>
    compareIds(keys[a] ?? "", keys[b] ?? ""),
  );
  return {
    keys: Array.from(order, (at) => keys[at] ?? ""),
    numbers: order.map((at) => numbers[at] ?? 0),
  };
}
