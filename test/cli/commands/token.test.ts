/** The token commands, while a server accepts the tokens. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { rolebook } from "../../command.ts";
import { Program } from "../../crash/program.ts";
import { YEARLY, yearly } from "../../postgres/yearly.ts";
import { sqlitePlace, World } from "../../world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import(yearly(1));
});
afterAll(() => world.close());

function run(...args: string[]) {
  return rolebook(["token", ...args], { ROLEBOOK_DATABASE_URL: world.url });
}

/** The row of `rolebook token list` for the token with a name, by column name. */
async function rowOf(name: string): Promise<Record<string, string>> {
  const { stdout } = await run("list");
  const [head = "", ...rows] = stdout.trimEnd().split("\n");
  const starts = [...head.matchAll(/\S+(?: \S+)*/g)].map(({ index, 0: title }) => ({ index, title }));
  const row = rows.findLast((each) => each.includes(` ${name} `)) ?? "";
  return Object.fromEntries(
    starts.map(({ index, title }, column) => [title, row.slice(index, starts[column + 1]?.index).trim()]),
  );
}

async function made(name: string): Promise<string> {
  return (await run("create", "--organization", YEARLY, "--name", name, "--expires", "90d")).stdout.trim();
}

test("list shows when a token was last used: soon after the first use, the rest when the server stops", async () => {
  const [first, second] = [await made("first"), await made("second")];
  const server = new Program(["serve", "--port", "0", "--database", world.url]);
  onTestFinished(() => server.kill());
  const [, address = ""] = await server.says(/serves .* at ([^\s"]+)"/);
  const ask = async (token: string) =>
    (
      await fetch(`${address}/v1/spaces/a/permissions/users`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;
  const hour = () => new Date().toISOString().replace(/:.*/, ":00:00.000Z");
  const began = hour();
  expect(await ask(first)).toBe(200);
  const hours = [began, hour()];
  await expect.poll(async () => hours.includes((await rowOf("first"))["last used"] ?? "")).toBe(true);
  expect(await ask(second)).toBe(200);
  server.kill("SIGTERM");
  expect((await server.ended).status).toBe(0);
  expect((await rowOf("second"))["last used"]).not.toBe("never");
});

test("rotate prints the token alone, and says until when the old one works", async () => {
  const old = await made("nightly");
  const { id = "" } = await rowOf("nightly");
  const grace = 2 * 60 * 60_000;
  const began = Date.now();
  const { status, stdout, stderr } = await run("rotate", id, "--grace", "2h");
  const ended = Date.now();
  expect(status).toBe(0);
  expect(stdout).toMatch(/^rb_[\w-]{43}\n$/);
  expect(stdout.trim()).not.toBe(old);
  const [, until = ""] = /replaces \w+, which ends at (\S+), in /.exec(stderr) ?? [];
  expect(Date.parse(until)).toBeGreaterThanOrEqual(began + grace);
  expect(Date.parse(until)).toBeLessThanOrEqual(ended + grace);
  const replacement = await rowOf("nightly");
  expect(replacement["replaced by"]).toBe("");
  expect((await run("list")).stdout).toMatch(
    new RegExp(`^${id} .* ${until} +never +${replacement.id}$`, "m"),
  );

  const wrong = await run("rotate", id, "--grace", "1 hour");
  expect([wrong.status, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--grace is "1 hour"; accepted: days'),
  ]);
  const none = await run("rotate", "none");
  expect([none.status, none.stdout]).toEqual([1, ""]);
});
