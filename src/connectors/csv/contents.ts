/**
 * The spaces and collections of a conversion, in the order of events: rows of the content table or paths in other tables
 * name them; then each gets a kind, an id and a default level; then they become records.
 */
import { DEEPEST, type DefaultLevel } from "../../domain/content.ts";
import { copied } from "../../domain/copied.ts";
import { CommandError } from "../../domain/error.ts";
import { isRole } from "../../domain/role.ts";
import { show } from "../../snapshot/problem.ts";
import type { SnapshotRecord } from "../../snapshot/records.ts";
import { DATE_ACCEPTS, type Roles, dateOr, readDate } from "./cells.ts";
import { References } from "./kept.ts";
import type { Notes, Row, Table } from "./table.ts";

/** A space or collection, as far as the tables read so far describe it. */
export interface DescribedContent {
  readonly title: string;
  /** The titles from the topmost collection down to this content, joined. */
  readonly path: string;
  parent: number | undefined;
  kind: "space" | "collection" | undefined;
  level: DefaultLevel | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  /** The first row that names the content. */
  readonly row: number;
  id: string;
}

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
  meant({ title, path }: Pick<DescribedContent, "title" | "path">): string | undefined {
    const bare = this.#separator.trim();
    if (!title.includes(bare)) return undefined;
    return this.join(path.split(bare).map((each) => each.trim()));
  }
}

export class Contents {
  readonly all: DescribedContent[] = [];
  readonly paths: Paths;
  readonly #references = new References();

  constructor(paths: Paths) {
    this.paths = paths;
  }

