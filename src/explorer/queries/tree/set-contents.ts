/** The contents that a review begins with: closed contents, contents that every member may edit, deleted spaces. */
import { contentKey, type ContentKey } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/id.ts";
import { rank } from "../../../domain/role.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import { contents } from "../../../store/directory/inheritance.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { holds } from "../../../store/schema/as-of.ts";
import { CLOSED, contentTitleKey, decodeContent } from "../../../store/schema/encoding.ts";
import { deletedSpaces } from "../filters/deleted-spaces.ts";
import type { Listed } from "./catalog.ts";

export const SETTINGS = ["closed", "broad", "deleted"] as const;
export type Setting = (typeof SETTINGS)[number];

/** The weakest default level that counts as broad. */
const BROAD = rank("edit");

export interface SetContent extends Listed<ContentKey> {
  readonly title: string;
}

type Contents = Readonly<Record<Setting, readonly SetContent[]>>;

const LEVELS = statement<[id: string, title: string, level: number]>(
  () => `
    SELECT c.id, c.title, c.level FROM content c
      WHERE ${holds("c")} AND c.id > $3 AND (c.level = ${CLOSED} OR c.level >= ${BROAD}) ORDER BY c.id LIMIT $4`,
);

const BLOCK = 4_000;

const KIND: CacheKind<Contents> = {
  name: "set-contents",
  bytes: (found) => 200 * SETTINGS.reduce((sum, setting) => sum + found[setting].length, 1),
};

/** The contents with each setting: collections before spaces, each kind by title. Cached per revision. */
export function setContents(reading: Reading): Promise<Contents> {
  return reading.cache.once(KIND, reading.at, "", async () => {
    const closed: SetContent[] = [];
    const broad: SetContent[] = [];
    for (let after = ""; ;) {
      const rows = await reading.read(LEVELS, ...reading.asOf, after, BLOCK);
      for (const [id, title, level] of rows)
        (level === CLOSED ? closed : broad).push(setContent(decodeContent(id), title));
      if (rows.length < BLOCK) break;
      after = rows.at(-1)?.[0] ?? after;
    }
    const keys = [...(await deletedSpaces(reading)).dates.keys()].map((id) => contentKey("space", id));
    const deleted: SetContent[] = [];
    for (let start = 0; start < keys.length; start += BLOCK) {
      const block = keys.slice(start, start + BLOCK);
      // The result also has ancestors of the requested contents.
      const loaded = await contents(reading, block);
      for (const key of block) deleted.push(setContent(key, loaded.get(key)?.title ?? ""));
    }
    return { closed: byTitle(closed), broad: byTitle(broad), deleted: byTitle(deleted) };
  });
}

function setContent(thing: ContentKey, title: string): SetContent {
  return { thing, title, position: contentTitleKey(thing, title) };
}

function byTitle(found: SetContent[]): SetContent[] {
  return found.sort((a, b) => compareIds(a.position, b.position));
}
