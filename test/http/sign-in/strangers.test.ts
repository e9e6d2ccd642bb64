/** What somebody without an account can do to those who sign in, and to the provider. */
import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { acme } from "../../examples/acme.ts";
import { CLIENT, Provider } from "../../parts/provider.ts";
import { sqlitePlace, World } from "../../world.ts";
import { attemptOf, House } from "./house.ts";
import { type Answered, Jar } from "./jar.ts";

const HTML = { headers: { accept: "text/html" } };

let world: World;
let provider: Provider;
let house: House;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import(acme);
  provider = await Provider.start();
  provider.accounts.set("ana", { email: "ana.lima@acme.example", email_verified: true });
  house = await House.open(world.store, provider);
});
afterEach(() => {
  vi.useRealTimers();
  provider.delay = undefined;
});
afterAll(async () => {
  await house.close();
  await provider.go();
  await world.close();
});

/** Begins a sign-in, and returns the callback with a code that the provider never gave. */
async function forge(jar: Jar, of = house): Promise<string> {
  await jar.ask(`${of.address}/explorer/sign-in`);
  const query = new URLSearchParams({ code: "forged", state: attemptOf(jar).state, iss: provider.issuer });
  return `${of.address}/explorer/sign-in/callback?${query}`;
}

/** How often the provider was asked to exchange a code. */
const exchanges = () => provider.asked.filter((path) => path === "/token").length;

/** Browsers of one address, each with an attempt and a forged code. */
async function forgeMany(count: number, address: string): Promise<(readonly [Jar, string])[]> {
  const made: (readonly [Jar, string])[] = [];
  for (let each = 0; each < count; each++) {
    const jar = new Jar();
    jar.address = address;
    made.push([jar, await forge(jar)]);
  }
  return made;
}

const hashed = (sealed: string, key: string | Buffer) =>
  `${sealed}.${createHmac("sha256", key).update(sealed).digest("base64url")}`;

test.each<[string, (cookie: string) => string | Promise<string>]>([
  ["without a hash", (cookie) => cookie.split(".")[0] ?? ""],
  ["with an empty hash", (cookie) => `${cookie.split(".")[0]}.`],
  [
    "with a changed hash",
    (cookie) => `${cookie.slice(0, -2)}${cookie.at(-2) === "A" ? "B" : "A"}${cookie.at(-1)}`,
  ],
  ["with a shorter hash", (cookie) => cookie.slice(0, -1)],
  ["with something behind the hash", (cookie) => `${cookie}.${cookie.split(".")[1]}`],
  ["with the hash of the client secret", (cookie) => hashed(cookie.split(".")[0] ?? "", CLIENT.secret)],
  ["with a hash of an empty key", (cookie) => hashed(cookie.split(".")[0] ?? "", "")],
  ["with a hash that is not ASCII", (cookie) => `${cookie.split(".")[0]}.${"\u00e9".repeat(43)}`],
  [
    "of a server with another client secret",
    async (cookie) => {
      const jar = new Jar();
      jar.cookies.set("rolebook-sign-in", cookie);
      const other = await House.open(world.store, provider, { clientSecret: "another" });
      const sealed = await other.seal(attemptOf(jar));
      await other.close();
      return sealed;
    },
  ],
  [
    "with another way back",
    (cookie) => {
      const [sealed = "", hash] = cookie.split(".");
      const text = Buffer.from(sealed, "base64url").toString().replace('"back":""', '"back":"?a"');
      expect(text).toContain("?a");
      return `${Buffer.from(text).toString("base64url")}.${hash}`;
    },
  ],
])("a cookie %s sends nothing to the provider", async (_, change) => {
  const jar = new Jar();
  const callback = await forge(jar);
  const cookie = jar.cookies.get("rolebook-sign-in") ?? "";
  const forged = await change(cookie);
  const before = provider.asked.length;
  jar.cookies.set("rolebook-sign-in", forged);
  expect((await jar.ask(callback)).location).toBe(`${house.address}/?sign-in=again`);
  expect(jar.cookies.has("rolebook-sign-in")).toBe(false);
  expect(provider.asked.slice(before)).toEqual([]);
  // The cookie as we wrote it does.
  jar.cookies.set("rolebook-sign-in", cookie);
  expect((await jar.ask(callback)).location).toBe(`${house.address}/?sign-in=failed`);
  expect(provider.asked.slice(before)).toContain("/token");
});

test("a cookie full of blanks takes no longer than another one of its length", async () => {
  const cpuOf = async (filling: string) => {
    const cookie = `a=b${filling.repeat(7_500)}c`;
    let least = Infinity;
    for (let times = 0; times < 5; times++) {
      const before = process.cpuUsage();
      expect((await new Jar().ask(`${house.address}/healthz`, { headers: { cookie } })).status).toBe(200);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, user + system);
    }
    return least;
  };
  expect((await cpuOf(" \t")) / (await cpuOf("xy"))).toBeLessThan(10);
});

test("an attempt ends after ten minutes, also in a browser that keeps the cookie", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const began = Date.now();
  const after = async (milliseconds: number) => {
    vi.setSystemTime(began);
    const jar = new Jar();
    const callback = await forge(jar);
    vi.setSystemTime(began + milliseconds);
    return (await jar.ask(callback)).location?.split("=")[1];
  };
  expect(await after(599_000)).toBe("failed");
  expect(await after(600_000)).toBe("again");
  // The server that wrote it may have a clock that is ahead of ours by a minute.
  expect(await after(-60_000)).toBe("failed");
  expect(await after(-60_001)).toBe("clock");
});