  add(content: DescribedContent): number {
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
  *lookalikes(): Generator<readonly [DescribedContent, DescribedContent]> {
    const seen = new Map<string, DescribedContent>();
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
  *misplaced(): Generator<readonly [DescribedContent, string]> {
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

const KINDS = ["space", "collection"] as const;

/** A row of the content table. `parent` is the text of its cell, because the parent's row may come later. */
type ContentTableRow = Omit<DescribedContent, "path" | "parent"> & {
  readonly parent: string;
  /** The field that gives the parent. */
  readonly parentIn: "parent" | "path";
};

/** `undefined` for an unknown word. */
export function readLevel(word: string): DefaultLevel | undefined {
  if (word === "closed") return null;
  return word === "inherit" || isRole(word) ? word : undefined;
}

export const LEVEL_ACCEPTS = "accepted: closed, inherit, or a role";

/** Reads the content table: one row for each space and collection, in any order. */
export async function loadContents(contents: Contents, table: Table<"content">, roles: Roles): Promise<void> {
  const listed: ContentTableRow[] = [];
  await table.read([["title", "path"]], (row) => {
    const content = listedIn(row, table, roles, contents.paths);
    if (content !== undefined) listed.push(content);
  });
  const paths = pathsOf(listed, contents.paths);
  for (const [index, content] of listed.entries()) {
    const path = paths[index] ?? content.title;
    const other = contents.find(path);
    if (other !== undefined && content.id === "") {
      const known = typeof other === "number" ? contents.all[other]?.path : path;
      table.wrong(
        content.row,
        "title",
        content.title,
        `another row has ${show(known)}; accepted: one row per content, or ids`,
      );
    }
    const number = contents.add({ ...content, path, parent: undefined });
    if (content.id === "") continue;
    for (const kind of content.kind === undefined ? KINDS : [content.kind])
      contents.name(`${kind}/${content.id}`, number);
    contents.name(content.id, number);
  }
  for (const [index, { parent, parentIn, row }] of listed.entries()) {
    const content = contents.all[index];
    if (parent === "" || content === undefined) continue;
    const found = contents.find(parent);
    if (typeof found === "number") content.parent = found;
    else table.wrong(row, parentIn, parent, referenceAccepts(found, table.file));
  }
}

/** What a reference to a content may be. `found` says what the wrong reference matched. */
export function referenceAccepts(found: "several" | undefined, file: string): string {
  return found === "several"
    ? "several contents have this name; accepted: an id"
    : `accepted: the path or the id of a row of ${file}`;
}

function listedIn(
  row: Row<"content">,
  table: Table<"content">,
  roles: Roles,
  paths: Paths,
): ContentTableRow | undefined {
  const path = row.get("path") || (row.has("parent") ? "" : row.get("title"));
  const titles = path === "" ? [row.get("title")] : (paths.split(path) ?? []);
  const title = titles.at(-1) ?? "";
  const kind = KINDS.find((word) => word === row.get("kind").toLowerCase());
  const level = readLevel(roles.translate(row.get("level")));
  const [created, updated] = [readDate(row.get("created")), readDate(row.get("updated"))];
  const check = (field: "kind" | "level" | "created" | "updated", value: unknown, accepts: string) => {
    const wrong = row.get(field) !== "" && value === undefined;
    if (wrong) row.wrong(field, accepts);
    return !wrong;
  };
  if (title === "") {
    row.wrong(path === "" ? "title" : "path", "accepted: a title, or a path of titles", path);
    return undefined;
  }
  const fits =
    check("kind", kind, `accepted: ${KINDS.join(", ")}, or nothing`) &&
    check("level", level, LEVEL_ACCEPTS) &&
    check("created", created, DATE_ACCEPTS) &&
    check("updated", updated, DATE_ACCEPTS);
  if (!fits) return undefined;
  const parentIn = path === "" ? "parent" : "path";
  const parent = path === "" ? row.get("parent") : paths.join(titles.slice(0, -1));
  return {
    title: copied(title),
    parent: copied(parent),
    parentIn,
    id: copied(row.get("id")),
    kind,
    level,
    created,
    updated,
    row: row.number,
  };
}

/** The path of each row, with its parent given by path or by id. */
function pathsOf(listed: readonly ContentTableRow[], paths: Paths): readonly string[] {
  const byId = new Map<string, number>();
  for (const [index, { id, kind }] of listed.entries()) {
    if (id === "") continue;
    byId.set(id, index);
    byId.set(`${kind ?? "collection"}/${id}`, index);
  }
  const known: string[] = [];
  const pathOf = (index: number, depth: number): string => {
    const made = known[index];
    if (made !== undefined) return made;
    const { title = "", parent = "" } = listed[index] ?? {};
    const above = byId.get(parent);
    // A deeper path is refused later, by `Contents.misplaced`.
    const upper = above === undefined || depth > DEEPEST ? parent : pathOf(above, depth + 1);
    const path = upper === "" ? title : paths.join([...(paths.split(upper) ?? [upper]), title]);
    if (depth <= DEEPEST) known[index] = path;
    return path;
  };
  return listed.map((_, index) => pathOf(index, 0));
}

/** How many contents without a default level a message names. */
const MOST_NAMED = 5;

export function namelessContent({ kind = "space", title, path }: DescribedContent) {
  return { kind: "content", among: kind, title, path } as const;
}

/** Closes every content: effective roles become direct permissions, to which nothing may be added. */
export function closeAll(contents: Contents, notes: Notes): void {
  for (const content of contents.all) {
    if (content.level !== undefined)
      notes.add("Default levels that are not used, because --effective closes every content", content.path);
    content.level = null;
  }
}

/**
 * Completes the default levels. The operator chooses the level of contents without one, because `inherit` might let
 * every member in. Throws a CommandError if no table has default levels and the operator chose none.
 */
export function settleLevels(
  contents: Contents,
  chosen: DefaultLevel | undefined,
  table: Table<"content"> | undefined,
  notes: Notes,
): void {
  const without = contents.all.filter(({ level }) => level === undefined);
  const first = without.slice(0, MOST_NAMED).map(({ path }) => show(path));
  if (chosen === undefined && without.length > 0 && table?.has("level") !== true) {
    const more = without.length > MOST_NAMED ? ` and ${without.length - MOST_NAMED} more` : "";
    throw new CommandError(
      `Contents without a default level: ${without.length} (${first.join(", ")}${more}). Choose the level of members without a permission ` +
        "on them: --default-level closed, --default-level inherit, or a role.\nNothing was converted.",
    );
  }
  for (const content of without) {
    if (chosen === undefined)
      table?.wrong(
        content.row,
        "level",
        "",
        "accepted: closed, inherit, or a role; or give --default-level for the blank ones",
      );
    else {
      notes.add(`Contents without a default level, given ${chosen ?? "closed"}`, content.path);
      content.level = chosen;
    }
  }
}

/** The records of all contents, collections first. */
export function* contentRecords(
  organization: string,
  { all }: Contents,
  notes: Notes,
): Generator<SnapshotRecord> {
  for (const kind of ["collection", "space"] as const) {
    for (const content of all) {
      if (content.kind !== kind) continue;
      const { id, title, level, created, updated } = content;
      const parent = content.parent === undefined ? undefined : all[content.parent]?.id;
      const common = {
        id,
        organization,
        title,
        ...(parent === undefined ? {} : { parent }),
        ...(level === undefined ? {} : { defaultLevel: level }),
      };
      if (kind === "collection") yield { object: kind, ...common };
      else {
        const createdAt = dateOr(created, "Spaces", content.path, notes);
        yield { object: kind, ...common, createdAt, updatedAt: updated ?? createdAt };
      }
    }
  }
}
