import { hash } from "node:crypto";
import { ApiError } from "../../domain/error.ts";
import { quote } from "../query.ts";

/** Where a walk stands: the revision that it began on, and the key behind which it goes on. */
export interface Position {
  readonly revision: number;
  readonly after: string;
}

/** Bytes of the checksum that ties an identifier to its listing and shows any change to it. */
const CHECKSUM = 12;
const NUMBER = 6;

/**
 * A position as an opaque, URL-safe text. It holds for one listing only: `listing` names endpoint, path, filters
 * and order. No key is needed: whoever made one up would see nothing that authorization does not allow.
 */
export function writePage(listing: string, { revision, after }: Position): string {
  const body = Buffer.alloc(NUMBER + Buffer.byteLength(after));
  body.writeUIntBE(revision, 0, NUMBER);
  body.write(after, NUMBER);
  return Buffer.concat([checksum(listing, body), body]).toString("base64url");
}

/** The inverse of {@link writePage}. Throws 400 for anything that it did not write for this very listing. */
export function readPage(listing: string, page: string): Position {
  const bytes = Buffer.from(page, "base64url");
  const body = bytes.subarray(CHECKSUM);
  // Reading base64url forgives other spellings of the same bytes; an identifier has one.
  const intact =
    body.length > NUMBER &&
    bytes.toString("base64url") === page &&
    checksum(listing, body).equals(bytes.subarray(0, CHECKSUM));
  if (!intact) {
    throw new ApiError(
      "badRequest",
      `The parameter page is ${quote(page)}; accepted: a page identifier of this very listing, as it was given.`,
    );
  }
  return { revision: body.readUIntBE(0, NUMBER), after: body.toString("utf8", NUMBER) };
}

function checksum(listing: string, body: Buffer): Buffer {
  const input = Buffer.concat([Buffer.from(`${listing}\n`), body]);
  return hash("sha256", input, "buffer").subarray(0, CHECKSUM);
}
