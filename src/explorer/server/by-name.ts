/** Lists by name or title: the whole order is made when it is first asked for. */
import { ApiError } from "../../domain/error.ts";
import { compareIds } from "../../domain/id.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import { counted } from "../../domain/text.ts";
import type { CacheKind } from "../../store/cache.ts";
import { membersAt } from "../../store/directory/member-rows.ts";
import { spacesAt } from "../../store/directory/space-rows.ts";
import type { Access } from "../../store/listings/access.ts";
import { nextHits, positionOf } from "../../store/listings/walk.ts";
import type { Reading } from "../../store/reading.ts";
import { titleKeyOf } from "../../store/schema/encoding.ts";
import { MEMBERS } from "../../store/schema/set-names.ts";
import { inBlocks } from "../../store/turns.ts";
import { MOST_BY_NAME } from "../wire/lists.ts";
import { type ListOpener, openSorted, pagesAfter, indexAfter } from "./list.ts";
import type { Filter } from "./query.ts";

/** The rows of an access by name, then id. */
export interface ByName {
  /** The sort keys, ascending. */
  readonly keys: readonly string[];
  /** The position of each row. */
  readonly positions: Uint32Array;
}

const KIND: CacheKind<ByName> = { name: "by-name", bytes: ({ keys }) => 150 * keys.length };
const MEMBERS_PER_READ = 2_000;

/** The order of an access, which `name` identifies within the revision. Throws 400 if it has too many rows. */
export function byName(
  reading: Reading,
  name: string,
  access: Access,
  role: Role | undefined,
): Promise<ByName> {
  return reading.cache.once(KIND, reading.at, name, async () => {
    const hits = await nextHits(reading, access, undefined, { count: MOST_BY_NAME + 1, order: "asc", role });
    refuseLong(hits.length);
    const keysOf = access.universe === MEMBERS ? memberKeys : spaceKeys;
    const rows: { readonly key: string; readonly position: number }[] = [];
    for await (const block of inBlocks(hits, MEMBERS_PER_READ))
      rows.push(...(await keysOf(reading, block.map(positionOf))));
    rows.sort((a, b) => compareIds(a.key, b.key));
    return {
      keys: rows.map(({ key }) => key),
      positions: Uint32Array.from(rows, ({ position }) => position),
    };
  });
}

async function memberKeys(reading: Reading, positions: readonly number[]) {
  const found = await membersAt(reading, positions);
  return positions.map((position) => {
    const [, id = "", , text = "{}"] = found.get(position) ?? [];
    const { displayName = "", email = "" }: { displayName?: string; email?: string } = JSON.parse(text);
    return {
      position,
      key: titleKeyOf([displayName, email, id].find((each) => each.trim() !== "") ?? "", id),
    };
  });
}

async function spaceKeys(reading: Reading, positions: readonly number[]) {
  const found = await spacesAt(reading, positions);
  return positions.map((position) => {
    const { id = "", document: { text } = { text: "{}" } } = found.get(position) ?? {};
    const { title = "" }: { title?: string } = JSON.parse(text);
    return { position, key: titleKeyOf(title, id) };
  });
}

/** A page of an access in this order. `read` reads rows of the access in any order. */
export async function pageByName<Row>(
  { keys, positions }: ByName,
  access: Access,
  { after, limit }: PageRequest<string>,
  read: (access: Access, request: PageRequest<string>) => Promise<Page<Row, string>>,
  idIn: (row: Row) => string,
): Promise<Page<Row, string>> {
  const from = indexAfter(keys.length, (index) => keys[index] ?? "", after);
  const { entries: wanted, ...next } = pageOf(keys.slice(from, from + limit + 1), limit, (key) => key);
  const head = { positions: positions.slice(from, from + wanted.length).sort() };
  const some = access.narrowed({ within: [{ name: "page", head }] });
  const { entries } = await read(some, { after: undefined, limit: wanted.length });
  const rows = new Map(entries.map((row) => [idIn(row), row]));
  // Before the id, a key has no U+0001.
  return { ...next, entries: wanted.flatMap((key) => rows.get(key.slice(key.indexOf("\u0001") + 1)) ?? []) };
}

/** The list by title if the filter says so, read whole: for lists that are short, such as those of teams. */
export function byTitle<Row extends object>(
  list: ListOpener<Row>,
  { sort }: Filter,
  thingIn: (row: Row) => { readonly id: string; readonly title: string },
): ListOpener<Row> {
  if (sort !== "name") return list;
  return async (reading, viewer) => {
    const opened = await list(reading, viewer);
    if (opened === undefined) return undefined;
    const rows: { readonly row: Row; readonly position: string }[] = [];
    for await (const entries of pagesAfter((request) => opened.page(request, "shown"), 1000)) {
      for (const row of entries) {
        const { id, title } = thingIn(row);
        rows.push({ row, position: titleKeyOf(title, id) });
      }
      refuseLong(rows.length);
    }
    rows.sort((a, b) => compareIds(a.position, b.position));
    return openSorted(rows, async (some) => some.map(({ row }) => row));
  };
}

function refuseLong(rows: number): void {
  if (rows <= MOST_BY_NAME) return;
  throw new ApiError(
    "badRequest",
    `The parameter sort is "name", and the list has more than ${counted(MOST_BY_NAME, "row")}; accepted: fewer rows, or another order.`,
  );
}
