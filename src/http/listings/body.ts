import type { ServerResponse } from "node:http";

/** A body in UTF-8, as it is given to Node. */
export interface Body {
  readonly data: string | Buffer;
  /** Of a text. */
  readonly encoding: "utf8" | "latin1";
  /** In bytes. */
  readonly length: number;
}

/** Up to so many bytes, a text that Node puts behind the head is sent sooner than bytes that it sends beside it. */
const SMALL = 4096;

/** A text to be sent once: nobody needs it as bytes of its own. */
export function bodyOf(text: string): Body {
  const length = Buffer.byteLength(text);
  return { data: text, encoding: length === text.length ? "latin1" : "utf8", length };
}

/** The same body to be sent again and again: encoded already. */
export function encoded({ data, encoding, length }: Body): Body {
  const bytes = typeof data === "string" ? Buffer.from(data, encoding) : data;
  return { data: length > SMALL ? bytes : bytes.toString("latin1"), encoding: "latin1", length };
}

/** Ends an answer whose head has been written. */
export function endWith(response: ServerResponse, { data, encoding }: Body): void {
  response.end(data, encoding);
}
