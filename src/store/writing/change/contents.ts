/**
 * Writes changed spaces and collections, and updates which spaces inherit from which collections (docs/permissions.md).
 * {@link Inheritance} keeps the sets of heirs; the other functions write rows, in the order that `write-change.ts` gives.
 */
import { type ContentKey, idOf, kindOf } from "../../../domain/content.ts";
import { spaceDocument } from "../../../domain/document.ts";
import { ROLES, roleOf } from "../../../domain/role.ts";
import { chunkOf, slotOf } from "../../../sets/position.ts";
import { addSlot, noSlots } from "../../../sets/words.ts";
import { statement } from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import {
  CLOSED,
  INHERIT,
  MANY,
  MOST_LISTED,
  decodeContent,
  joinedTeamGrants,
} from "../../schema/encoding.ts";
import { type ContentDocument, contentIn, type RecordChange } from "../../../domain/record-change.ts";
import { type ContentRecord, contentRecord } from "../../schema/record-change.ts";
import { type ClimbEnd, SPACES, spaceSets } from "../../schema/set-names.ts";
import { assignPositions, positionOfKey } from "./positions.ts";
import type { ByChunk, SetChanges } from "./sets.ts";
import { splitChunk } from "./split.ts";
import { CATALOG, CONTENT, type ContentValues, SPACE, TEAM_GRANT, type Writing } from "./tables.ts";

/** The fields of a content that determine from what it inherits. */
interface Link {
  readonly level: number;
  readonly parent: ContentKey | undefined;
}

/**
 * The collections from which a content inherits. `end` is what decides at the end of the climb; `undefined` if an
 * ancestor is detached.
 */
interface ContentClimb {
  readonly above: readonly ContentKey[];
  readonly end: ClimbEnd | undefined;
}

/**
 * First detaches all changed contents, then attaches them again, in any order. So intermediate states need not be
 * valid, and each step moves the heirs of one content only.
 */
export class Inheritance {
  readonly #writing: Writing;
  readonly #spaces: SetChanges;
  /** The links read so far; `undefined` for a detached content. */
  readonly #links = new Map<ContentKey, Link | undefined>();
  /** Collections that gain or lose heirs. */
  readonly touched = new Set<ContentKey>();

  constructor(writing: Writing, spaces: SetChanges) {
    this.#writing = writing;
    this.#spaces = spaces;
  }

  /** Detaches a content with its heirs from its ancestors. `position` is for a space. */
  async detach(content: ContentKey, position: number | undefined): Promise<void> {
    const { above, end } = await this.#climb(content);
    const moving = await this.#moving(content, position);
    for (const each of above) await this.#spaces.removeAll(spaceSets.under(idOf(each)), moving);
    if (end !== undefined) await this.#spaces.removeAll(spaceSets.ending(end), moving);
    this.#links.set(content, undefined);
  }

  /** Attaches a new or detached content with its heirs to its ancestors. `position` is for a space. */
  async attach(content: ContentKey, link: Link, position: number | undefined): Promise<void> {
    this.#links.set(content, link);
    const { above, end } = await this.#climb(content);
    const moving = await this.#moving(content, position);
    for (const each of above) await this.#spaces.addAll(spaceSets.under(idOf(each)), moving);
    if (end !== undefined) await this.#spaces.addAll(spaceSets.ending(end), moving);
  }

  /** The spaces that move with a content: the content itself if it is a space, otherwise its heirs. */
  async #moving(content: ContentKey, position: number | undefined): Promise<ByChunk> {
    if (position === undefined) {
      const all = await this.#spaces.all(spaceSets.under(idOf(content)));
      return new Map([...all].map(([chunk, words]) => [chunk, words.slice()]));
    }
    const words = noSlots();
    addSlot(words, slotOf(position));
    return new Map([[chunkOf(position), words]]);
  }

  async #climb(content: ContentKey): Promise<ContentClimb> {
    const above: ContentKey[] = [];
    for (let link = await this.#linkOf(content); ;) {
      if (link === undefined) return { above, end: undefined };
      if (link.level !== INHERIT) return { above, end: endOf(link.level) };
      if (link.parent === undefined) return { above, end: "organization" };
      above.push(link.parent);
      this.touched.add(link.parent);
      link = await this.#linkOf(link.parent);
    }
  }

  async #linkOf(content: ContentKey): Promise<Link | undefined> {
    if (this.#links.has(content)) return this.#links.get(content);
    const row = await CONTENT.read(this.#writing, [content]);
    const link = row === undefined ? undefined : linkOf(row[0], row[2]);
    this.#links.set(content, link);
    return link;
  }
}

function linkOf(parent: string | null, level: number): Link {
  return { level, parent: parent === null ? undefined : decodeContent(parent) };
}

function endOf(level: number): ClimbEnd {
  return level === CLOSED ? "closed" : roleOf(level);
}

/** A content before and after; `undefined` where it does not exist. */
export interface ContentChange {
  readonly content: ContentKey;
  readonly before: ContentRecord | undefined;
  readonly after: ContentRecord | undefined;
}

export function contentChanges(records: readonly RecordChange[]): ContentChange[] {
  return records.map((record) => {
    const content = contentIn(record);
    const read = (doc: string | undefined) => (doc === undefined ? undefined : recordIn(content, doc));
    return { content, before: read(record.was), after: read(record.becomes) };
  });
}

function recordIn(content: ContentKey, doc: string): ContentRecord {
  const fields: ContentDocument & Readonly<Record<string, unknown>> = JSON.parse(doc);
  const omitted = kindOf(content) === "space" ? spaceDocument(fields).omitted : 0;
  return contentRecord(content, { text: doc, omitted }, fields);
}

