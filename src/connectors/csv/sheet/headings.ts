import Papa from "papaparse";
import { CommandError, UsageError } from "../../../domain/error.ts";
import { fold } from "../../../domain/text.ts";
import { show } from "../../../snapshot/problem.ts";

/** The columns of each kind of file, with the headings that need no `--columns`. */
export const COLUMNS = {
  people: {
    id: ["id", "user id", "user", "username", "login", "account"],
    email: ["e-mail", "e-mail address", "mail", "user principal name"],
    name: ["name", "full name", "display name", "user display name"],
    role: ["role", "organization role", "organisation role"],
    teams: ["teams", "team", "groups", "group"],
  },
  teams: {
    title: ["title", "team", "name", "group"],
    id: ["id", "team id", "group id"],
    created: ["created", "created at", "created on"],
  },
  content: {
    title: ["title", "name", "content", "space", "page"],
    path: ["path"],
    id: ["id", "content id", "space id", "space key", "key"],
    parent: ["parent", "parent path", "parent id", "collection"],
    level: ["default level", "default", "level", "default access"],
    kind: ["kind", "type"],
    created: ["created", "created at", "created on"],
    updated: ["updated", "updated at", "updated on", "modified"],
  },
  access: {
    content: ["content", "path", "space", "collection", "page", "title"],
    user: ["user", "person", "e-mail", "e-mail address", "username", "member"],
    team: ["team", "group"],
    role: ["role", "permission", "access", "access level", "permission level"],
  },
  effective: {
    content: ["content", "path", "space", "collection", "page", "title"],
    user: ["user", "person", "e-mail", "e-mail address", "username", "member"],
    role: ["role", "effective role", "permission", "access", "access level", "permission level"],
  },
  sites: {
    site: ["site", "title", "name"],
    id: ["id", "site id"],
    content: ["space", "content", "path"],
  },
  roles: {
    from: ["from", "theirs", "their role", "source"],
    to: ["to", "ours", "role", "our role"],
  },
  ids: {
    kind: ["kind"],
    title: ["title", "path"],
    id: ["id"],
  },
} as const;

export type Sheet = keyof typeof COLUMNS;
export type Field<S extends Sheet> = keyof (typeof COLUMNS)[S] & string;

/** A heading from `--columns`. Without `sheet`, it holds for every file with this field. */
interface Named {
  readonly sheet: string | undefined;
  readonly field: string;
  readonly heading: string;
  used: boolean;
}

/** Finds the field of each heading. */
export class Headings {
  readonly #named: readonly Named[];

  /**
   * Parses `--columns`, such as `name=Full Name,access.role=Level`. Each value is a line of CSV, because a heading may
   * have a comma. Throws a UsageError for anything else.
   */
  constructor(columns: readonly string[]) {
    this.#named = columns.flatMap((column) => Papa.parse<string[]>(column).data.flat().map(nameOf));
  }

  /** How many of the headings belong to a field. */
  known(sheet: Sheet, headings: readonly string[]): number {
    return headings.filter((heading) => this.#fieldsOf(sheet, heading).length > 0).length;
  }

  /**
   * The column of each field. Throws a CommandError if a field has two columns, and a UsageError if the last file of
   * a sheet is read and none of them has a heading that `--columns` gives for the sheet.
   */
  columnsOf(
    sheet: Sheet,
    file: string,
    headings: readonly string[],
    isLast: boolean,
  ): ReadonlyMap<string, number> {
    const columns = new Map<string, number>();
    for (const [index, heading] of headings.entries()) {
      for (const field of this.#fieldsOf(sheet, heading, headings)) {
        const other = columns.get(field);
        if (other !== undefined) {
          const first = headings[other] ?? "";
          const advice = same(first, heading)
            ? "rename one of them in the file"
            : `choose one with --columns ${sheet}.${field}=…`;
          throw new CommandError(
            `${file}: the headings ${show(first)} and ${show(heading)} may both be ${field}; ${advice}.`,
          );
        }
        columns.set(field, index);
      }
    }
    const lost = isLast ? this.#named.find((name) => name.sheet === sheet && !name.used) : undefined;
    if (lost !== undefined) {
      throw new UsageError(
        `--columns names ${show(lost.heading)} for ${sheet}.${lost.field}, but ${file} has ${listOf(headings)}.`,
      );
    }
    return columns;
  }

  /** Call this after all files. Throws a UsageError for a heading of `--columns` that is in none of them. */
  finish(): void {
    const lost = this.#named.find(({ used }) => !used);
    if (lost === undefined) return;
    throw new UsageError(`--columns names ${show(lost.heading)}, which is a heading of no file.`);
  }

  #fieldsOf(sheet: Sheet, heading: string, among: readonly string[] = [heading]): string[] {
    const fields: Record<string, readonly string[]> = COLUMNS[sheet];
    return Object.keys(fields).filter((field) => {
      const named = this.#named.filter(
        (name) =>
          name.field === field &&
          (name.sheet ?? sheet) === sheet &&
          among.some((other) => same(other, name.heading)),
      );
      if (named.length === 0) return fields[field]?.some((known) => same(known, heading)) ?? false;
      const meant = named.find((name) => same(name.heading, heading));
      if (meant !== undefined) meant.used = true;
      return meant !== undefined;
    });
  }
}

function nameOf(text: string): Named {
  const [, sheet, field = "", heading = ""] = /^(?:\s*(\w+)\.)?\s*([^=]+?)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
  const sheets = Object.entries(COLUMNS).filter(([name]) => sheet === undefined || name === sheet);
  if (heading === "" || !sheets.some(([, fields]) => field in fields)) {
    const names = [...new Set(sheets.flatMap(([, fields]) => Object.keys(fields)))].join(", ");
    throw new UsageError(
      `--columns has ${show(text)}; accepted: a name and a heading, such as name=Full Name or access.role=Level; names: ${names || Object.keys(COLUMNS).join(", ")}.`,
    );
  }
  return { sheet, field, heading, used: false };
}

/** Ignores case, spaces and punctuation: `E-Mail` is `email`. */
function same(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(heading: string): string {
  return fold(heading).replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export function listOf(headings: readonly string[]): string {
  return headings.map((heading) => show(heading)).join(", ") || "no headings";
}
