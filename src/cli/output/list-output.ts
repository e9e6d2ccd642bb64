import { UsageError } from "../../domain/error.ts";
import { cellsOf } from "../../operations/columns.ts";
import { csvLines } from "../../operations/csv.ts";
import type { Operation } from "../../operations/operation.ts";
import { table } from "./table.ts";

export const FORMATS = ["table", "csv", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

/** Throws a UsageError for an unknown format; `undefined` is a table. */
export function formatOf(value: string | undefined): Format {
  const format = FORMATS.find((each) => each === (value ?? "table"));
  if (format !== undefined) return format;
  throw new UsageError(`--format is ${JSON.stringify(value)}; accepted: ${FORMATS.join(", ")}.`);
}

/** Turns the entries of a list into text, page by page. */
export interface Output {
  begin(): string;
  /** Empty in a format that is written as a whole at the end. */
  page(items: readonly unknown[]): string;
  end(): string;
}

/** A table is written at the end, when the widths of its columns are known. */
export function outputOf(format: Format, { columns }: Pick<Operation, "columns">): Output {
  if (format === "ndjson") return ndjson;
  const names = columns.map(([name]) => name);
  if (format === "csv") {
    return {
      begin: () => csvLines([names]),
      page: (items) => csvLines(items.map((item) => cellsOf(item, columns).map(String))),
      end: () => "",
    };
  }
  const rows: (string | number)[][] = [];
  return {
    begin: () => "",
    page: (items) => {
      for (const item of items) rows.push(cellsOf(item, columns));
      return "";
    },
    end: () => `${table(names, rows)}\n`,
  };
}

const ndjson: Output = {
  begin: () => "",
  page: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(""),
  end: () => "",
};
