import { createWriteStream, readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { finished } from "node:stream/promises";
import { text } from "node:stream/consumers";

/** A response for the limit server. `headers` is a flat list of names and values. */
export interface Response {
  readonly headers: readonly string[];
  readonly body: string;
}

/** These headers are added by `node:http` itself. */
const OWN = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/**
 * Requests each of `paths`, and writes the responses to `file`, one JSON object per line. Throws unless all are 200.
 */
export async function capture(
  url: string,
  paths: Iterable<string>,
  token: string,
  file: string,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const out = createWriteStream(file);
  for (const path of paths) out.write(`${JSON.stringify(await ask(new URL(path, url), token, agent))}\n`);
  agent.destroy();
  out.end();
  await finished(out);
}

/** Sends one GET with a bearer token. Throws unless the answer is a 200. */
export async function ask(url: URL, token: string, agent?: Agent): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = get(url, { headers, ...(agent === undefined ? {} : { agent }) }, (answer) => {
    text(answer)
      .then((body) => {
        if (answer.statusCode !== 200) throw new Error(`${url.href} gives ${answer.statusCode}: ${body}`);
        const { rawHeaders } = answer;
        const kept = rawHeaders.filter((_, i) => !OWN.has((rawHeaders[i - (i % 2)] ?? "").toLowerCase()));
        return resolve({ headers: kept, body });
      })
      .catch(reject);
  });
  request.on("error", reject);
  return await promise;
}

/** Reads the responses that {@link capture} wrote. */
export function responsesIn(file: string): Response[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
