import type { LevelAnswer } from "../../wire/answers.ts";
import type { CollectionNode, ContentNode } from "../../wire/protocol.ts";
import { Observable } from "../parts/observable.ts";
import { sameNamed } from "../words/names.ts";
import type { Client } from "./client.ts";

/** Stands for the id of the top level. */
const TOP = "";

interface TreeLevel {
  nodes: readonly ContentNode[];
  state: "reading" | "more" | "whole" | "failed";
  page?: string;
}

export type TreeLine =
  | {
      readonly kind: "node";
      readonly key: string;
      readonly node: ContentNode;
      /** 1 for the top level. */
      readonly depth: number;
      readonly open: boolean;
      /** Whether another content of the level has the same title. */
      readonly isSame: boolean;
      /**
       * `aria-posinset` and `aria-setsize`: the position among the siblings, from 1, and their number; -1 if the number
       * is unknown.
       */
      readonly position: number;
      readonly siblings: number;
    }
  /** A placeholder for the part of a level that is not loaded yet. */
  | {
      readonly kind: "rest";
      readonly key: string;
      readonly parent: string;
      readonly depth: number;
      readonly failed: boolean;
    };

/** The tree of contents, loaded level by level and page by page as lines become visible. */
export class Tree {
  /** Counts the changes of the tree. A component that subscribes renders again after each change. */
  readonly changes = new Observable(0);
  readonly #client: Client;
  readonly #levels = new Map<string, TreeLevel>();
  readonly #open = new Set<string>();
  /**
   * For each collection above the shown content, its child on the path to this content. This child is a line even if
   * the loaded pages of its level do not reach it.
   */
  #pinned = new Map<string, ContentNode>();
  /** The id of the shown content, if it does not exist. */
  #lost: string | undefined;
  #lines: readonly TreeLine[] | undefined;

  constructor(client: Client) {
    this.#client = client;
    client.reloads.subscribe(() => {
      this.#levels.clear();
      this.#pinned.clear();
      this.#changed();
    });
  }

  lines(): readonly TreeLine[] {
    return (this.#lines ??= [...this.#flat(TOP, 1, undefined)]);
  }

  /** Whether the levels down to the revealed content are loaded at least in part, and none of them is being loaded. */
  isStill(): boolean {
    return [TOP, ...this.#pinned.keys()].every((id) => {
      const level = this.#levels.get(id);
      return level !== undefined && level.state !== "reading";
    });
  }

  /** Whether {@link reveal} or {@link miss} was called for this content. */
  shows(id: string): boolean {
    return id === this.#lost || [...this.#pinned.values()].some((node) => node.id === id);
  }

  /** Records that a content does not exist, so that nobody waits for it. */
  miss(id: string): void {
    this.#lost = id;
    this.#changed();
  }

  toggle(id: string, open = !this.#open.has(id)): void {
    if (open === this.#open.has(id)) return;
    if (open) this.#open.add(id);
    else this.#open.delete(id);
    this.#changed();
  }

  /** Opens all collections above a content. */
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

  /** Loads the next page of the children of `parent`, also after a failure. */
  async read(parent: string): Promise<void> {
    const level = this.#levels.get(parent) ?? { nodes: [], state: "more" };
    if (level.state === "reading" || level.state === "whole") return;
    const begun: TreeLevel = { ...level, state: "reading" };
    this.#levels.set(parent, begun);
    let read: TreeLevel;
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
    // The shown revision changed meanwhile, so this answer is ignored.
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
    const same = sameNamed(nodes.map((node) => [node]));
    for (const [index, node] of nodes.entries()) {
      const open = node.kind === "collection" && this.#open.has(node.id);
      const key = `${node.kind}/${node.id}`;
      yield {
        kind: "node",
        key,
        node,
        depth,
        open,
        isSame: same.has(node.id),
        position: index + 1,
        siblings: size,
      };
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
