import { oneLine } from "../../domain/text.ts";
import { widthOf } from "./width.ts";

const GAP = "  ";

/** Columns of text. A column in which all cells are numbers is aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => oneLine(String(cell))));
  const widths = head.map((_, column) => widest(cells, column));
  const right = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"),
  );
  return cells
    .map((row) => {
      const padded = row.map((cell, column) => {
        const space = " ".repeat((widths[column] ?? 0) - widthOf(cell));
        return right[column] ? space + cell : cell + space;
      });
      return padded.join(GAP).trimEnd();
    })
    .join("\n");
}

function widest(cells: readonly (readonly string[])[], column: number): number {
  let width = 0;
  for (const row of cells) width = Math.max(width, widthOf(row[column] ?? ""));
  return width;
}
