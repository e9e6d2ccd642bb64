import type { CollectionNode, ContentNode } from "../../../wire/things.ts";
import type { LevelAnswer } from "../../../wire/tree.ts";
import type { Client } from "../../session/ask/client.ts";
import { Cell } from "../../parts/cell.ts";

/** The key of the top level. */
const TOP = "";

interface Level {
  nodes: readonly ContentNode[];
  state: "reading" | "more" | "whole" | "failed";
  page?: string;
}

/** A line of the tree. */
export type TreeLine =
  | {
      readonly kind: "node";
      readonly key: string;
      readonly node: ContentNode;
      /** 1 for the top level. */
      readonly depth: number;
      readonly open: boolean;
      /** The position among its siblings, from 1, and their number; -1 if it is not known. */
      readonly place: number;
      readonly siblings: number;
    }
  /** A placeholder for the unread rest of a level. */
  | {
      readonly kind: "rest";
      readonly key: string;
      readonly parent: string;
      readonly depth: number;
      readonly failed: boolean;
    };

/** The tree of contents, read level by level and page by page as needed. */
export class Tree {
  /** The number of changes of the tree so far. Views that use it render again after each change. */
  readonly changes = new Cell(0);
  readonly #client: Client;
  readonly #levels = new Map<string, Level>();
  readonly #open = new Set<string>();
  /**
   * For each parent, its child on the path to the selected content. This child is shown even if its level was not read
   * up to it.
   */
  #pinned = new Map<string, ContentNode>();
  /** The id of a content that could not be read. */
  #lost: string | undefined;
  #lines: readonly TreeLine[] | undefined;

  constructor(client: Client) {
    this.#client = client;
    client.turns.subscribe(() => {
      this.#levels.clear();
      this.#pinned.clear();
      this.#changed();
    });
  }

  lines(): readonly TreeLine[] {
    return (this.#lines ??= [...this.#flat(TOP, 1, undefined)]);
  }

  /** Whether every open level has been read at least in part, and none is being read now. */
  isStill(): boolean {
    return [TOP, ...this.#open].every((id) => {
      const level = this.#levels.get(id);
      return level !== undefined && level.state !== "reading";
    });
  }

  /** Whether the path to a content was opened, or is known not to exist. */
  shows(id: string): boolean {
    return id === this.#lost || [...this.#pinned.values()].some((node) => node.id === id);
  }

  /** Records that a content has no path. */
  miss(id: string): void {
    this.#lost = id;
    this.#changed();
  }

  /** Opens or closes a collection. */
  toggle(id: string, open = !this.#open.has(id)): void {
    if (open === this.#open.has(id)) return;
    if (open) this.#open.add(id);
    else this.#open.delete(id);
    this.#changed();
  }

  /** Opens the path to a content. */
  reveal(ancestors: readonly CollectionNode[], chosen: ContentNode): void {
    this.#pinned = new Map();
    let parent = TOP;
    for (const node of [...ancestors, chosen]) {
      this.#pinned.set(parent, node);
      parent = node.id;
    }
    for (const { id } of ancestors) this.#open.add(id);
    this.#changed();
  }

  /** Continues reading `parent`'s level, also after a failure. */
  async read(parent: string): Promise<void> {
    const level = this.#levels.get(parent) ?? { nodes: [], state: "more" };
    if (level.state === "reading" || level.state === "whole") return;
    const begun: Level = { ...level, state: "reading" };
    this.#levels.set(parent, begun);
    let read: Level;
    try {
      const answer = await this.#client.get<LevelAnswer>("tree", {
        ...(parent !== TOP && { parent }),
        limit: 100,
        page: level.page,
      });
      read = {
        nodes: level.nodes.concat(answer.items),
        state: answer.next ? "more" : "whole",
        ...(answer.next && { page: answer.next.page }),
      };
    } catch {
      read = { ...level, state: "failed" };
    }
    // If the page changed its revision meanwhile, the level is read again.
    if (this.#levels.get(parent) !== begun) return;
    this.#levels.set(parent, read);
    this.#changed();
  }

  *#flat(parent: string, depth: number, siblings: number | undefined): Generator<TreeLine> {
    const level = this.#levels.get(parent);
    const pinned = this.#pinned.get(parent);
    const known = level?.nodes ?? [];
    const missing = pinned && !known.some((node) => node.id === pinned.id && node.kind === pinned.kind);
    const nodes = missing ? [...known, pinned] : known;
    const size = level?.state === "whole" ? nodes.length : (siblings ?? -1);
    for (const [index, node] of nodes.entries()) {
      const open = node.kind === "collection" && this.#open.has(node.id);
      const key = `${node.kind}/${node.id}`;
      yield { kind: "node", key, node, depth, open, place: index + 1, siblings: size };
      if (open && (node.children > 0 || this.#pinned.has(node.id)))
        yield* this.#flat(node.id, depth + 1, node.children);
    }
    if (level?.state !== "whole")
      yield { kind: "rest", key: `rest/${parent}`, parent, depth, failed: level?.state === "failed" };
  }

  #changed(): void {
    this.#lines = undefined;
    this.changes.set(this.changes.value + 1);
  }
}
