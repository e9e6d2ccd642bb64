/** Converts spreadsheets of many rows with the program in its own process. */
import { spawn } from "node:child_process";
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MAIN } from "../../command.ts";

const PEAK = new URL("../../record-peak-memory.ts", import.meta.url).pathname;
const SMALL = { people: 2000, teams: 50, contents: 1000 };

export type Kind = "access" | "effective" | "people" | "content";

export interface Sized {
  readonly status: number | null;
  readonly stderr: string;
  /** The peak memory of the program, in bytes. */
  readonly peak: number;
  /** The number of output records of each kind, including the end record. */
  readonly records: Readonly<Record<string, number>>;
  /** The number of records that the end record states. */
  readonly end: number;
}

/** Converts an organization with `rows` rows of one kind of sheet and few rows of every other. */
export async function convertSized(kind: Kind, rows: number): Promise<Sized> {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-sized-"));
  const file = (name: string) => join(folder, name);
  const write = async (name: string, lines: Iterable<string>) => {
    await pipeline(Readable.from(blocks(lines)), createWriteStream(file(name)));
    return [`--${name}`, file(name)];
  };
  try {
    const people = kind === "people" || kind === "effective" ? rows : SMALL.people;
    const contents = kind === "content" ? rows : SMALL.contents;
    const given = kind === "access" || kind === "effective" ? rows : 1;
    const files = [
      ...(kind === "effective" ? [] : await write("people", peopleLines(people))),
      ...(await write("content", contentLines(contents))),
      ...(await write(kind === "effective" ? "effective" : "access", accessLines(given, people, contents))),
    ];
    const args = ["--import", PEAK, MAIN, "convert", "csv", "--organization", "acme", "--title", "Acme"];
    const child = spawn(process.execPath, [...args, ...files, "--output", file("out.ndjson")], {
      env: { ...process.env, PEAK_LOG: file("peak") },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
    const counted = status === 0 ? await count(file("out.ndjson")) : { records: {}, end: 0 };
    return { status, stderr, peak: Number(readFileSync(file("peak"), "utf8")), ...counted };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function* peopleLines(count: number): Generator<string> {
  yield "id,name,e-mail,role,teams";
  for (let n = 0; n < count; n++) {
    const role = n % 3 === 0 ? "guest" : "edit";
    yield `u${n},Person Number ${n},"person.${n}@acme.example",${role},Team ${n % SMALL.teams}`;
  }
}

function* contentLines(count: number): Generator<string> {
  yield "title,parent,default level,kind";
  yield "Handbook,,inherit,collection";
  for (let n = 1; n < count; n++) yield `Guide number ${n},Handbook,inherit,space`;
}

/** `count` rows, each with another pair of person and content. */
function* accessLines(count: number, people: number, contents: number): Generator<string> {
  yield "user,content,role";
  for (let n = 0; n < count; n++) {
    // 7 and 999 have no common divisor, so a person gets every content once before any is repeated.
    const content = 1 + ((Math.floor(n / people) * 7 + (n % people)) % (contents - 1));
    yield `person.${n % people}@acme.example,Handbook / Guide number ${content},review`;
  }
}

function* blocks(lines: Iterable<string>): Generator<string> {
  let block = "";
  for (const line of lines) {
    block += `${line}\n`;
    if (block.length < 1 << 16) continue;
    yield block;
    block = "";
  }
  yield block;
}

async function count(file: string): Promise<Pick<Sized, "records" | "end">> {
  const records: Record<string, number> = {};
  let end = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [, object = ""] = /^\{"object":"(\w+)"/.exec(line) ?? [];
    records[object] = (records[object] ?? 0) + 1;
    if (object === "end") end = JSON.parse(line).records;
  }
  return { records, end };
}

/** The expected numbers of records. */
export function expected(kind: Kind, rows: number): Record<string, number> {
  const people = kind === "people" || kind === "effective" ? rows : SMALL.people;
  const contents = kind === "content" ? rows : SMALL.contents;
  return {
    organization: 1,
    user: people,
    member: people,
    ...(kind === "effective" ? {} : { team: SMALL.teams, teamMember: people }),
    collection: 1,
    space: contents - 1,
    permission: kind === "access" || kind === "effective" ? rows : 1,
    end: 1,
  };
}
