/** Completes the contents when all tables are read: ids, default levels, records. */
import { CommandError } from "../../domain/error.ts";
import type { SnapshotRecord } from "../../snapshot/records.ts";
import { show } from "../../snapshot/problem.ts";
import type { Content, Contents, Level } from "./contents.ts";
import { dateOr } from "./cells/dates.ts";
import type { Ids } from "./ids.ts";
import type { Notes } from "./sheet/notes.ts";
import type { Table } from "./sheet/table.ts";

type Tell = (content: Content, field: "id" | "title", why: string) => void;

/** How many contents without a default level a message names. */
const NAMED = 5;

export function identifyContents(contents: Contents, ids: Ids, tell: Tell): void {
  for (const content of contents.all) {
    if (content.id === "") continue;
    const wrong = ids.take(content.id, nameless(content));
    if (wrong !== undefined) tell(content, "id", wrong);
  }
  for (const content of contents.all) {
    if (content.id !== "") continue;
    const made = ids.make(nameless(content));
    if ("wrong" in made) tell(content, "title", made.wrong);
    else content.id = made.id;
  }
}

function nameless({ kind = "space", title, path }: Content) {
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
  chosen: Level | undefined,
  table: Table<"content"> | undefined,
  notes: Notes,
): void {
  const without = contents.all.filter(({ level }) => level === undefined);
  const first = without.slice(0, NAMED).map(({ path }) => show(path));
  if (chosen === undefined && without.length > 0 && table?.has("level") !== true) {
    const more = without.length > NAMED ? ` and ${without.length - NAMED} more` : "";
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
