import type { ServerResponse } from "node:http";

/** A UTF-8 body in the form that Node sends fastest. */
export interface Body {
  readonly data: string | Buffer;
  /** The encoding of a text. */
  readonly encoding: "utf8" | "latin1";
  /** In bytes. */
  readonly length: number;
}

/** Up to this length, Node sends a text and the head in one write, which is faster than a separate write of bytes. */
const SMALL = 4096;

/** A body that is sent once: it remains a text. */
export function bodyOf(text: string): Body {
  const length = Buffer.byteLength(text);
  return { data: text, encoding: length === text.length ? "latin1" : "utf8", length };
}

/** A body that is sent repeatedly: it is encoded once. */
export function encoded({ data, encoding, length }: Body): Body {
  const bytes = typeof data === "string" ? Buffer.from(data, encoding) : data;
  return { data: length > SMALL ? bytes : bytes.toString("latin1"), encoding: "latin1", length };
}

/** Ends an answer whose head has been written. */
export function endWith(response: ServerResponse, { data, encoding }: Body): void {
  response.end(data, encoding);
}
