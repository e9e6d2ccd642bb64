/** The end record distinguishes a complete file from a file that was cut after a line. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importFiles } from "../../src/snapshot/import.ts";
import { snapshotLines, withEnd } from "../../src/snapshot/export.ts";
import { rolebook } from "../command.ts";
import { acme } from "../examples/acme.ts";
import { toLines } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";

const ACCEPTED =
  'accepted: as the last line, {"object":"end","records":N} with the number of records before it';
const WHOLE = toLines(acme);
const N = acme.length;

function end(records: unknown): string {
  return `${JSON.stringify({ object: "end", records })}\n`;
}

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
});
afterAll(() => world.close());

/** Imports texts, each as a file. Returns the messages; empty if the import succeeds. */
async function said(texts: readonly (string | Buffer)[], complete = false): Promise<string[]> {
  const files = texts.map((text, index) => world.file(text, `${index}.ndjson`));
  try {
    await importFiles(world.store.engine, files, { complete, allowRemovals: true });
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = files.reduce((text, file, index) => text.replaceAll(file, String(index)), error.message);
    return message.split("\n").slice(0, -1);
  }
}

describe("is accepted", () => {
  test.each([
    ["at the end", WHOLE + end(N)],
    ["without a line end", (WHOLE + end(N)).trimEnd()],
    ["before and after blank lines, which do not count", `\n${WHOLE}\r\n \n${end(N)}\n\n`],
    ["in a gzip", gzipSync(WHOLE + end(N))],
  ])("%s", async (_, text) => expect(await said([text], true)).toEqual([]));

  test("in each file, counting that file's records", async () => {
    const [one, other] = [acme.slice(0, 40), acme.slice(40)];
    const texts = [toLines(one) + end(one.length), toLines(other) + end(other.length)];
    expect(await said(texts, true)).toEqual([]);
    expect(await said(texts.toReversed(), true)).toEqual([]);
  });

  test("or omitted, unless it is required", async () => expect(await said([WHOLE])).toEqual([]));
});

describe("is refused", () => {
  const count = (records: number, there: number) =>
    `end.records is ${records}, but there are ${there} records before it: lines are missing or repeated; ${ACCEPTED}`;

  test.each([
    ["too large", WHOLE + end(N + 1), [`0:${N + 1}: ${count(N + 1, N)}`]],
    ["too small", WHOLE + end(0), [`0:${N + 1}: ${count(0, N)}`]],
    [
      "early, said once for all that follow",
      `${JSON.stringify(acme[0])}\n${end(1)}${toLines(acme.slice(1))}`,
      [`0:3: there is a record after the end record of line 2; ${ACCEPTED}`],
    ],
    [
      "twice",
      WHOLE + end(N) + end(N),
      [`0:${N + 2}: there is a record after the end record of line ${N + 1}; ${ACCEPTED}`],
    ],
    [
      "with another field",
      `${WHOLE}{"object":"end","records":${N},"lines":1}\n`,
      [`0:${N + 1}: end.lines is 1; accepted fields of end: object, records`],
    ],
    [
      "without a number",
      `${WHOLE}{"object":"end"}\n`,
      [`0:${N + 1}: end.records is missing; accepted: a whole number from 0 to 9007199254740991`],
    ],
  ])("%s", async (_, text, messages) => expect(await said([text])).toEqual(messages));

  test("a wrong line still counts: one error, not two", async () => {
    const messages = await said([`${WHOLE}{\n${end(N + 1)}`]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(new RegExp(`^0:${N + 1}: the line is "\\{"`));
  });

  test("missing, in any file, if it is required", async () => {
    const missing = (records: number) => `the end record is missing after ${records} records; ${ACCEPTED}`;
    expect(await said([WHOLE], true)).toEqual([`0:${N}: ${missing(N)}`]);
    expect(await said([WHOLE + end(N), ""], true)).toEqual([`1:1: ${missing(0)}`]);
  });

  test("truncated anywhere at the end of a line", async () => {
    const lines = (WHOLE + end(N)).split(/(?<=\n)/);
    for (const kept of [1, 2, N >> 1, N - 1, N]) {
      expect(await said([lines.slice(0, kept).join("")], true)).not.toEqual([]);
    }
  });
});

test("the writer counts the records, and --complete requires the end record", async () => {
  const lines = async (from: AsyncIterable<string>) => {
    let text = "";
    for await (const line of from) text += `${line}\n`;
    return text;
  };
  const ofContents = acme.flatMap((record) =>
    record.object === "permission" && record.site !== undefined ? [] : record,
  );
  const written = await lines(snapshotLines(ofContents));
  expect(written).toBe(WHOLE + end(N));
  expect(await lines(withEnd([]))).toBe(end(0));

  const place = await sqlitePlace();
  const imports = (text: string) =>
    rolebook(["import", "--complete", "--database", place.url, world.file(text, "cli.ndjson")]);
  const cut = await imports(WHOLE);
  expect([cut.status, cut.stdout]).toEqual([1, ""]);
  expect(cut.stderr).toContain(`the end record is missing after ${N} records`);
  expect((await imports(written)).status).toBe(0);
  const exported = await rolebook(["export", "--organization", "acme", "--database", place.url]);
  expect(exported.stdout.trimEnd().split("\n").at(-1)).toBe(end(N).trim());
  expect((await imports(exported.stdout)).stderr).toContain("changes nothing");
  await place.dispose();
});
