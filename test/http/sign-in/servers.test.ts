/** Servers as processes: what they load, workers on one file, and several servers on one database. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Program } from "../../crash/program.ts";
import { rolebook } from "../../command.ts";
import { freePort } from "../../../src/cli/server/workers.ts";
import { acme, textOf } from "../../examples/acme.ts";
import { CLIENT, Provider } from "../../parts/provider.ts";
import { usePostgres } from "../../postgres/use.ts";
import { type OpenPlace, sqlitePlace, World } from "../../world.ts";
import { attemptOf } from "./house.ts";
import { Jar, OURS } from "./jar.ts";

const LOADED = "The OpenID client is loaded.";
const preload = [new URL("tell-loaded.ts", import.meta.url).href];

let provider: Provider;
beforeAll(async () => {
  provider = await Provider.start();
  provider.accounts.set("ana", { email: "ana.lima@acme.example", email_verified: true });
});
afterAll(() => provider.go());

interface Serving {
  readonly program: Program;
  readonly address: string;
}

async function serve(url: string, environment: Record<string, string>, ...args: string[]): Promise<Serving> {
  const port = await freePort("127.0.0.1");
  const environmentOf = { ROLEBOOK_LOG_LEVEL: "info", ...environment };
  const program = new Program(["serve", "--port", String(port), "--database", url, ...args], {
    environment: environmentOf,
    preload,
  });
  onTestFinished(() => program.kill("SIGKILL"));
  await program.says(/Rolebook serves/);
  return { program, address: `http://127.0.0.1:${port}` };
}

function settings(publicUrl?: string): Record<string, string> {
  return {
    ROLEBOOK_OIDC_ISSUER: provider.issuer,
    ROLEBOOK_OIDC_CLIENT_ID: CLIENT.id,
    ROLEBOOK_OIDC_CLIENT_SECRET: CLIENT.secret,
    ROLEBOOK_OIDC_ORGANIZATION: "acme",
    ...(publicUrl === undefined ? {} : { ROLEBOOK_PUBLIC_URL: publicUrl }),
  };
}

/** Returns the address to which the callback leads. */
async function signIn(jar: Jar, address: string): Promise<string | undefined> {
  const isBack = (url: string) => url.includes("/explorer/sign-in/callback");
  const form = await jar.follow(`${address}/explorer/sign-in`, isBack);
  const body = new URLSearchParams({ account: "ana" });
  const next = isBack(form) ? form : ((await jar.ask(form, { method: "POST", body })).location ?? "");
  return (await jar.ask(await jar.follow(next, isBack))).location;
}

const me = async (jar: Jar, address: string) =>
  (await jar.ask(`${address}/explorer/me`, { headers: OURS })).status;

async function acmeWorld(open: OpenPlace): Promise<World> {
  const world = await World.open(open);
  await world.import(acme);
  return world;
}

describe("on SQLite", () => {
  test("a server without the settings loads nothing of signing in and has none of its paths", async () => {
    const world = await acmeWorld(sqlitePlace);
    try {
      const plain = await serve(world.url, {});
      const token = { authorization: `Bearer ${await world.token("acme")}` };
      const jar = new Jar();
      for (const path of ["/explorer/sign-in", "/explorer/sign-in/callback", "/explorer/sign-out"]) {
        expect((await jar.ask(`${plain.address}${path}`)).status).toBe(401);
        expect((await jar.ask(`${plain.address}${path}`, { headers: token })).status).toBe(404);
      }
      expect((await jar.ask(`${plain.address}/`)).body).not.toContain("rolebook-sign-in");
      expect((await jar.ask(`${plain.address}/explorer/me`, { headers: token })).status).toBe(200);
      plain.program.kill("SIGTERM");
      expect((await plain.program.ended).stderr).not.toContain(LOADED);
    } finally {
      await world.close();
    }
  });

  test("two workers, and the command line", async () => {
    const world = await acmeWorld(sqlitePlace);
    try {
      const { program, address } = await serve(world.url, settings(), "--workers", "2");
      provider.allow(address);
      const jar = new Jar();
      await signIn(jar, address);
      await program.says(/The OpenID client is loaded/);
      // Each connection may go to the other worker.
      for (let times = 0; times < 6; times++) expect(await me(jar, address)).toBe(200);
      const run = (...words: string[]) => rolebook(words, { ROLEBOOK_DATABASE_URL: world.url });
      expect((await run("sign-in", "list")).stdout).toMatch(/acme +ana +http:\S+ +ana /);
      expect((await run("token", "list")).stdout).not.toContain(provider.issuer);
      expect((await run("token", "list", "--sessions")).stdout).toMatch(/acme +ana +http:/);
      expect((await run("sign-in", "unbind", "ana")).stderr).toContain("Unbound ana of acme");
      for (let times = 0; times < 4; times++) expect(await me(jar, address)).toBe(401);
      expect((await run("sign-in", "unbind", "ana")).status).toBe(1);
    } finally {
      await world.close();
    }
  });
});

