/** The change file that carries removals of a decided report out, and what it would change. */
import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import { rank } from "../../domain/role.ts";
import { csvLines } from "../../operations/csv.ts";
import type { RowOutcome } from "../../review/decided/outcomes.ts";
import { type Proposal, Proposals } from "../../review/decided/proposals.ts";
import { type ChangedRole, type LeftRow, removalsOf, without } from "../../review/decided/removals.ts";
import { pairOf } from "../../review/decided/row.ts";
import { removedPermission } from "../../review/removed-permission.ts";
import type { Direction } from "../../store/listings/difference-of.ts";
import type { Reading } from "../../store/reading.ts";
import { directionOf } from "../../store/revisions/diff/filter.ts";
import { ContentTree } from "../../store/revisions/diff/reached.ts";
import type { Format } from "../output/list-output.ts";
import { table } from "../output/table.ts";
import { shellWords } from "./shell-words.ts";

/** A line of the preview: a role that would change, or a row that stays, with what could be done about it. */
export interface PreviewLine {
  /** `left`: decided to be removed, and the file does not. `proposal`: what could be done about the row before. */
  readonly what: Direction | "left" | "proposal";
  readonly content: ContentKey;
  readonly user: string;
  /** Roles; empty for none. */
  readonly before: string;
  readonly after: string;
  /** What the report says of it, or the proposal. */
  readonly note: string;
  /** Proposals: whom it would touch. */
  readonly effect: string;
  /** Proposals: a command that tells more. */
  readonly command: string;
}

export interface RemovalFile {
  /** The text of the change file. */
  readonly text: string;
  readonly removals: number;
  readonly lines: readonly PreviewLine[];
}

/** Makes the change file for the rows of a report, as things are in a revision. */
export async function removalFile(reading: Reading, rows: readonly RowOutcome[]): Promise<RemovalFile> {
  const tree = await ContentTree.of(reading);
  const proposals = new Proposals(reading, tree);
  const decisions = new Map(rows.map((row) => [pairOf(row.content, row.user), row]));
  const { organization, revision } = reading.at;
  // What is removed is worked out for this revision; for a later one it may be wrong.
  const records: object[] = [{ object: "changes", organization, base: revision }];
  const changes: PreviewLine[] = [];
  const stay: PreviewLine[] = [];
  for await (const { member, removed, changed, left } of removalsOf(reading, rows, tree)) {
    for (const content of removed) records.push(removedPermission(content, { user: member.id }));
    for (const each of changed) changes.push(changedLine(each, decisions));
    const then = without(member, removed);
    for (const each of left) {
      stay.push(leftLine(each));
      for (const could of await proposals.for(then, each.row.content))
        stay.push(proposalLine(each.row, could));
    }
  }
  const removals = records.length - 1;
  records.push({ object: "end", records: records.length });
  const text = records.map((each) => `${JSON.stringify(each)}\n`).join("");
  return { text, removals, lines: [...changes, ...stay] };
}

function changedLine(
  { content, user, before, after, isDecided }: ChangedRole,
  decisions: ReadonlyMap<string, RowOutcome>,
): PreviewLine {
  const direction = directionOf(rank(before), after === undefined ? 0 : rank(after));
  if (direction === undefined) throw new Error(`The role of ${user} on ${content} does not change.`);
  const row = decisions.get(pairOf(content, user));
  const note = isDecided
    ? "decided"
    : row === undefined || row.outcome === "came"
      ? "not in the report"
      : "in the report, undecided";
  return { what: direction, content, user, before, after: after ?? "", note, effect: "", command: "" };
}

function leftLine({ row: { content, user, now, reason }, role, stays }: LeftRow): PreviewLine {
  const source = role === now ? [reason] : [];
  const note = [...source, ...(stays === undefined ? [] : [stays])].join("; ");
  return { what: "left", content, user, before: role, after: role, note, effect: "", command: "" };
}

function proposalLine({ content, user }: RowOutcome, { step, effect, why }: Proposal): PreviewLine {
  const command = why === undefined ? "" : shellWords(["rolebook", "why", ...why]);
  return { what: "proposal", content, user, before: "", after: "", note: step, effect, command };
}

const COLUMNS = ["what", "content", "user", "before", "after", "note", "effect", "command"] as const;

export function previewText(format: Format, lines: readonly PreviewLine[]): string {
  switch (format) {
    case "table":
      return lines.length === 0 ? "" : `${table(COLUMNS, lines.map(cellsOf))}\n`;
    case "csv":
      return csvLines([[...COLUMNS], ...lines.map(cellsOf)]);
    case "ndjson":
      return lines.map((line) => `${JSON.stringify(objectOf(line))}\n`).join("");
  }
}

function cellsOf(line: PreviewLine): string[] {
  return COLUMNS.map((column) => line[column]);
}

function objectOf({ content, ...line }: PreviewLine): object {
  return { ...line, content: { kind: kindOf(content), id: idOf(content) } };
}
