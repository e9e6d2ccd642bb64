import { FORMATS, TemporaryFile } from "../output.ts";
import { contentKey } from "../../domain/content.ts";
import { UsageError } from "../../domain/error.ts";
import {
  FINDINGS,
  FINDING_COLUMNS,
  type Finding,
  type FindingKind,
  findingCells,
} from "../../domain/findings.ts";
import { csvLines } from "../../operations/csv.ts";
import { removedPermission } from "../../review/removals.ts";
import { tidy } from "../../review/tidy.ts";
import type { Reader } from "../../store/engine/engine.ts";
import type { Revision } from "../../store/reading.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import { readAt } from "../options.ts";
import { StatusLine, say, table, write } from "../terminal.ts";

/** Writes the findings of `rolebook tidy` as a table, CSV, NDJSON or a change file. */

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

export interface TidyArguments {
  readonly organization?: string;
  readonly format?: string;
  readonly at?: string;
  readonly database?: string;
}

/** `rolebook tidy`: lists what can be tidied up, and why, or makes a change file that removes redundant permissions. */
export async function tidyCommand(options: TidyArguments): Promise<void> {
  const format = TIDY_FORMATS.find((each) => each === (options.format ?? "table"));
  if (format === undefined) {
    const accepted = TIDY_FORMATS.join(", ");
    throw new UsageError(`--format is ${JSON.stringify(options.format)}; accepted: ${accepted}.`);
  }
  const when = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    // The output waits in a temporary file: a slow reader must not prolong the consistent read.
    const buffer = new TemporaryFile();
    const line = new StatusLine();
    try {
      const look = async (at: Revision, reader: Reader) => {
        const output = tidyOutput(format, at, (text) => buffer.write(Buffer.from(text)));
        const progress = (contents: number) =>
          line.show(() => `Checked ${contents.toLocaleString("en")} contents`);
        for await (const findings of tidy(store.reading(at, reader), progress)) add(output, findings);
        return output;
      };
      const output = await readConsistently(store, organization, look, when).finally(() => line.end());
      output.end();
      for (const chunk of buffer.read()) await write(chunk);
      say(output.summary());
    } finally {
      buffer.close();
    }
  });
}

function add(output: TidyOutput, findings: readonly Finding[]): void {
  for (const finding of findings) output.add(finding);
}
