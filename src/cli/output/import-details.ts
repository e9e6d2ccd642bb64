import { UsageError } from "../../domain/error.ts";
import { csvLines } from "../../operations/csv.ts";
import { beforeAndAfter, changedFields } from "../../snapshot/export.ts";
import type { Difference } from "../../store/writing/generation/difference.ts";
import { displayNameOf, named, nameOf } from "../../store/writing/generation/prospect.ts";
import type { Token } from "../../store/revisions/organizations/registry.ts";
import { print, say, write } from "../context.ts";
import { type Format, formatOf } from "./list-output.ts";
import { TemporaryFile } from "./temporary-file.ts";
import { table } from "./table.ts";

/** A table has at most this many rows, because all are kept in memory to align its columns. */
const ROWS_OF_TABLE = 10_000;

const TABLE = ["organization", "change", "kind", "record", "what"] as const;
const CSV = [
  ["organization", "change", "kind", "user", "user_name", "team", "team_title", "content", "content_title"],
  ["site", "site_title", "token", "token_name", "what"],
].flat();

/**
 * The records that an import adds, changes and removes, and the tokens that it deletes. They wait in a temporary file:
 * a slow reader of the output must not prolong the import, which blocks other imports.
 */
export class Details {
  readonly #format: Format;
  readonly #buffer = new TemporaryFile();
  readonly #rows: string[][] = [];
  #count = 0;

  constructor(format: Format) {
    this.#format = format;
    if (format === "csv") this.#buffer.write(Buffer.from(csvLines([CSV])));
  }

  add(page: readonly Difference[]): void {
    this.#count += page.length;
    switch (this.#format) {
      case "table": {
        const room = ROWS_OF_TABLE - this.#rows.length;
        for (const each of page.slice(0, room)) this.#rows.push(rowOf(each));
        return;
      }
      case "csv":
        return this.#buffer.write(Buffer.from(csvLines(page.map(cellsOf))));
      case "ndjson":
        return this.#buffer.write(
          Buffer.from(page.map((each) => `${JSON.stringify(objectOf(each))}\n`).join("")),
        );
    }
  }

  addTokens(tokens: readonly Token[]): void {
    switch (this.#format) {
      case "table":
        for (const token of tokens) this.#rows.push(rowOfToken(token));
        return;
      case "csv":
        return this.#buffer.write(Buffer.from(csvLines(tokens.map(cellsOfToken))));
      case "ndjson":
        return this.#buffer.write(
          Buffer.from(tokens.map((token) => `${JSON.stringify(objectOfToken(token))}\n`).join("")),
        );
    }
  }

  async print(): Promise<void> {
    if (this.#format !== "table") {
      for (const chunk of this.#buffer.read()) await write(chunk);
      return;
    }
    if (this.#rows.length > 0) await print(table(TABLE, this.#rows));
    const more = this.#count - ROWS_OF_TABLE;
    if (more > 0) say(`… and ${more} more records; --format csv or --format ndjson lists them all.`);
  }

  close(): void {
    this.#buffer.close();
  }
}

/** Throws a UsageError for an unknown format, for a format without `--details`, and for CSV with `--json`. */
export function readFormat(value: string | undefined, details: boolean, json: boolean): Format {
  if (value === undefined) return "table";
  const format = formatOf(value);
  if (!details) throw new UsageError("--format is given without --details; accepted: both.");
  if (json && format === "csv")
    throw new UsageError("--json and --format csv are both given; accepted: one of them.");
  return format;
}

function changeOf({ was, becomes }: Difference): string {
  if (was === undefined) return "added";
  return becomes === undefined ? "removed" : "changed";
}

function whatOf(difference: Difference): string {
  return changedFields(beforeAndAfter(difference)).join("; ");
}

function rowOf(difference: Difference): string[] {
  const { organization, kind } = difference;
  return [organization, changeOf(difference), kind, nameOf(difference), whatOf(difference)];
}

function cellsOf(difference: Difference): string[] {
  const { organization, kind, member, user, team, teamTitle } = difference;
  const { content, contentTitle, site, siteTitle } = difference;
  const people = [member, displayNameOf(user), team, teamTitle];
  const things = [content, contentTitle, site, siteTitle, undefined, undefined];
  const cells = [organization, changeOf(difference), kind, ...people, ...things, whatOf(difference)];
  return cells.map((cell) => cell ?? "");
}

function objectOf(difference: Difference): object {
  const { organization, kind } = difference;
  return { organization, change: changeOf(difference), kind, ...beforeAndAfter(difference) };
}

function rowOfToken({ organization, id, name, member }: Token): string[] {
  return [organization, "removed", "token", `${named(id, name)} of ${member ?? ""}`, ""];
}

function cellsOfToken({ organization, id, name, member = "" }: Token): string[] {
  return [organization, "removed", "token", member, "", "", "", "", "", "", "", id, name, ""];
}

function objectOfToken({ organization, id, name, member, createdAt, expiresAt }: Token): object {
  const before = { object: "token", id, organization, user: member, name, createdAt, expiresAt };
  return { organization, change: "removed", kind: "token", before };
}
