/** Reads a change file: validates its records, and collects them as the edits of one organization. */
import { kindOf } from "../../domain/content.ts";
import { CommandError } from "../../domain/error.ts";
import type { RecordNames } from "../../domain/record-change.ts";
import { Edits, fieldOf } from "../../store/writing/resolve/edits.ts";
import type { Input } from "../input.ts";
import { Problems, show } from "../problem.ts";
import { FileReading, inputName } from "../read.ts";
import { isEnd, recordKey } from "../records.ts";
import { textOf } from "../staging.ts";
import { type ChangeFileRecord, type Header, isHeader, isRemoval, validateChange } from "./records.ts";
import { createHash } from "node:crypto";

/** A change file with valid lines only. */
export interface ReadChange {
  /** The name of the file in messages. */
  readonly name: string;
  readonly header: Header;
  readonly edits: Edits;
  /** The SHA-256 of the file, hexadecimal. */
  readonly input: string;
}

/** Reads a change file line by line. */
export class ChangeReading extends FileReading<ChangeFileRecord> {
  readonly #name: string;
  readonly #problems: Problems;
  readonly #gathering: Gathering;

  constructor(name: string) {
    const problems = new Problems();
    const gathering = new Gathering();
    super(name, problems, validateChange, (record, line) => {
      // Records cannot be checked without a valid header, and its fault has been reported.
      if (gathering.header === undefined && problems.count > 0) return;
      const wrong = gathering.take(record, line, (other) => `${name}:${other}`);
      if (wrong !== undefined) this.add(line, wrong);
    });
    this.#name = name;
    this.#problems = problems;
    this.#gathering = gathering;
  }

  /** Throws a CommandError that names the first problems, if there are any. */
  done(input: string): ReadChange {
    const { header, edits } = this.#gathering;
    if (header === undefined && this.#problems.count === 0) {
      this.add(
        undefined,
        'there is no record; accepted: {"object":"changes","organization":ID} and the changes',
      );
    }
    if (header === undefined || this.#problems.count > 0) {
      throw new CommandError(`${this.#problems}\nNothing was changed.`);
    }
    return { name: this.#name, header, edits, input };
  }
}

/**
 * Reads a change file. `complete` requires an end record; `heard` receives the length of each piece in bytes. Throws a
 * CommandError that names the first problems.
 */
export async function readChange(
  file: Input,
  complete: boolean,
  heard: (bytes: number) => void,
): Promise<ReadChange> {
  const reading = new ChangeReading(inputName(file));
  const hash = createHash("sha256");
  await reading.read(file, complete, (piece) => {
    hash.update(piece);
    heard(piece.length);
  });
  return reading.done(hash.digest("hex"));
}

type EditRecord = Exclude<ChangeFileRecord, Header | { object: "end" }>;

const HEADER_ACCEPTED =
  'accepted: {"object":"changes","organization":ID} as the first record, and only there';

/** Groups the records of a change file by key. */
export class Gathering {
  #first = true;
  #header: Header | undefined;
  #edits = new Edits("");
  get header(): Header | undefined {
    return this.#header;
  }

  get edits(): Edits {
    return this.#edits;
  }

  /** Adds a valid record. Returns a message if it conflicts with an earlier one. `where` names a line in messages. */
  take(record: ChangeFileRecord, line: number, where: (line: number) => string): string | undefined {
    const first = this.#first;
    this.#first = false;
    if (isHeader(record)) {
      if (!first) return `there is a header after other records; ${HEADER_ACCEPTED}`;
      this.#header = record;
      this.#edits = new Edits(record.organization);
      return undefined;
    }
    if (first) return `the first record is ${show(record.object)}; ${HEADER_ACCEPTED}`;
    if (isEnd(record) || this.#header === undefined) return undefined;
    const own = this.#header.organization;
    const named = organizationOf(record);
    if (named !== undefined && named !== own) {
      const field = record.object === "organization" ? "id" : "organization";
      return `${record.object}.${field} is ${show(named)}; accepted: ${own}, whose changes these are`;
    }
    return this.#put(record, line, where);
  }

  #put(record: EditRecord, line: number, where: (line: number) => string): string | undefined {
    const names = recordKey(record);
    const before = this.#edits.get(names);
    if (before !== undefined) return again(names, record, where(before.line));
    const becomes = isRemoval(record) ? undefined : textOf(record);
    this.#edits.put({ ...names, line, becomes, withAll: "with" in record && record.with === "all" });
    return undefined;
  }
}

function organizationOf(record: EditRecord): string | undefined {
  if (record.object === "organization") return record.id;
  return "organization" in record ? record.organization : undefined;
}

function again(names: RecordNames, record: EditRecord, first: string): string {
  const { field, value } =
    record.object === "organization" ? { field: "organization.id", value: record.id } : fieldOf(names);
  return `${field} is ${show(value)} a second time, first at ${first}; accepted: each ${whatIs(names)} once in a change file`;
}

/** What messages call the key of a record. */
function whatIs({ kind, team, content }: RecordNames): string {
  switch (kind) {
    case "organization":
    case "member":
      return kind;
    case "teamMember":
      return "pair of team and user";
    case "siteSpace":
      return "pair of site and space";
    case "permission":
      return `pair of ${content === undefined ? "site" : kindOf(content)} and ${team === undefined ? "user" : "team"}`;
    default:
      return `${kind} id`;
  }
}
