import { hash } from "node:crypto";
import { ApiError } from "../domain/error.ts";
import { quote } from "../domain/text.ts";

/** Where a walk continues: on which revision, after which key. */
export interface WalkPosition {
  readonly revision: number;
  readonly after: string;
}

/** The length of the checksum in bytes. The checksum binds an identifier to its listing and detects changes. */
const CHECKSUM = 12;
const NUMBER = 6;

/**
 * Encodes the position as opaque, URL-safe text, valid for one `listing`: endpoint, path, filters and order. The
 * checksum needs no secret key: a forged identifier shows nothing that the caller may not list.
 */
export function writePage(listing: string, { revision, after }: WalkPosition): string {
  const body = Buffer.alloc(NUMBER + Buffer.byteLength(after));
  body.writeUIntBE(revision, 0, NUMBER);
  body.write(after, NUMBER);
  return Buffer.concat([checksum(listing, body), body]).toString("base64url");
}

/** The inverse of {@link writePage}. Throws 400 for a text that `writePage` does not return for this listing. */
export function readPage(listing: string, page: string): WalkPosition {
  const bytes = Buffer.from(page, "base64url");
  const body = bytes.subarray(CHECKSUM);
  // Decoding base64url accepts several texts for the same bytes; only the one that encoding returns is valid.
  const intact =
    body.length > NUMBER &&
    bytes.toString("base64url") === page &&
    checksum(listing, body).equals(bytes.subarray(0, CHECKSUM));
  if (!intact) {
    throw new ApiError(
      "badRequest",
      `The parameter page is ${quote(page)}; accepted: an unchanged page identifier of this listing.`,
    );
  }
  return { revision: body.readUIntBE(0, NUMBER), after: body.toString("utf8", NUMBER) };
}

/** What a checksum is made of. All checksums use the same memory. */
let input = Buffer.allocUnsafe(1 << 10);

function checksum(listing: string, body: Buffer): Buffer {
  // A character takes three bytes at most.
  const most = 3 * listing.length + 1 + body.length;
  if (input.length < most) input = Buffer.allocUnsafe(2 * most);
  let length = input.write(listing);
  length += input.write("\n", length);
  length += body.copy(input, length);
  return hash("sha256", input.subarray(0, length), "buffer").subarray(0, CHECKSUM);
}
