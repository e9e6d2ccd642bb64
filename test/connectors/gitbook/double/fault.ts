import type { ServerResponse } from "node:http";

/** What the double does instead of a correct answer. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /**
   * `close`, `cut`: closes the connection before or during the answer. `hang`: never ends the answer. The others send
   * it byte by byte, or send HTML.
   */
  | "close"
  | "cut"
  | "hang"
  | "slow"
  | "html"
  /** The page token of this request has expired. */
  | "expired"
  /** Names the same page as the next one. */
  | "repeated";

/** Sends an answer with a fault; returns `false` if the answer must be sent unchanged. */
export function misbehave(fault: Fault, response: ServerResponse, body: string): boolean {
  const json = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  if (typeof fault === "object") response.writeHead(fault.status, fault.headers).end(fault.body ?? "{}");
  else if (fault === "close") response.destroy();
  else if (fault === "hang") response.writeHead(200, json).flushHeaders();
  else if (fault === "html")
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Just a moment…</h1>");
  else if (fault === "cut") {
    response.writeHead(200, json).write(body.slice(0, body.length / 2), () => response.destroy());
  } else if (fault === "slow") {
    response.writeHead(200, json);
    const half = Math.floor(body.length / 2);
    response.write(body.slice(0, half), () => setTimeout(() => response.end(body.slice(half)), 30));
  } else return false;
  return true;
}
