/** Updates which spaces inherit from which collections (contract, section 3) when contents change. */
import { type ContentKey, idOf } from "../../../../domain/content.ts";
import { chunkOf, slotOf } from "../../../../sets/position.ts";
import { addSlot, noSlots } from "../../../../sets/words.ts";
import { CLOSED, decodeContent, INHERIT } from "../../../schema/encoding.ts";
import { type ClimbEnd, spaceSets } from "../../../schema/set-names.ts";
import { roleOf } from "../../../../domain/role.ts";
import type { ByChunk, SetChanges } from "../sets/set-changes.ts";
import { CONTENT } from "../tables/tables.ts";
import type { Writing } from "../writing.ts";

/** The fields of a content that determine from what it inherits. */
export interface Link {
  readonly level: number;
  readonly parent: ContentKey | undefined;
}

/**
 * The collections from which a content inherits. `end` is what decides at the end of the climb; `undefined` if an
 * ancestor is detached.
 */
interface Climb {
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

  async #climb(content: ContentKey): Promise<Climb> {
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
