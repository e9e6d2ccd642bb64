import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";

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
  readonly #port: number;

  constructor(port: number, connections = 4) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#port = port;
  }

  ask({ method, target, headers }: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
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
      sent.setTimeout(20_000, () => sent.destroy(new Error("no answer within 20 s")));
      sent.on("error", reject);
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/**
 * Writes parts to a new connection. Returns everything that is received until the server closes the connection, or
 * sends nothing for `silence` milliseconds after its first bytes.
 */
export function sendRaw(port: number, parts: readonly (string | Buffer)[], silence = 150): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    const socket = connect(port, "127.0.0.1");
    let quiet = setTimeout(end, 10_000);
    socket.on("data", (data: Buffer) => {
      said += data.toString("latin1");
      clearTimeout(quiet);
      quiet = setTimeout(end, silence);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(quiet);
      resolve(said);
    });
    for (const part of parts) socket.write(part);
    function end() {
      socket.destroy();
    }
  });
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
