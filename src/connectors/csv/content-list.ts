import { isRole } from "../../domain/role.ts";
import { show } from "../../snapshot/problem.ts";
import { type Content, type Contents, DEEPEST, type Level, type Paths } from "./contents.ts";
import { DATE_ACCEPTS, readDate } from "./cells/dates.ts";
import type { Roles } from "./cells/roles.ts";
import type { Row, Table } from "./sheet/table.ts";
import { copied } from "../../domain/copied.ts";

const KINDS = ["space", "collection"] as const;

/** A row of the content table. `parent` is the text of its cell, because the parent's row may come later. */
type Listed = Omit<Content, "path" | "parent"> & {
  readonly parent: string;
  /** The field that gives the parent. */
  readonly parentIn: "parent" | "path";
};

/** `undefined` for an unknown word. */
export function readLevel(word: string): Level | undefined {
  if (word === "closed") return null;
  return word === "inherit" || isRole(word) ? word : undefined;
}

export const LEVEL_ACCEPTS = "accepted: closed, inherit, or a role";

/** Reads the content table: one row for each space and collection, in any order. */
export async function loadContents(contents: Contents, table: Table<"content">, roles: Roles): Promise<void> {
  const listed: Listed[] = [];
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
): Listed | undefined {
  const path = row.get("path") || (row.has("parent") ? "" : row.get("title"));
  const titles = path === "" ? [row.get("title")] : (paths.split(path) ?? []);
  const title = titles.at(-1) ?? "";
  const kind = KINDS.find((word) => word === row.get("kind").toLowerCase());
  const level = readLevel(roles.translate(row.get("level")));
  const [created, updated] = [readDate(row.get("created")), readDate(row.get("updated"))];
  const check = (field: "kind" | "level" | "created" | "updated", value: unknown, accepts: string) => {
    const wrong = row.get(field) !== "" && value === undefined;
    if (wrong) table.wrong(row.number, field, row.get(field), accepts);
    return !wrong;
  };
  if (title === "") {
    table.wrong(row.number, path === "" ? "title" : "path", path, "accepted: a title, or a path of titles");
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
function pathsOf(listed: readonly Listed[], paths: Paths): readonly string[] {
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