test("an attempt is exchanged once a server, however many send it at once, and as long as it lasts", async () => {
  const jar = new Jar();
  const callback = await forge(jar);
  const attempt = jar.cookies.get("rolebook-sign-in") ?? "";
  const again = (at: string) => {
    const copy = new Jar();
    copy.cookies.set("rolebook-sign-in", attempt);
    return copy.ask(at);
  };
  const before = exchanges();
  const answers = await Promise.all(Array.from({ length: 20 }, () => again(callback)));
  expect(answers.filter(({ location }) => location?.endsWith("=failed") === true)).toHaveLength(1);
  expect(answers.filter(({ location }) => location?.endsWith("=again") === true)).toHaveLength(19);
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(Date.now() + 599_000);
  await again(callback.replace("forged", "other"));
  expect(exchanges() - before).toBe(1);
  vi.useRealTimers();
  const other = await House.open(world.store, provider);
  await again(callback.replace(house.address, other.address));
  await again(callback.replace(house.address, other.address));
  await other.close();
  expect(exchanges() - before).toBe(2);
});

test("200 forged attempts of one address are two exchanges at once and twenty a minute; others sign in meanwhile", async () => {
  // Asks the provider where to send people, which would count for the first of them.
  await forge(new Jar());
  const network = "2001:db8:1:2";
  const forged = await forgeMany(200, `${network}::1`);
  // All addresses of an IPv6 network are one.
  for (const [index, [jar]] of forged.entries()) jar.address = `${network}:${index.toString(16)}::1`;
  vi.useFakeTimers({ toFake: ["Date"] });
  const ana = new Jar();
  const callback = await house.toCallback(ana, "ana");
  const before = exchanges();
  provider.most = 0;
  const asked = forged.map(([jar, to]) => jar.ask(to, HTML));
  const refused = await Promise.race(asked.map((each) => refusedOnly(each)));
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.body).toContain("<h1>Too many people are signing in from your address; try again.</h1>");
  await ana.ask(callback);
  expect(await house.who(ana)).toBe("ana");
  const answers = await Promise.all(asked);
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(180);
  expect(exchanges() - before).toBe(21);
  expect(provider.most).toBeLessThanOrEqual(3);
  // Whoever was refused has lost nothing but time.
  const index = answers.findIndex(({ status }) => status === 503);
  vi.setSystemTime(Date.now() + 60_000);
  const [jar, to] = forged[index] ?? [];
  expect((await jar?.ask(to ?? ""))?.location).toBe(`${house.address}/?sign-in=failed`);
});

/** Resolves to an answer only if it is a 503. */
async function refusedOnly(asked: Promise<Answered>): Promise<Answered> {
  const answered = await asked;
  return answered.status === 503 ? answered : new Promise(() => {});
}

test("at most ten exchanges at once; whoever is sent away has lost nothing", async () => {
  const waiting = Promise.withResolvers<void>();
  const jars: (readonly [Jar, string])[] = [];
  for (let each = 0; each < 11; each++) {
    const jar = new Jar();
    jars.push([jar, await house.toCallback(jar, "ana")]);
  }
  provider.delay = waiting.promise;
  const asked = jars.map(([jar, callback]) => jar.ask(callback, { headers: { accept: "text/html" } }));
  const began = performance.now();
  const busy = await Promise.race(asked);
  // It waited for its turn first.
  expect(performance.now() - began).toBeGreaterThan(4_900);
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "5"]);
  // A browser shows a page.
  expect(busy.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(busy.body).toContain("<h1>Too many people are signing in now; try again.</h1>");
  provider.delay = undefined;
  waiting.resolve();
  const ended = await Promise.all(asked);
  expect(ended.filter(({ location }) => location === `${house.address}/`)).toHaveLength(10);
  const [last, callback] = jars[ended.findIndex(({ status }) => status === 503)] ?? [];
  if (last === undefined || callback === undefined) throw new Error("Nobody was sent away.");
  await last.ask(callback);
  expect(await house.who(last)).toBe("ana");
});

test("begins, of which there are many, ask the provider once; and while it is away, twenty times a minute", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const other = await House.open(world.store, provider);
  const jar = new Jar();
  const begin = async (by = jar) => (await by.ask(`${other.address}/explorer/sign-in`)).location;
  const before = provider.asked.length;
  const away = `${other.address}/?sign-in=failed`;
  provider.publish = (metadata) => ({ ...metadata, issuer: "https://evil.example" });
  for (let each = 0; each < 20; each++) expect(await begin()).toBe(away);
  for (let each = 0; each < 5; each++) expect(await begin()).toBe(undefined);
  expect(provider.asked.length - before).toBe(20);
  // Another address may still ask, and then everybody can sign in.
  provider.publish = (metadata) => metadata;
  const first = await begin(new Jar());
  for (const location of [first, ...(await Promise.all(Array.from({ length: 50 }, () => begin())))]) {
    expect(location).toContain(`${provider.issuer}/auth`);
  }
  expect(provider.asked.length - before).toBe(21);
  await other.close();
});
