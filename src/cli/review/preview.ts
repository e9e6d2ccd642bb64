/** Makes the change file for the removals of a decided report, and a preview of its effect. */
import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import { rank } from "../../domain/role.ts";
import { type Proposal, Proposals } from "../../review/decided/proposals.ts";
import { type ChangedRole, type LeftRow, removalsOf, without } from "../../review/decided/removals.ts";
import type { DecidedRow } from "../../review/decided/row.ts";
import { removedPermission } from "../../review/removed-permission.ts";
import type { Direction } from "../../domain/difference.ts";
import type { Reading } from "../../store/reading.ts";
import { directionOf } from "../../store/revisions/diff/filter.ts";
import { ContentTree } from "../../store/revisions/diff/users/content-tree.ts";
import type { Sheet } from "../output/rows-output.ts";
import { commandLine } from "../../domain/text.ts";

export interface PreviewLine {
  /**
   * The direction of a changed role. `left` is a row that was decided `remove` and whose user keeps a role; `proposal`
   * is a further step for the `left` row above it. `together`, which belongs to no row, takes all proposals for teams
   * and default levels at once.
   */
  readonly what: Direction | "left" | "proposal" | "together";
  readonly content: ContentKey | "";
  readonly user: string;
  /** Roles; empty for no role. */
  readonly before: string;
  readonly after: string;
  /** The reason for the role, or the step that is proposed. */
  readonly note: string;
  /** Of a proposal: how many people it affects. */
  readonly effect: string;
  /** Of a proposal: a command that shows more. */
  readonly command: string;
}

export interface RemovalPart {
  readonly records: readonly object[];
  readonly lines: readonly PreviewLine[];
}

/**
 * The change file for a report's rows, as of the revision of `reading`, user by user. The last part has the effect of
 * all proposals together.
 */
export async function* removalParts(
  reading: Reading,
  rows: readonly DecidedRow[],
): AsyncGenerator<RemovalPart> {
  const tree = await ContentTree.of(reading);
  const proposals = new Proposals(reading, tree);
  const { organization, revision } = reading.at;
  // The file names the revision as its base: at a later one, a removal might change other roles.
  yield { records: [{ object: "changes", organization, base: revision }], lines: [] };
  let records = 1;
  const gone = new Map<ContentKey, number[]>();
  for await (const { member, rows: own, removed, changed, left } of removalsOf(reading, rows, tree)) {
    const reviewed = new Set(own.map(({ content }) => content));
    const lines = changed.map((each) => changedLine(each, reviewed));
    const then = without(member, removed);
    for (const each of left) {
      lines.push(leftLine(each));
      for (const could of await proposals.for(then, each.row.content)) {
        lines.push(proposalLine("proposal", each.row, could));
      }
    }
    for (const content of removed) {
      const positions = gone.get(content) ?? [];
      positions.push(member.position);
      gone.set(content, positions);
    }
    records += removed.size;
    yield { records: [...removed].map((content) => removedPermission(content, { user: member.id })), lines };
  }
  const together = await proposals.together(gone);
  yield {
    records: [{ object: "end", records }],
    lines: together === undefined ? [] : [proposalLine("together", undefined, together)],
  };
}

function changedLine(
  { content, user, before, after, isDecided }: ChangedRole,
  reviewed: ReadonlySet<ContentKey>,
): PreviewLine {
  const direction = directionOf(rank(before), after === undefined ? 0 : rank(after));
  if (direction === undefined) throw new Error(`The role of ${user} on ${content} does not change.`);
  const note = isDecided
    ? "decided"
    : reviewed.has(content)
      ? "in the report, undecided"
      : "not in the report";
  return { what: direction, content, user, before, after: after ?? "", note, effect: "", command: "" };
}

function leftLine({ row: { content, user }, role, reason, stays }: LeftRow): PreviewLine {
  const note = [reason, ...(stays === undefined ? [] : [stays])].join("; ");
  return { what: "left", content, user, before: role, after: role, note, effect: "", command: "" };
}

function proposalLine(
  what: "proposal" | "together",
  row: DecidedRow | undefined,
  { step, effect, why }: Proposal,
): PreviewLine {
  const command = why === undefined ? "" : commandLine("rolebook", "why", ...why);
  const { content = "", user = "" } = row ?? {};
  return { what, content, user, before: "", after: "", note: step, effect, command };
}

const COLUMNS = ["what", "content", "user", "before", "after", "note", "effect", "command"] as const;

export const PREVIEW: Sheet<PreviewLine> = {
  table: COLUMNS,
  cells: cellsOf,
  csv: COLUMNS,
  record: cellsOf,
  object: ({ content, ...line }) =>
    content === "" ? line : { ...line, content: { kind: kindOf(content), id: idOf(content) } },
};

function cellsOf(line: PreviewLine): string[] {
  return COLUMNS.map((column) => line[column]);
}