/** More forged attempts than one address may have exchanged in two minutes; each names another address. */
async function forged(address: string): Promise<(() => Promise<number>)[]> {
  const asks: (() => Promise<number>)[] = [];
  for (let each = 0; each < 41; each++) {
    const jar = new Jar();
    await jar.ask(`${address}/explorer/sign-in`);
    const query = `code=forged&state=${attemptOf(jar).state}`;
    asks.push(async () => (await jar.ask(`${address}/explorer/sign-in/callback?${query}`)).status);
  }
  return asks;
}

test("an address is the connection's; behind a trusted proxy, the one that the proxy reports", async () => {
  const world = await acmeWorld(sqlitePlace);
  try {
    const plain = await serve(world.url, settings("https://docs.example"));
    await plain.program.says(
      /ROLEBOOK_TRUSTED_PROXIES is not set, so everybody signs in from the proxy's address/,
    );
    const asks = await forged(plain.address);
    expect(await Promise.all(asks.map((ask) => ask()))).toContain(503);
    const trusting = { ...settings("https://docs.example"), ROLEBOOK_TRUSTED_PROXIES: "127.0.0.1" };
    const behind = await serve(world.url, trusting);
    for (const ask of await forged(behind.address)) expect(await ask()).toBe(303);
    behind.program.kill("SIGTERM");
    expect((await behind.program.ended).stderr).not.toContain("ROLEBOOK_TRUSTED_PROXIES");
  } finally {
    await world.close();
  }
});

describe("on PostgreSQL", () => {
  const postgres = usePostgres();

  test("a role with the grants of docs/scale.md can serve; with those of signing in, people sign in and out", async () => {
    const place = await postgres.places.open();
    const schema = /search_path%3D(\w+)/.exec(place.url)?.[1] ?? "";
    const world = await acmeWorld(async () => place);
    const text = textOf("docs/scale.md");
    const grants = (about: RegExp) => text.match(/^GRANT .*;/gm)?.filter((line) => about.test(line)) ?? [];
    const here = (lines: readonly string[]) =>
      lines.map((line) =>
        line
          .replace("SCHEMA public", `SCHEMA ${schema}`)
          .replace(/ ON (token|sign_in|organization|counter) /, ` ON ${schema}.$1 `)
          .replace(/ TO rolebook;/, " TO granted;"),
      );
    const reading = grants(/SELECT ON ALL|last_used_at/);
    const writing = grants(/ON (token|sign_in|organization|counter) TO/).filter(
      (each) => !reading.includes(each),
    );
    expect([reading.length, writing.length]).toEqual([2, 4]);
    try {
      const run = (sql: string) => postgres.server.query(sql);
      await run(`CREATE ROLE granted LOGIN PASSWORD 'serves'; GRANT USAGE ON SCHEMA ${schema} TO granted`);
      for (const line of here(reading)) await run(line);
      const url = `${postgres.server.url("postgres", { user: "granted", password: "serves" })}${new URL(place.url).search}`;
      const { address } = await serve(url, settings());
      provider.allow(address);
      const token = { authorization: `Bearer ${await world.token("acme")}` };
      const jar = new Jar();
      expect((await jar.ask(`${address}/explorer/me`, { headers: token })).status).toBe(200);
      expect(await signIn(jar, address)).toBe(`${address}/?sign-in=unwritable`);
      for (const line of here(writing)) await run(line);
      expect(await signIn(jar, address)).toBe(`${address}/`);
      expect(await me(jar, address)).toBe(200);
      const headers = { ...OURS, origin: address };
      expect((await jar.ask(`${address}/explorer/sign-out`, { method: "POST", headers })).status).toBe(303);
      expect(await me(jar, address)).toBe(401);
    } finally {
      await world.close();
    }
  });

  test("two servers: the first request after the callback reaches the other one", async () => {
    const world = await acmeWorld(() => postgres.places.open());
    try {
      const one = await serve(world.url, settings());
      const two = await serve(world.url, settings(one.address));
      provider.allow(one.address);
      const jar = new Jar();
      // The callback reaches another server than the beginning.
      expect(await signIn(jar, two.address)).toBe(`${one.address}/`);
      expect(await me(jar, two.address)).toBe(200);
      expect(await me(jar, one.address)).toBe(200);
      const headers = { ...OURS, origin: one.address };
      expect((await jar.ask(`${two.address}/explorer/sign-out`, { method: "POST", headers })).status).toBe(
        303,
      );
      const kept = jar.cookies.get("rolebook-session");
      expect(kept).toBe("signed-out");
      expect(await me(jar, one.address)).toBe(401);

      // On a read-only database, nobody can sign in or out, and sessions go on.
      await signIn(jar, one.address);
      const readOnly = world.url + encodeURIComponent(" -c default_transaction_read_only=on");
      const sealed = await serve(readOnly, settings());
      provider.allow(sealed.address);
      expect(await me(jar, sealed.address)).toBe(200);
      const post = { method: "POST", headers: { ...OURS, origin: sealed.address } };
      expect((await jar.ask(`${sealed.address}/explorer/sign-out`, post)).status).toBe(503);
      const other = new Jar();
      expect(await signIn(other, sealed.address)).toBe(`${sealed.address}/?sign-in=unwritable`);
    } finally {
      await world.close();
    }
  });
});
