import type { ServerResponse } from "node:http";

/** A body of an answer, in the form that Node sends fastest. */
export interface Body {
  readonly data: string | Buffer;
  /** The encoding of `data` if it is a string. */
  readonly encoding: "utf8" | "latin1";
  readonly length: number;
}

/** Up to this many bytes, Node sends a string together with the headers in one write, which is faster than two. */
const SMALL = 4096;

/** The body of an answer that is sent once: a string. */
export function bodyOf(text: string): Body {
  const length = Buffer.byteLength(text);
  return { data: text, encoding: length === text.length ? "latin1" : "utf8", length };
}

/** The body of an answer that is sent once, as a string of UTF-8 with one character for each byte. */
export function bytesBody(text: string): Body {
  return { data: text, encoding: "latin1", length: text.length };
}

/** The body of an answer that is sent repeatedly, encoded once. */
export function encoded({ data, encoding, length }: Body): Body {
  const bytes = typeof data === "string" ? Buffer.from(data, encoding) : data;
  return { data: length > SMALL ? bytes : bytes.toString("latin1"), encoding: "latin1", length };
}

export function endWith(response: ServerResponse, { data, encoding }: Body): void {
  response.end(data, encoding);
}
