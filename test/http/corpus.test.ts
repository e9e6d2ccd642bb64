import { afterAll, beforeAll, expect, test } from "vitest";
import { Program, rolebook } from "../crash/program.ts";
import { type Received, receivedIn, sendRaw } from "../hostile/ask.ts";
import { type Place, sqlitePlace } from "../world.ts";
import { limitedRequestsOf, requestsOf, type Sent, type Tokens } from "./corpus/requests.ts";

/**
 * The shipped program answers some hundred ordinary and hostile requests with the bytes in corpus/answers.txt, headers
 * in their order; requests with one answer stand together. After a change that is meant, write them again:
 * `vitest run test/http/corpus.test.ts --update`.
 */

const ACME = new URL("../../examples/acme.ndjson", import.meta.url).pathname;
const STOPPED_CLOCK = new URL("corpus/stopped-clock.ts", import.meta.url).pathname;
const TOGETHER = 6;

let place: Place;
let tokens: Tokens;
beforeAll(async () => {
  place = await sqlitePlace();
  const imported = await rolebook(["import", ACME, "--database", place.url]);
  expect(imported.status, imported.stderr).toBe(0);
  tokens = { organization: await token(), admin: await token("ana"), member: await token("aroha") };
});
afterAll(() => place.dispose());

async function token(...member: string[]): Promise<string> {
  const own = member.flatMap((each) => ["--member", each]);
  return (
    await rolebook(["token", "create", "--organization", "acme", ...own, "--database", place.url])
  ).stdout.trim();
}

/** Serves Acme, and returns requests with the recorded form of their answers. `together` of them are sent at once. */
async function answersTo(
  requests: readonly Sent[],
  together: number,
  environment: Readonly<Record<string, string>>,
): Promise<[name: string, answers: string][]> {
  const program = new Program(["serve", "--port", "0", "--database", place.url], {
    environment,
    preload: [STOPPED_CLOCK],
  });
  const [, port = ""] = await program.says(/serves .*:(\d+)/);
  const answers: Received[][] = [];
  const waiting = requests.entries();
  const ask = async () => {
    for (const [index, sent] of waiting)
      answers[index] = receivedIn(await sendRaw(Number(port), sent.parts, sent), sent.heads).all;
  };
  await Promise.all(Array.from({ length: together }, ask));
  program.kill("SIGTERM");
  expect(await program.ended).toMatchObject({ status: 0, signal: null });
  return requests.map(({ name }, index) => {
    const received = answers[index] ?? [];
    for (const { head } of received.filter(({ head }) => !head.startsWith("HTTP/1.1 1")))
      expect(head.toLowerCase().split("\r\n"), name).toContain("x-content-type-options: nosniff");
    return [name, received.map(masked).join("") || "(nothing)\n"];
  });
}

test("every request gets the recorded bytes", async () => {
  const environment = { ROLEBOOK_PUBLIC_URL: "https://docs.example/api" };
  const free = await answersTo(requestsOf(tokens), TOGETHER, environment);
  const limited = await answersTo(limitedRequestsOf(tokens), 1, { ...environment, ROLEBOOK_RATE_LIMIT: "6" });
  const alike = Map.groupBy([...free, ...limited], ([, answers]) => answers);
  const recorded = [...alike].map(
    ([answers, requests]) => `${requests.map(([name]) => `##### ${name}\n`).join("")}${answers}`,
  );
  await expect(recorded.join("\n")).toMatchFileSnapshot("corpus/answers.txt");
});

/** Longer bodies are tested elsewhere. */
const LONGEST_BODY = 2_000;

/** Replaces what differs from run to run, or with a change of the documents or of the page. */
function masked({ head, body }: Received): string {
  const length = Number(/^content-length: (\d+)\r?$/im.exec(head)?.[1] ?? 0);
  const isLong = Math.max(length, body.length) > LONGEST_BODY;
  const shown = isLong ? head.replace(`content-length: ${length}`, "content-length: N") : head;
  const shownBody = isLong && body !== "" ? "(a long body)" : body;
  return `${shown}\n${shownBody === "" ? "" : `\n${shownBody}\n`}`
    .replaceAll(/^(date|last-modified): .*$/gim, "$1: DATE")
    .replaceAll(/^(x-ratelimit-reset|retry-after): \d+$/gim, "$1: SECONDS")
    .replaceAll(/^(etag): .*$/gim, '$1: "ETAG"')
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "TIME")
    .replaceAll(/(assets\/[\w]+)-[\w-]{8}\./g, "$1-HASH.")
    .replaceAll(/sha256-[\w+/=]+/g, "sha256-HASH")
    .replaceAll(/"tokenId":"[^"]+"/g, '"tokenId":"ID"')
    .replaceAll("\r\n", "\n");
}
