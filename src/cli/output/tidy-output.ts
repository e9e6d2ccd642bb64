/** Writes the findings of `rolebook tidy` as a table, CSV, NDJSON or a change file. */
import { contentKey } from "../../domain/content.ts";
import { type FindingKind, FINDINGS } from "../../domain/findings.ts";
import { csvLines } from "../../operations/csv.ts";
import { removedPermission } from "../../review/removed-permission.ts";
import { type Finding, FINDING_COLUMNS, findingCells } from "../../review/tidy/finding.ts";
import type { Revision } from "../../store/reading.ts";
import { FORMATS } from "./list-output.ts";
import { table } from "./table.ts";

export const TIDY_FORMATS = [...FORMATS, "changes"] as const;

/** A table has at most this many rows, because all are kept in memory to align its columns. */
const ROWS_OF_TABLE = 10_000;

/** Some formats are written only when `end` is called. */
export class TidyOutput {
  readonly #counts = new Map<FindingKind, number>();
  readonly #write: (finding: Finding) => void;
  readonly #end: () => void;

  constructor(write: (finding: Finding) => void, end: () => void = () => {}) {
    this.#write = write;
    this.#end = end;
  }

  add(finding: Finding): void {
    this.#counts.set(finding.kind, (this.#counts.get(finding.kind) ?? 0) + 1);
    this.#write(finding);
  }

  end(): void {
    this.#end();
  }

  summary(): string {
    if (this.#counts.size === 0) return "There is nothing to tidy up.";
    const counts = Object.entries(FINDINGS).flatMap(([kind, words]) => {
      const [, count] = [...this.#counts].find(([each]) => each === kind) ?? [];
      return count === undefined ? [] : [`${words}: ${count.toLocaleString("en")}`];
    });
    return `${counts.join("; ")}.`;
  }
}

export function tidyOutput(
  format: (typeof TIDY_FORMATS)[number],
  { organization, revision }: Revision,
  write: (text: string) => void,
): TidyOutput {
  switch (format) {
    case "table": {
      const rows: string[][] = [];
      let more = 0;
      return new TidyOutput(
        (finding) => void (rows.length < ROWS_OF_TABLE ? rows.push(rowOf(finding)) : more++),
        () => {
          if (rows.length > 0) write(`${table(["finding", "what", "who", "role", "reason"], rows)}\n`);
          if (more > 0) write(`… and ${more} more; --format csv or --format ndjson lists them all.\n`);
        },
      );
    }
    case "csv":
      write(csvLines([FINDING_COLUMNS]));
      return new TidyOutput((finding) => write(csvLines([findingCells(finding)])));
    case "ndjson":
      return new TidyOutput(({ kind, ...finding }) => writeLine({ finding: kind, ...finding }));
    case "changes": {
      let records = 1;
      // The file names the revision as its base: at a later one, a removal might change an effective role.
      writeLine({ object: "changes", organization, base: revision });
      return new TidyOutput(
        (finding) => {
          if (finding.kind !== "redundant") return;
          writeLine(removalOf(finding));
          records++;
        },
        () => writeLine({ object: "end", records }),
      );
    }
  }

  function writeLine(object: object): void {
    write(`${JSON.stringify(object)}\n`);
  }
}

function removalOf({ content, user, team }: Finding): object {
  if (content === undefined) throw new Error("A permission is on a content.");
  const grantee = user === undefined ? { team: team?.id ?? "" } : { user: user.id };
  return removedPermission(contentKey(content.kind, content.id), grantee);
}

function rowOf({ kind, content, user, team, role, reason }: Finding): string[] {
  const who =
    user === undefined ? team && `team ${team.title} (${team.id})` : `${user.displayName} (${user.id})`;
  const what = content && `${content.title} (${content.kind}/${content.id})`;
  return [FINDINGS[kind], what ?? "", who ?? "", role ?? "", reason];
}
