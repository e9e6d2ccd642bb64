import { connect } from "node:net";
import type { Sent } from "./requests.ts";

/** How long a connection is read after the last expected answer, in milliseconds: nothing more may come. */
const MORE = 40;
/** How long an answer may take, in milliseconds. */
const LONGEST = 20_000;

export interface Received {
  /** Status line and headers, without the empty line after them. */
  readonly head: string;
  /** Without the borders of chunks, which depend on time; with `(cut)` if the last chunk is missing. */
  readonly body: string;
}

/** Writes a request to a new connection. Returns what the server sends until it is silent, or closes the connection. */
export function exchange(port: number, { parts, answers, heads, halfClosed }: Sent): Promise<Received[]> {
  return new Promise((resolve) => {
    let said = "";
    let end = setTimeout(leave, LONGEST);
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    socket.on("data", (data: Buffer) => {
      said += data.toString("latin1");
      const received = answersIn(said, heads);
      if (received.whole < answers) return;
      clearTimeout(end);
      end = setTimeout(leave, MORE);
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(end);
      resolve(answersIn(said, heads).all);
    });
    for (const part of parts) socket.write(part);
    if (halfClosed) socket.end();
    function leave() {
      socket.destroy();
    }
  });
}

/** The answers in received text, one character for each byte, and how many of them are whole. */
function answersIn(said: string, heads: readonly number[]): { all: Received[]; whole: number } {
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
