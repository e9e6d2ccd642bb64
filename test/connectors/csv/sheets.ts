/** Converts the spreadsheets of a test. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CsvOptions, convertCsv } from "../../../src/connectors/csv/convert.ts";
import { CommandError, UsageError } from "../../../src/domain/error.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";

const FILES = [
  "people",
  "teams",
  "members",
  "content",
  "access",
  "sites",
  "effective",
  "roles",
  "ids",
] as const;

/** The text of each spreadsheet, or of several of a kind, and the other options of the command. */
export type Sheets = Omit<Partial<CsvOptions>, (typeof FILES)[number]> &
  Partial<Record<(typeof FILES)[number], string | Buffer | readonly string[]>>;

export interface Made {
  readonly records: readonly SnapshotRecord[];
  readonly report: readonly string[];
  readonly leftOut: readonly string[];
}

/** Writes the sheets to files such as `people.csv`, several to `people-1.csv` and so on, and converts them. */
export async function convert(sheets: Sheets): Promise<Made> {
  const place = mkdtempSync(join(tmpdir(), "rolebook-csv-"));
  try {
    return await convertIn(place, sheets);
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** Converts as {@link convert} does, in a given folder, which keeps files of earlier calls. */
export async function convertIn(place: string, sheets: Sheets): Promise<Made> {
  const files: Record<string, string | string[]> = Object.fromEntries(
    FILES.flatMap((name) => {
      const given = sheets[name];
      if (given === undefined) return [];
      const isOne = typeof given === "string" || Buffer.isBuffer(given);
      const written = (isOne ? [given] : given).map((text, index) => {
        const file = join(place, isOne ? `${name}.csv` : `${name}-${index + 1}.csv`);
        writeFileSync(file, text);
        return file;
      });
      return [[name, name === "ids" ? (written[0] ?? "") : written] as const];
    }),
  );
  try {
    // The sheets themselves are among these at run time; the paths of their files replace them.
    const settings: Omit<Partial<CsvOptions>, (typeof FILES)[number]> = sheets;
    const options: CsvOptions = { organization: "acme", title: "Acme", ...settings, ...files };
    const { records, notes, leftOut } = await convertCsv(options);
    const all: SnapshotRecord[] = JSON.parse(JSON.stringify([...records]));
    const shown = (lines: Iterable<string>) => [...lines].map((line) => line.replaceAll(`${place}/`, ""));
    return { records: all, report: shown(notes.lines()), leftOut: shown(leftOut) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    error.message = error.message.replaceAll(`${place}/`, "");
    throw error;
  }
}

/**
 * The lines of the message with which the sheets are refused, without the last line. Throws if they are not refused.
 */
export async function refusal(sheets: Sheets): Promise<string[]> {
  try {
    await convert(sheets);
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof UsageError)) throw error;
    return error.message.split("\n").filter((line) => line !== "Nothing was converted.");
  }
  throw new Error("it was converted");
}

/** Tests that sheets are refused: by each message, the changes of `base` that get it. */
export function refuses(base: Sheets, cases: Readonly<Record<string, Sheets>>): void {
  test.each(Object.entries(cases))("%s", async (message, change) => {
    const told = await refusal({ ...base, ...change });
    expect(told.join("\n")).toBe(message);
  });
}

/** Two people and one space: the base of variations. */
export const SMALL = {
  people: "name,e-mail,role,teams\nAna,ana@x.example,edit,Docs\nBen,ben@x.example,guest,\n",
  access: "content,user,team,role\nNotes,,Docs,review\nNotes,ben@x.example,,read\n",
  defaultLevel: "closed",
} as const satisfies Sheets;

export function only<K extends SnapshotRecord["object"]>(records: readonly SnapshotRecord[], kind: K) {
  return records.filter((record): record is SnapshotRecord & { object: K } => record.object === kind);
}
