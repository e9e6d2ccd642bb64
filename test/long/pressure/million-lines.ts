import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The number of members; the remaining lines are permissions. */
const MEMBERS = 400_000;
const DATE = "2025-01-01T00:00:00Z";

/** The number of lines that {@link writeMillionLines} writes. */
export const LINES = 1_000_000;

/** Writes a snapshot file of 1,000,000 lines: the organization `large`, in which everyone may read one space. */
export async function writeMillionLines(file: string): Promise<void> {
  await pipeline(Readable.from(blocks()), createWriteStream(file));
}

function* blocks(): Generator<string> {
  let block = "";
  for (const record of records()) {
    block += `${JSON.stringify(record)}\n`;
    if (block.length < 1 << 18) continue;
    yield block;
    block = "";
  }
  yield block;
}

function* records(): Generator<object> {
  yield { object: "organization", id: "large", title: "Large" };
  yield {
    object: "space",
    id: "square",
    organization: "large",
    title: "Square",
    createdAt: DATE,
    updatedAt: DATE,
  };
  for (let index = 0; index < MEMBERS; index++) {
    const id = `person-${index}`;
    yield { object: "user", id, displayName: `Person ${index}`, email: `${id}@large.example` };
    yield { object: "member", organization: "large", user: id, role: "read" };
  }
  for (let index = 0; index < LINES - 2 - 2 * MEMBERS; index++) {
    yield { object: "permission", space: "square", user: `person-${index}`, permission: "comment" };
  }
}
