import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { connect } from "node:net";
import { HANG } from "../setup/hang.ts";

/** A request that is sent as it is, without normalization. */
export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Persistent connections to one server. */
export class Line {
  readonly #agent: Agent;
  readonly #request: typeof request;
  readonly #port: number;

  /** `certificate` is that of a server that speaks TLS. */
  constructor(port: number, connections = 4, certificate?: string) {
    const options = { keepAlive: true, maxSockets: connections };
    this.#agent =
      certificate === undefined ? new Agent(options) : new TlsAgent({ ...options, ca: certificate });
    this.#request = certificate === undefined ? request : tlsRequest;
    this.#port = port;
  }

  ask({ method, target, headers }: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = this.#request(
        { host: "127.0.0.1", port: this.#port, agent: this.#agent, method, path: target, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString("utf8"),
            }),
          );
        },
      );
      sent.setTimeout(HANG, () => sent.destroy(new Error(`no answer to ${method} ${target}`)));
      sent.on("error", reject);
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** What the server sends to a new connection until it closes it. */
export interface Expected {
  /** How many answers it gives, if it does not close the connection earlier. */
  readonly answers: number;
  /** The answers to HEAD requests, counted from 0: they have no body. */
  readonly heads: readonly number[];
  /** The client closes its half of the connection after its request, not after the answers. */
  readonly halfClosed?: boolean;
}

/**
 * Writes parts to a new connection, and closes its half of it after the expected answers; by default, each request line
 * in the parts has one. Returns everything that is received until the server closes the connection, so nothing that it
 * sends beyond those answers is missed.
 */
export function sendRaw(
  port: number,
  parts: readonly (string | Buffer)[],
  { answers, heads, halfClosed = false }: Expected = expectedOf(parts),
): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    socket.setTimeout(HANG, () => reject(new Error(`${answers} answers expected, received: ${said}`)));
    socket.on("data", (data: Buffer) => {
      said += data.toString("latin1");
      if (receivedIn(said, heads).whole >= answers) socket.end();
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => {});
    socket.on("close", () => resolve(said));
    for (const part of parts) socket.write(part);
    if (halfClosed) socket.end();
  });
}

function expectedOf(parts: readonly (string | Buffer)[]): Expected {
  const said = parts.map((part) => part.toString("latin1")).join("");
  const methods = [...said.matchAll(/(\w+) [^\r\n]* HTTP\/1\.[01]\r$/gm)].map(([, method]) => method);
  return {
    answers: Math.max(1, methods.length),
    heads: methods.flatMap((method, index) => (method === "HEAD" ? index : [])),
  };
}

export interface Received {
  /** Status line and headers, without the empty line after them. */
  readonly head: string;
  /** Without the borders of chunks, which depend on time; with `(cut)` if the last chunk is missing. */
  readonly body: string;
}

/** The answers in received text, one character for each byte, and how many of them are whole. */
export function receivedIn(said: string, heads: readonly number[]): { all: Received[]; whole: number } {
  const all: Received[] = [];
  let whole = 0;
  for (let rest = said; rest !== "";) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return { all: [...all, { head: rest, body: "" }], whole };
    const head = rest.slice(0, end);
    rest = rest.slice(end + 4);
    let body = "";
    if (!heads.includes(whole) && !/^HTTP\/1\.1 (1..|304) /.test(head)) {
      if (/^transfer-encoding: chunked\r?$/im.test(head)) [body, rest] = unchunked(rest);
      else {
        const length = Number(/^content-length: (\d+)\r?$/im.exec(head)?.[1] ?? 0);
        body = rest.slice(0, length) + (rest.length < length ? "(cut)" : "");
        rest = rest.slice(length);
      }
    }
    all.push({ head, body: Buffer.from(body, "latin1").toString("utf8") });
    if (!head.startsWith("HTTP/1.1 1") && !body.endsWith("(cut)")) whole++;
  }
  return { all, whole };
}

function unchunked(text: string): [body: string, rest: string] {
  let body = "";
  for (let rest = text; ;) {
    const [line = "", size = ""] = /^([0-9a-f]+)\r\n/.exec(rest) ?? [];
    const length = Number.parseInt(size, 16);
    const after = line.length + length + 2;
    if (line === "" || rest.length < after) return [`${body}(cut)`, ""];
    if (length === 0) return [body, rest.slice(after)];
    body += rest.slice(line.length, after - 2);
    rest = rest.slice(after);
  }
}

/** Splits received text into answers, by Content-Length. Throws if there is anything between two answers. */
export function answersIn(said: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = said; rest !== "";) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end < 0 || !(status >= 100)) throw new Error(`no answer begins here: ${rest.slice(0, 200)}`);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    );
    const length = Number(headers["content-length"] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (status >= 200) answers.push({ status, headers, body: Buffer.from(body, "latin1").toString("utf8") });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
