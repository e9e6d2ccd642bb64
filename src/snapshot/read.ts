import { CommandError } from "../domain/error.ts";
import { Ending } from "./end.ts";
import { COUNT_ACCEPTS } from "./fields.ts";
import { inexactCount } from "./inexact.ts";
import { type Input, linesOf, UnreadableFile } from "./lines.ts";
import { Problems, show } from "./problem.ts";
import { type FileRecord, isEnd, type SnapshotRecord } from "./records.ts";
import { repeatedKey } from "./repeated-key.ts";
import { validate } from "./validate.ts";

/** Takes a valid record, with the index of its file and its line; a promise only when it has to be waited for. */
export type Take = (record: SnapshotRecord, file: number, line: number) => Promise<void> | undefined;

export interface ReadOptions {
  /** Every file must say itself, in its end record, that it is whole. */
  readonly complete?: boolean;
  /** Hears how many bytes were read so far. */
  readonly progress?: (step: { readonly phase: "reading"; readonly bytes: number }) => void;
}

/** Reads the records of snapshot files. Throws a CommandError that names the first problems, once all was read. */
export async function readRecords(files: readonly Input[], options: ReadOptions, take: Take): Promise<void> {
  const problems = new Problems();
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    const name = nameOf(file);
    const ending = new Ending();
    try {
      for await (const { first, texts } of linesOf(file, (more) => (bytes += more))) {
        if (first === 1) refuseOtherForms(texts);
        for (const [offset, text] of texts.entries()) {
          const line = first + offset;
          const record = parse(text);
          if (record === undefined) continue;
          const late = ending.reached;
          const wrong = ending.count(line, record);
          if (wrong !== undefined) problems.add({ file: name, line, message: wrong });
          if (late) continue;
          if (typeof record === "string") problems.add({ file: name, line, message: record });
          else if (!isEnd(record)) {
            const full = take(record, index, line);
            if (full !== undefined) await full;
          }
        }
        options.progress?.({ phase: "reading", bytes });
      }
      const missing = options.complete === true ? ending.missing() : undefined;
      if (missing !== undefined) problems.add({ file: name, ...missing });
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problems.add({ file: name, line: error.line, message: error.message });
    }
  }
  if (problems.count > 0) throw new CommandError(`${problems}\nNothing was changed.`);
}

/** Throws an UnreadableFile for a file that begins like one of another form: each of its lines would be wrong. */
function refuseOtherForms(texts: readonly (string | undefined)[]): void {
  const begin = texts.find((text) => text?.trim() !== "")?.trim() ?? "";
  const one = "accepted: one JSON object a line, without commas between them";
  if (begin.startsWith("[")) {
    throw new UnreadableFile(undefined, `the file is a JSON array; ${one}, as jq -c '.[]' makes them`);
  }
  if (begin === "{") {
    throw new UnreadableFile(
      undefined,
      `the file holds objects of several lines; ${one}, as jq -c . makes them`,
    );
  }
}

/** A record, what is wrong with the line, or nothing for a blank line. */
function parse(text: string | undefined): FileRecord | string | undefined {
  if (text === undefined) return "the line is not UTF-8; accepted: UTF-8 text";
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const comma = text.trimEnd().endsWith(",") && isJson(text.trimEnd().slice(0, -1));
    if (comma)
      return "the line ends with a comma; accepted: one JSON object a line, and nothing between lines";
    return `the line is ${show(text)}; accepted: one JSON object`;
  }
  const record = validate(value);
  if (typeof record === "string") return record;
  const key = repeatedKey(text, record);
  if (key !== undefined)
    return `${record.object} has the field ${show(key)} twice; accepted: each field once`;
  const inexact = inexactCount(text, record);
  if (inexact === undefined) return record;
  return `${record.object}.${inexact.field} is ${inexact.written.slice(0, 100)}; accepted: ${COUNT_ACCEPTS}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What messages call a file. */
export function nameOf(file: Input): string {
  if (typeof file !== "string") return file.name;
  return file === "-" ? "standard input" : file;
}
