/** Reads whole files: stages their records in memory, and refuses what does not hold between them. */
import { CommandError } from "../domain/error.ts";
import { type Violation, violationsIn } from "../store/writing/file/checks.ts";
import { Staged } from "../store/writing/file/staged.ts";
import type { Input } from "./input.ts";
import { Problems, show } from "./problem.ts";
import { inputName, type ReadOptions, readRecords } from "./read.ts";
import { PlainLines } from "./plain-lines.ts";
import { addRecord } from "./staging.ts";

/** Where a record was read, for messages. */
interface Where {
  readonly file: string;
  readonly line: number;
}

/** The records of whole files, which hold together, and the SHA-256 of the files. */
export interface WholeFiles {
  readonly staged: Staged;
  readonly sha256: string;
}

/** Throws a CommandError for an invalid record. `checking` is called when all is read. */
export async function readWholeFiles(
  files: readonly Input[],
  options: ReadOptions = {},
  checking: () => void = () => {},
): Promise<WholeFiles> {
  const staged = new Staged();
  /** How many lines are before each file. */
  const before: number[] = [];
  let last = 0;
  const placeOf = (file: number, line: number) => {
    while (before.length <= file) before.push(last);
    last = (before[file] ?? 0) + line;
    return last;
  };
  const plain = new PlainLines(staged);
  const { sha256 } = await readRecords(
    files,
    options,
    (record, file, line) => addRecord(staged, record, placeOf(file, line)),
    (bytes, begin, end, file, line) => plain.take(bytes, begin, end, placeOf(file, line)),
  );
  checking();
  const found = violationsIn(staged);
  const organizations = [...staged.organizations].length;
  mustBeValid(found, organizations, files, (line) => {
    const file = before.findLastIndex((lines) => lines < line);
    return { file: inputName(files[file] ?? ""), line: line - (before[file] ?? 0) };
  });
  return { staged, sha256 };
}

/**
 * Throws a CommandError that names the first violations, or for files without an organization. `whereIs` finds where a
 * line is that a violation names.
 */
function mustBeValid(
  { first, count }: { readonly first: readonly Violation[]; readonly count: number },
  organizations: number,
  files: readonly Input[],
  whereIs: (line: number) => Where,
): void {
  if (count > 0) {
    const problems = new Problems();
    for (const { line, field, value, accepted, again } of first) {
      const where = again && whereIs(again.line);
      const repeated = again ? [" a second time", again.whose].join(" ").trimEnd() : "";
      const beforeIt = where ? `, first at ${where.file}:${where.line}` : "";
      const message = `${field} is ${show(value)}${repeated}${beforeIt}; accepted: ${accepted}`;
      problems.add({ ...whereIs(line), message });
    }
    problems.addUnnamed(count - first.length);
    throw new CommandError(`${problems}\nNothing was changed.`);
  }
  if (organizations > 0) return;
  const names = files.map(inputName).join(", ");
  throw new CommandError(
    `${names}: there is no organization record; accepted: at least one. Nothing was changed.`,
  );
}
