import type { Role } from "../../domain/role.ts";
import type { Notes } from "./sheet/notes.ts";
import { References } from "./kept/references.ts";
import { copied } from "../../domain/copied.ts";

export type Level = Role | "inherit" | null;

/** A space or collection, as far as the tables read so far describe it. */
export interface Content {
  readonly title: string;
  /** The titles from the topmost collection down to this content, joined. */
  readonly path: string;
  parent: number | undefined;
  kind: "space" | "collection" | undefined;
  level: Level | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  /** The first row that names the content. */
  readonly row: number;
  id: string;
}

/** The deepest nesting of collections (contract, section 8). */
export const DEEPEST = 32;

/** Splits and joins paths: titles from the top down, with a separator between them. */
export class Paths {
  readonly #separator: string;

  constructor(separator: string) {
    this.#separator = separator;
  }

  /** `undefined` if a title is blank. */
  split(path: string): readonly string[] | undefined {
    // Cells are trimmed, so a separator at the end of a cell may have lost its space.
    const titles = ` ${path} `.split(this.#separator).map((title) => title.trim());
    return titles.includes("") ? undefined : titles;
  }

  join(titles: readonly string[]): string {
    return titles.join(this.#separator);
  }

  /** The path that may be meant: with blanks as in the separator. `undefined` for a title without a separator. */
  meant({ title, path }: Pick<Content, "title" | "path">): string | undefined {
    const bare = this.#separator.trim();
    if (!title.includes(bare)) return undefined;
    return this.join(path.split(bare).map((each) => each.trim()));
  }
}

export class Contents {
  readonly all: Content[] = [];
  readonly paths: Paths;
  readonly #references = new References();

  constructor(paths: Paths) {
    this.paths = paths;
  }

  add(content: Content): number {
    const kept = {
      ...content,
      title: copied(content.title),
      path: copied(content.path),
      id: copied(content.id),
    };
    const number = this.all.push(kept) - 1;
    this.#references.add(kept.path, number);
    return number;
  }

  /** Lets a reference name the content by its id. */
  name(reference: string, number: number): void {
    this.#references.add(reference, number);
  }

  find(reference: string): number | "several" | undefined {
    const found = this.#references.find(reference);
    if (found !== undefined) return found;
    const titles = this.paths.split(reference);
    return titles === undefined ? undefined : this.#references.find(this.paths.join(titles));
  }

  /** The content at a path. It and its ancestors are added if they do not exist. `undefined` if a title is blank. */
  derive(path: string, row: number, notes: Notes): number | undefined {
    const titles = this.paths.split(path);
    if (titles === undefined) return undefined;
    let number: number | undefined;
    for (const [depth, title] of titles.entries()) {
      const path = this.paths.join(titles.slice(0, depth + 1));
      const known = this.#references.find(path);
      if (typeof known === "number") number = known;
      else {
        notes.add("Contents made from paths", path);
        number = this.add({ title, path, parent: number, kind: undefined, level: undefined, row, id: "" });
      }
    }
    return number;
  }

  /** Contents whose kind no table gives: a content with children becomes a collection, any other a space. */
  settleKinds(notes: Notes): void {
    const parents = new Set(this.all.map(({ parent }) => parent));
    for (const [number, content] of this.all.entries()) {
      if (content.kind !== undefined) continue;
      content.kind = parents.has(number) ? "collection" : "space";
      if (content.kind === "collection")
        notes.add("Collections, because something lies in them", content.path);
      else notes.add("Spaces, because nothing lies in them", content.path);
    }
  }

  /** Contents whose path looks like that of another content, which is given too, but for blanks. */
  *lookalikes(): Generator<readonly [Content, Content]> {
    const seen = new Map<string, Content>();
    for (const content of this.all) {
      const path = this.paths.meant(content);
      if (path === undefined) continue;
      const found = this.#references.find(path);
      const other = typeof found === "number" ? this.all[found] : seen.get(path);
      if (other === undefined) seen.set(path, content);
      else if (other !== content && (content.id === "" || other.id === "")) yield [content, other];
    }
  }

  /** Contents in a cycle, nested too deep, or below a space; each with the reason. */
  *misplaced(): Generator<readonly [Content, string]> {
    for (const content of this.all) {
      let depth = 0;
      for (let at = content.parent; at !== undefined && depth <= DEEPEST; at = this.all[at]?.parent) depth++;
      if (depth > DEEPEST)
        yield [content, `accepted: a parent that is not inside it, and at most ${DEEPEST} levels`];
      const parent = content.parent === undefined ? undefined : this.all[content.parent];
      if (parent?.kind === "space")
        yield [content, "its parent is a space; accepted: a parent that is a collection"];
    }
  }
}
