import type { ServerResponse } from "node:http";

/** A body in UTF-8: ASCII stays the text that it is, since Node writes head and text at once, and bytes apart. */
export type Body = string | Buffer;

/** A text as it is sent; its `length` is that in bytes. */
export function bodyOf(text: string): Body {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text);
}

/** Ends an answer whose head has been written. */
export function endWith(response: ServerResponse, body: Body): void {
  if (typeof body === "string") response.end(body, "latin1");
  else response.end(body);
}