/** Assigns positions to new spaces, and writes their rows. */
export async function addSpaces(
  writing: Writing,
  spaces: SetChanges,
  changes: readonly ContentChange[],
): Promise<void> {
  const placed = new Map(
    changes.flatMap(({ after }) => (after?.key === undefined ? [] : [[after.key, after]])),
  );
  await assignPositions(
    writing,
    SPACES,
    [...placed.keys()],
    (chunk, newcomer) => splitChunk(writing, spaces, SPACES, chunk, newcomer),
    (key, position) => {
      const { doc = "", omitted = 0 } = placed.get(key) ?? {};
      SPACE.put(writing, [position], [key, doc, omitted]);
    },
  );
}

/** Writes the rows of contents, and updates which spaces inherit from which collections. */
export async function writeContents(
  writing: Writing,
  inheritance: Inheritance,
  changes: readonly ContentChange[],
): Promise<void> {
  const moved = changes.filter(({ before, after }) => !isInPlace(before, after));
  for (const { content, before } of moved) {
    if (before !== undefined) await inheritance.detach(content, await positionOf(writing, before));
  }
  for (const change of changes) await writeRows(writing, change);
  for (const { content, after } of moved) {
    if (after === undefined) continue;
    await inheritance.attach(content, after, await positionOf(writing, after));
  }
}

/**
 * The teams with a grant on each content, as the row of the content lists them. Reads at most {@link MOST_LISTED} + 1
 * teams per content: one too many shows that a row cannot list them.
 */
const TEAMS = statement<[content: string, teams: string]>(
  ({ texts }) => `
    SELECT wanted.value, (
        SELECT CASE WHEN count(*) > ${MOST_LISTED} THEN '${MANY}' ELSE coalesce(${joinedTeamGrants("listed")}, '') END
          FROM (
          SELECT g.team, g.role FROM team_grant g
            WHERE g.generation = $1 AND g.content = wanted.value AND g.until = ${FOREVER}
            ORDER BY g.team LIMIT ${MOST_LISTED + 1}) listed)
      FROM ${texts("$2", "wanted")}`,
);

/** Writes the teams that the rows of contents list. Call it after contents and team grants are written. */
export async function writeTeamsOn(writing: Writing, contents: ReadonlySet<ContentKey>): Promise<void> {
  await TEAM_GRANT.flush(writing);
  const { connection, generation } = writing;
  for (const [content, teams] of await connection.read(TEAMS, generation, [...contents])) {
    const row = await CONTENT.read(writing, [content]);
    if (row === undefined) continue;
    const [parent, title, level, depth, position, doc, look, , ...direct] = row;
    CONTENT.put(writing, [content], [parent, title, level, depth, position, doc, look, teams, ...direct]);
  }
}

/** Writes the depths of moved collections. Call it after the tree index is written. */
export async function writeDepths(writing: Writing, changes: readonly ContentChange[]): Promise<void> {
  await CATALOG.flush(writing);
  for (const { content, before, after } of changes) {
    if (after === undefined || kindOf(content) === "space" || before?.parent === after.parent) continue;
    await writeDepth(writing, content);
  }
}

/** Whether a change keeps the content's parent, level and sort key. */
function isInPlace(before: ContentRecord | undefined, after: ContentRecord | undefined): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    before.parent === after.parent &&
    before.level === after.level &&
    before.key === after.key
  );
}

async function positionOf(writing: Writing, { key }: ContentRecord): Promise<number | undefined> {
  if (key === undefined) return undefined;
  const position = await positionOfKey(writing, SPACES, key);
  if (position === undefined) throw new Error(`The space with the key ${key} has no position.`);
  return position;
}

/** Nobody has a permission yet. */
const NEW_CONTENT: ContentValues = [null, "", CLOSED, 0, null, null, "", "", ...ROLES.map(() => null)];

async function writeRows(writing: Writing, { content, before, after }: ContentChange): Promise<void> {
  const old = before === undefined ? undefined : await positionOf(writing, before);
  const position = after === undefined ? undefined : await positionOf(writing, after);
  if (old !== undefined && old !== position) SPACE.end(writing, [old]);
  if (after === undefined) {
    CONTENT.end(writing, [content]);
    return;
  }
  const { parent, title, level, doc, look } = after;
  const [, , , depth, , , , teams, ...direct] = (await CONTENT.read(writing, [content])) ?? NEW_CONTENT;
  const own = position === undefined ? doc : null;
  CONTENT.put(
    writing,
    [content],
    [parent ?? null, title, level, depth, position ?? null, own, look, teams, ...direct],
  );
}

/** The collections directly in a collection. Their keys sort before those of spaces. */
const COLLECTIONS_IN = statement<[content: string]>(
  () => `
    SELECT c.thing FROM catalog c
      WHERE c.generation = $1 AND c.list = $2 AND c.until = ${FOREVER} AND c.thing < 'space/'`,
);

/**
 * Writes the depth of a collection and of all collections below. By depth, listings find the deepest of several
 * ancestors.
 */
async function writeDepth(writing: Writing, content: ContentKey): Promise<void> {
  const row = await CONTENT.read(writing, [content]);
  if (row === undefined) return;
  const [parent, title, level, depth, ...others] = row;
  const above = parent === null ? undefined : await CONTENT.read(writing, [parent]);
  const now = above === undefined ? 0 : above[3] + 1;
  if (now === depth) return;
  CONTENT.put(writing, [content], [parent, title, level, now, ...others]);
  const inside = await writing.connection.read(COLLECTIONS_IN, writing.generation, listOf(content));
  for (const [each] of inside) await writeDepth(writing, decodeContent(each));
}

/** The name of the list with the contents directly in a collection; without a collection, with those at the top. */
export function listOf(collection: ContentKey | undefined): string {
  return collection === undefined ? "in/" : `in/${collection.slice("collection/".length)}`;
}
