/** Signing in with a real provider, as a browser does it, and every way in which it does not succeed. */
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Setup } from "../../../src/http/sign-in/setup.ts";
import { listBindings, unbind } from "../../../src/store/sign-ins.ts";
import { hashOf, listTokens, revokeToken } from "../../../src/store/tokens.ts";
import { statement } from "../../../src/store/engine/engine.ts";
import { rolebook } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { Line } from "../../hostile/ask.ts";
import { type Claims, Provider } from "../../parts/provider.ts";
import { sqlitePlace, World } from "../../world.ts";
import { attemptOf, House } from "./house.ts";
import { Jar, OURS, TYPED } from "./jar.ts";
import { writeDirectly } from "../../directly.ts";
import { stopClock } from "../../setup/clock.ts";

const HOUR = 60 * 60_000;
const VERIFIED = { email_verified: true };

let world: World;
let provider: Provider;
let house: House;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import(acme);
  provider = await Provider.start();
  house = await House.open(world.store, provider);
  provider.accounts.set("ana", { email: "Ana.Lima@acme.example", ...VERIFIED });
  provider.accounts.set("ivo", { email: "ivo.marten@acme.example", ...VERIFIED });
});
afterAll(async () => {
  await house.close();
  await provider.go();
  await world.close();
});
afterEach(async () => {
  provider.forge = undefined;
  provider.inToken = true;
  provider.publish = (metadata) => metadata;
  for (const { organization, member } of await listBindings(world.store.engine)) {
    await unbind(world.store.engine, organization, member);
  }
});

/** Why a sign-in failed: what the page says, and what the log says. */
async function problemOf(jar: Jar, callback: string, of = house, keepsAttempt = false): Promise<string> {
  const before = of.lines.length;
  const { status, location = "" } = await jar.ask(callback);
  expect(status).toBe(303);
  expect(jar.cookies.has("rolebook-session")).toBe(false);
  expect(jar.cookies.has("rolebook-sign-in")).toBe(keepsAttempt);
  const { origin, pathname, searchParams } = new URL(location);
  expect([origin, pathname]).toEqual([of.service.publicUrl, "/"]);
  const said = of.lines
    .slice(before)
    .map((line): { why?: string } => JSON.parse(line))
    .find(({ why }) => why !== undefined);
  return [searchParams.get("sign-in"), ...(said?.why === undefined ? [] : [said.why])].join(": ");
}

async function refusal(account: string, of = house): Promise<string> {
  const jar = new Jar();
  return problemOf(jar, await of.toCallback(jar, account), of);
}

async function withHouse(setup: Partial<Setup>, use: (other: House) => Promise<void>): Promise<void> {
  const other = await House.open(world.store, provider, setup);
  try {
    await use(other);
  } finally {
    await other.close();
  }
}

test("the first time and again: the callback leads back to where the person was", async () => {
  const jar = new Jar();
  expect(await house.who(jar)).toBe(401);
  const { status, location, headers } = await house.signIn(jar, "ana", "?space=api-reference&why=ana");
  expect([status, location]).toEqual([303, `${house.address}/?space=api-reference&why=ana`]);
  expect([headers.get("referrer-policy"), headers.get("cache-control")]).toEqual(["no-referrer", "no-store"]);
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^rolebook-session=rbs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    "rolebook-sign-in=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
  ]);
  const { body, headers: answered } = await house.get(jar);
  expect(JSON.parse(body)).toMatchObject({ caller: { kind: "member", id: "ana" }, issuer: provider.issuer });
  expect(answered.get("vary")).toBe("Authorization, Cookie");
  // The provider still knows the person, and asks for nothing.
  const first = jar.cookies.get("rolebook-session");
  await house.signIn(jar, "nobody");
  expect(await house.who(jar)).toBe("ana");
  expect(jar.cookies.get("rolebook-session")).not.toBe(first);
  expect(await world.store.registry.token(hashOf(first ?? ""))).toBe(undefined);
});

test("the request to the provider has S256, state, nonce and the public URL, whatever Host says", async () => {
  const { location = "" } = await new Jar().ask(`${house.address}/explorer/sign-in`, {
    headers: { host: "evil.example", "x-forwarded-host": "evil.example" },
  });
  const { origin, searchParams } = new URL(location);
  expect(origin).toBe(provider.issuer);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: "rolebook",
    response_type: "code",
    scope: "openid email profile",
    redirect_uri: `${house.address}/explorer/sign-in/callback`,
    code_challenge_method: "S256",
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test("under https, cookies have the prefix __Host- and Secure", async () => {
  const other = await House.open(world.store, provider, {}, "https://docs.example/rolebook");
  try {
    const { location = "", headers } = await new Jar().ask(`${other.address}/explorer/sign-in`);
    expect(new URL(location).searchParams.get("redirect_uri")).toBe(
      "https://docs.example/rolebook/explorer/sign-in/callback",
    );
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-rolebook-sign-in=[\w-]+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
      ),
    ]);
    const { location: out, headers: sent } = await other.signOut(new Jar());
    expect(out).toBe("https://docs.example/rolebook/");
    expect(sent.getSetCookie()[0]).toMatch(
      /^__Host-rolebook-session=signed-out; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/,
    );
  } finally {
    await other.close();
  }
});

test("signing out ends the session and clears the cache; the next sign-in asks for the person", async () => {
  const jar = new Jar();
  await house.signIn(jar, "ana");
  const session = jar.cookies.get("rolebook-session") ?? "";
  const { status, location, headers } = await house.signOut(jar);
  expect([status, location]).toEqual([303, `${house.address}/`]);
  expect(headers.get("clear-site-data")).toBe('"cache"');
  expect(await house.who(jar)).toBe(401);
  jar.cookies.set("rolebook-session", session);
  expect(await house.who(jar)).toBe(401);
  await house.signOut(jar);
  const { location: next = "" } = await jar.ask(`${house.address}/explorer/sign-in`);
  expect(new URL(next).searchParams.get("prompt")).toBe("login");
  // Two people after each other in one browser. This one runs no script, so the provider must not know the first.
  for (const name of jar.cookies.keys()) if (name.startsWith("_")) jar.cookies.delete(name);
  await house.signIn(jar, "ivo");
  expect(await house.who(jar)).toBe("ivo");
});

test.each([
  ["no Origin", { origin: "" }, "The Origin is"],
  ["another site's Origin", { origin: "https://evil.example" }, 'The Origin is "https://evil.example"'],
  ["an opaque Origin", { origin: "null" }, 'The Origin is "null"'],
  ["another site", { "sec-fetch-site": "cross-site" }, 'Sec-Fetch-Site is "cross-site"'],
])("signing out needs our page: %s", async (_, headers, message) => {
  const jar = new Jar();
  await house.signIn(jar, "ana");
  const { status, body } = await house.signOut(jar, headers);
  expect([status, body]).toEqual([403, expect.stringContaining(JSON.stringify(message).slice(1, -1))]);
  expect(await house.who(jar)).toBe("ana");
});

test("signing out is a POST, everything else a GET, each with its Allow", async () => {
  const jar = new Jar();
  await house.signIn(jar, "ana");
  const of = async (method: string, path: string, by = jar) => {
    const { status, headers } = await by.ask(`${house.address}${path}`, { method, headers: OURS });
    return [status, headers.get("allow")];
  };
  for (const method of ["GET", "PUT", "DELETE"]) {
    expect(await of(method, "/explorer/sign-out")).toEqual([405, "POST"]);
  }
  expect(await of("POST", "/explorer/sign-in")).toEqual([405, "GET, HEAD"]);
  expect(await of("POST", "/explorer/sign-in/callback")).toEqual([405, "GET, HEAD"]);
  expect(await of("GET", "/explorer/sign-in/", new Jar())).toEqual([401, null]);
  // What reads a body needs our Origin, too.
  const posted = async (origin: Readonly<Record<string, string>>) => {
    const headers = { ...OURS, "content-type": "application/json", ...origin };
    return (await jar.ask(`${house.address}/explorer/review`, { method: "POST", headers })).status;
  };
  expect([await posted({}), await posted({ origin: "https://evil.example" })]).toEqual([403, 403]);
  expect(await posted({ origin: house.address })).toBe(400);
});

test.each([
  ["cross-site", 403],
  ["same-site", 403],
  ["none", 403],
  [undefined, 403],
  ["same-origin", 200],
])("a request with the cookie and Sec-Fetch-Site %s gets %s", async (site, status) => {
  const jar = new Jar();
  await house.signIn(jar, "ana");
  const headers: Record<string, string> = site === undefined ? {} : { "sec-fetch-site": site };
  const cookie = `rolebook-session=${jar.cookies.get("rolebook-session")}`;
  const line = new Line(Number(new URL(house.address).port), 1);
  const answered = await line.ask({ method: "GET", target: "/explorer/me", headers: { ...headers, cookie } });
  line.close();
  expect(answered.status).toBe(status);
});

test("only the explorer looks at the cookie, a session is no token, and a token no session", async () => {
  const jar = new Jar();
  await house.signIn(jar, "ana");
  const session = jar.cookies.get("rolebook-session") ?? "";
  for (const path of ["/v1/orgs/acme/members", "/v1/spaces/api-reference/permissions/users", "/at/1/v1/x"]) {
    expect([path, (await house.get(jar, path)).status]).toEqual([path, 401]);
  }
  expect((await house.get(jar, "/metrics", OURS)).body).not.toContain("ana");
  const bearer = (token: string) => ({ ...OURS, authorization: `Bearer ${token}` });
  expect((await house.get(new Jar(), "/explorer/me", bearer(session))).status).toBe(401);
  // Where both come, the header decides, for better or worse.
  const token = await world.token("acme", "ivo");
  expect(JSON.parse((await house.get(jar, "/explorer/me", bearer(token))).body).caller.id).toBe("ivo");
  expect((await house.get(jar, "/explorer/me", bearer("rb_wrong"))).status).toBe(401);
  const other = new Jar();
  other.cookies.set("rolebook-session", token);
  expect(await house.who(other)).toBe(401);
});

test("of two cookies of one name neither is used, and ours is cleared", async () => {
  const jar = new Jar();
  await house.signIn(jar, "ana");
  const session = jar.cookies.get("rolebook-session") ?? "";
  const doubled = async (value: string, path = "/explorer/me") => {
    const other = new Jar();
    other.cookies.set("rolebook-session", `${value}; rolebook-session=${session}`);
    return { other, ...(await house.get(other, path)) };
  };
  // A neighbour on this host may have set one of them; also one of the same value, and one that is no session.
  for (const value of [session, `rbs_${"a".repeat(43)}`, "signed-out", ""]) {
    const { other, status, body, headers } = await doubled(value);
    expect([status, body]).toEqual([401, expect.stringContaining("given twice; accepted: once")]);
    expect(headers.getSetCookie()).toEqual(["rolebook-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"]);
    expect(other.cookies.has("rolebook-session")).toBe(false);
  }
  // Elsewhere nobody looks at cookies.
  expect((await doubled("x", "/v1/orgs/acme/members")).headers.getSetCookie()).toEqual([]);
  expect(await house.who(jar)).toBe("ana");

  const twice = new Jar();
  const callback = await house.toCallback(twice, "ana");
  const attempt = twice.cookies.get("rolebook-sign-in") ?? "";
  twice.cookies.set("rolebook-sign-in", `${attempt}; rolebook-sign-in=${attempt}`);
  expect(await problemOf(twice, callback)).toBe("again");
});

test.each([
  ["U+00A0", "\u00a0"],
  ["U+00A0 in UTF-8", "\u00c2\u00a0"],
  ["U+0085", "\u0085"],
])("a name that begins with %s, or a value that ends with it, is not ours", async (_, byte) => {
  const jar = new Jar();
  await house.signIn(jar, "ana");
  const session = jar.cookies.get("rolebook-session") ?? "";
  const who = async (cookie: string) => {
    const line = new Line(Number(new URL(house.address).port), 1);
    const { status, body } = await line.ask({
      method: "GET",
      target: "/explorer/me",
      headers: { ...OURS, cookie },
    });
    line.close();
    return status === 200 ? JSON.parse(body).caller.id : status;
  };
  expect(await who(`${byte}rolebook-session=${session}`)).toBe(401);
  expect(await who(`a=b; ${byte}rolebook-session=${session}`)).toBe(401);
  expect(await who(`rolebook-session=${session}${byte}`)).toBe(401);
  // It is not a second one either.
  expect(await who(`${byte}rolebook-session=x; rolebook-session=${session}`)).toBe("ana");
  expect(await who(`a=b;\t rolebook-session=${session} \t;c=d`)).toBe("ana");
});

test("a session that is revoked, has expired, or is of another provider or organization is none", async () => {
  const jar = new Jar();
  await house.signIn(jar, "ana");
  for (const setup of [{ issuer: "https://other.example" }, { organization: "globex" }]) {
    await withHouse(setup, async (other) => expect(await other.who(jar)).toBe(401));
  }
  expect(await house.who(jar)).toBe("ana");
  const [session] = (await listTokens(world.store.engine)).filter(({ issuer }) => issuer !== undefined);
  await revokeToken(world.store.engine, session?.id ?? "");
  expect(await house.who(jar)).toBe(401);
  const pass = stopClock();
  await withHouse({ lifetimes: { idle: HOUR, longest: 24 * HOUR } }, async (other) => {
    await other.signIn(jar, "ana");
    expect(await other.who(jar)).toBe("ana");
    pass(HOUR);
    expect(await other.who(jar)).toBe(401);
    await other.signIn(jar, "ana");
    for (let uses = 0; uses < 8; uses++) {
      pass(HOUR / 4);
      expect(await other.who(jar)).toBe("ana");
      await expect.poll(lastEnd).toBe(new Date(Date.now() + HOUR).toISOString());
    }
  });
});

/** The latest end of a session that is stored. */
async function lastEnd(): Promise<string | undefined> {
  const sessions = (await listTokens(world.store.engine)).filter(({ issuer }) => issuer !== undefined);
  return sessions
    .map(({ expiresAt = "" }) => expiresAt)
    .sort()
    .at(-1);
}

const MOVE = statement<never>(() => "UPDATE token SET expires_at = $1 WHERE issuer IS NOT NULL");

test("a server that knows an earlier end asks the database before it refuses a session", async () => {
  const jar = new Jar();
  const pass = stopClock();
  await withHouse({ lifetimes: { idle: HOUR, longest: 24 * HOUR } }, async (other) => {
    await other.signIn(jar, "ana");
    expect(await house.who(jar)).toBe("ana");
    // Another server moves the end, and announces nothing.
    await writeDirectly(world.store.engine, MOVE, new Date(Date.now() + 3 * HOUR).toISOString());
    pass(2 * HOUR);
    expect(await other.who(jar)).toBe("ana");
  });
});

test("a forged or missing state, one of another browser, and an answer that is not the provider's", async () => {
  const changed = async (change: (query: URLSearchParams) => void, keepsAttempt = false) => {
    const jar = new Jar();
    const url = new URL(await house.toCallback(jar, "ana"));
    change(url.searchParams);
    return problemOf(jar, url.href, house, keepsAttempt);
  };
  expect(await changed((query) => query.set("state", "forged"), true)).toBe("again");
  expect(await changed((query) => query.delete("state"), true)).toBe("again");
  // A mix-up: the answer of another issuer.
  expect(await changed((query) => query.set("iss", "https://evil.example"))).toMatch(/^failed: /);
  expect(await changed((query) => query.delete("code"))).toMatch(/^failed: /);
  expect(await changed((query) => query.append("code", query.get("code") ?? ""))).toMatch(/^failed: /);

  const victim = new Jar();
  const callback = await house.toCallback(victim, "ana");
  expect(await problemOf(new Jar(), callback)).toBe("again");
  const other = new Jar();
  await other.ask(`${house.address}/explorer/sign-in`);
  expect(await problemOf(other, callback, house, true)).toBe("again");
  expect((await victim.ask(callback)).status).toBe(303);
  expect(await house.who(victim)).toBe("ana");
});

test("an answer to another attempt ends none: of two tabs, the one that began last signs in, also behind another site", async () => {
  const jar = new Jar();
  const first = await house.toCallback(jar, "ana");
  const last = await house.toCallback(jar, "ana");
  for (const callback of [first, `${house.address}/explorer/sign-in/callback?code=a&state=b`, first]) {
    expect((await jar.ask(callback)).location).toBe(`${house.address}/?sign-in=again`);
  }
  expect(await house.who(jar)).toBe(401);
  await jar.ask(last);
  expect(await house.who(jar)).toBe("ana");
  expect(jar.cookies.has("rolebook-sign-in")).toBe(false);
});

test("an injected code fails by the verifier, and a code that was used cannot be used again", async () => {
  const attacker = new Jar();
  const stolen = new URL(await house.toCallback(attacker, "ana")).searchParams.get("code") ?? "";
  const victim = new Jar();
  const own = new URL(await house.toCallback(victim, "ivo"));
  own.searchParams.set("code", stolen);
  expect(await problemOf(victim, own.href)).toBe("failed: invalid_grant");

  const jar = new Jar();
  const callback = await house.toCallback(jar, "ivo");
  const attempt = jar.cookies.get("rolebook-sign-in") ?? "";
  await jar.ask(callback);
  expect(await house.who(jar)).toBe("ivo");
  // Without the cookie, which the callback deleted, and with a kept one.
  expect((await jar.ask(callback)).location).toBe(`${house.address}/?sign-in=again`);
  const again = new Jar();
  again.cookies.set("rolebook-sign-in", attempt);
  expect(await problemOf(again, callback)).toBe("again: used");
  // Another server does not know that, but the provider does.
  await withHouse({}, async (another) => {
    again.cookies.set("rolebook-sign-in", attempt);
    const there = callback.replace(house.address, another.address);
    expect(await problemOf(again, there, another)).toBe("failed: invalid_grant");
  });
});

test.each<[string, (claims: Claims, header: Claims) => string | undefined, string]>([
  ["another audience", (claims) => provider.sign({ ...claims, aud: "other" }), "failed"],
  [
    "several audiences without azp",
    (claims) => provider.sign({ ...claims, aud: ["rolebook", "x"] }),
    "failed",
  ],
  ["an azp of somebody else", (claims) => provider.sign({ ...claims, azp: "other" }), "failed: azp"],
  [
    "an azp of somebody else beside two audiences",
    (claims) => provider.sign({ ...claims, aud: ["rolebook", "x"], azp: "x" }),
    "failed",
  ],
  ["an azp that is a list", (claims) => provider.sign({ ...claims, azp: ["rolebook"] }), "failed: azp"],
  ["our own azp", (claims) => provider.sign({ ...claims, azp: "rolebook" }), ""],
  ["a sub of 256 bytes", (claims) => provider.sign({ ...claims, sub: "é".repeat(128) }), "failed: sub"],
  ["a sub of 255 bytes", (claims) => provider.sign({ ...claims, sub: "a".repeat(255) }), ""],
  ["another issuer", (claims) => provider.sign({ ...claims, iss: "https://evil.example" }), "failed"],
  ["another nonce", (claims) => provider.sign({ ...claims, nonce: "other" }), "failed"],
  ["no nonce", (claims) => provider.sign({ ...claims, nonce: undefined }), "failed"],
  ["no sub", (claims) => provider.sign({ ...claims, sub: undefined }), "failed"],
  ["another key", (claims) => provider.signElsewhere(claims), "failed"],
  ["an unknown key", (claims) => provider.sign(claims, { kid: "unknown" }), "failed"],
  ["no signature", (claims) => provider.unsigned(claims, "none"), "failed"],
  ["a signature by the client secret", (claims) => provider.unsigned(claims, "HS256"), "failed"],
  ["altered claims", (claims) => provider.altered({ ...claims, sub: "ivo" }), "failed"],
  ["expired", (claims) => provider.sign({ ...claims, exp: seconds(-61) }), "clock"],
  [
    "our clock 10 minutes behind",
    (claims) => provider.sign({ ...claims, iat: seconds(600), exp: seconds(1200) }),
    "clock",
  ],
  ["a clock within 60 s ahead", (claims) => provider.sign({ ...claims, iat: seconds(50) }), ""],
  ["a clock within 60 s behind", (claims) => provider.sign({ ...claims, exp: seconds(-50) }), ""],
])("an ID token with %s", async (_, forge, problem) => {
  provider.publish = (metadata) => ({
    ...metadata,
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
  });
  provider.forge = forge;
  const jar = new Jar();
  const callback = await house.toCallback(jar, "ana");
  if (problem !== "") expect(await problemOf(jar, callback)).toMatch(new RegExp(`^${problem}(?:$|:)`));
  else {
    await jar.ask(callback);
    expect(await house.who(jar)).toBe("ana");
  }
});

function seconds(from: number): number {
  return Math.floor(Date.now() / 1000) + from;
}

test.each<[string, Claims, string]>([
  ["a stranger", { email: "stranger@acme.example", ...VERIFIED }, "refused: no member"],
  [
    "an address that is not verified",
    { email: "ana.lima@acme.example", email_verified: false },
    "refused: email_verified",
  ],
  [
    "an address that says true in a text",
    { email: "ana.lima@acme.example", email_verified: "true" },
    "refused: email_verified",
  ],
  ["an address without a word on that", { email: "ana.lima@acme.example" }, "refused: email_verified"],
  ["no address", {}, "refused: claim"],
  ["an empty address", { email: "", ...VERIFIED }, "refused: claim"],
  ["several addresses", { email: ["ana.lima@acme.example"], ...VERIFIED }, "refused: claim"],
])("%s is refused", async (_, claims, problem) => {
  provider.accounts.set("someone", claims);
  expect(await refusal("someone")).toBe(problem);
  provider.inToken = false;
  provider.allow("http://127.0.0.1:1");
  expect(await refusal("someone")).toBe(problem);
});

test("no member, several and a bound one read alike for the person", async () => {
  await house.signIn(new Jar(), "ana");
  provider.accounts.set("thief", { email: "ana.lima@acme.example", ...VERIFIED });
  const jar = new Jar();
  const { location } = await house.signIn(jar, "thief");
  provider.accounts.set("stranger", { email: "stranger@acme.example", ...VERIFIED });
  const { location: other } = await house.signIn(new Jar(), "stranger");
  expect([location, other]).toEqual([`${house.address}/?sign-in=refused`, location]);
  // Later, the binding alone counts: not the address, and not whether it is verified.
  provider.accounts.set("ana", { email: "married@acme.example", email_verified: false });
  const again = new Jar();
  await house.signIn(again, "ana");
  expect(await house.who(again)).toBe("ana");
  provider.accounts.set("ana", { email: "Ana.Lima@acme.example", ...VERIFIED });
});

test("a claim that the ID token lacks comes from UserInfo, whose sub must be equal", async () => {
  provider.inToken = false;
  provider.allow("http://127.0.0.1:2");
  const jar = new Jar();
  await house.signIn(jar, "ana");
  expect(await house.who(jar)).toBe("ana");
  provider.tellOf = () => ({ sub: "somebody else", email: "ivo.marten@acme.example", ...VERIFIED });
  expect(await refusal("ana")).toMatch(/^failed: /);
  provider.tellOf = undefined;
});

test("another claim holds the member's id; the hosted domain must be equal", async () => {
  await withHouse({ claim: "oid", hostedDomain: "acme.example" }, async (other) => {
    provider.accounts.set("entra", { oid: "ivo", hd: "acme.example" });
    const jar = new Jar();
    await other.signIn(jar, "entra");
    expect(await other.who(jar)).toBe("ivo");
    provider.accounts.set("outsider", { oid: "ana", hd: "evil.example" });
    expect(await refusal("outsider", other)).toBe("refused: hd");
    provider.accounts.set("personal", { oid: "ana" });
    expect(await refusal("personal", other)).toBe("refused: hd");
    provider.accounts.set("number", { oid: 5, hd: "acme.example" });
    expect(await refusal("number", other)).toBe("refused: claim");
    const { location = "" } = await new Jar().ask(`${other.address}/explorer/sign-in`);
    expect(new URL(location).searchParams.get("hd")).toBe("acme.example");
  });
});

test("the person cancels at the provider", async () => {
  expect(await refusal("")).toBe("denied: access_denied");
});

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/%2F%2Fevil.example",
  "@evil.example",
  ".evil.example",
  "?x\r\nset-cookie: a=b",
  "?space=a#//evil.example",
  "javascript:alert(1)",
  "?é",
])("the way back %j is refused, and a cookie with it is no attempt", async (to) => {
  const { status, body } = await new Jar().ask(
    `${house.address}/explorer/sign-in?to=${encodeURIComponent(to)}`,
  );
  expect(status).toBe(400);
  expect(body).toContain("accepted: the query of an address of the page");
  const jar = new Jar();
  const callback = await house.toCallback(jar, "ana");
  // As if a server with our secret had written it.
  jar.cookies.set("rolebook-sign-in", await house.seal({ ...attemptOf(jar), back: to }));
  expect(await problemOf(jar, callback)).toBe("again");
});

test.each(["", "x", "bnVsbA", "W10", "W251bGwsMSwyLDNd", "%", "e".repeat(900)])(
  "a cookie %.10j leads to a new beginning, not to an error",
  async (value) => {
    const jar = new Jar();
    jar.cookies.set("rolebook-sign-in", value);
    expect((await jar.ask(`${house.address}/explorer/sign-in/callback?code=a&state=b`)).location).toBe(
      `${house.address}/?sign-in=again`,
    );
    for (const query of ["", "?state", "?code=%", "?%00", "?state=a&state=b"]) {
      expect((await jar.ask(`${house.address}/explorer/sign-in/callback${query}`)).status).toBe(303);
    }
  },
);

test("a session that somebody planted in the browser is not the one of the person who signs in", async () => {
  const attacker = new Jar();
  await house.signIn(attacker, "ivo");
  const planted = attacker.cookies.get("rolebook-session") ?? "";
  const victim = new Jar();
  victim.cookies.set("rolebook-session", planted);
  await house.signIn(victim, "ana");
  expect(await house.who(victim)).toBe("ana");
  expect(victim.cookies.get("rolebook-session")).not.toBe(planted);
  // The planted session ended with that.
  expect(await house.who(attacker)).toBe(401);
  const chosen = `rbs_${"a".repeat(43)}`;
  victim.cookies.set("rolebook-session", chosen);
  expect(await house.who(victim)).toBe(401);
});

test("keys rotated, provider gone and back, another issuer published", async () => {
  const jar = new Jar();
  await house.signIn(jar, "ana");
  provider.rotate();
  await house.signIn(jar, "ana");
  expect(await house.who(jar)).toBe("ana");

  const callback = await house.toCallback(jar, "ana");
  await provider.go();
  expect((await jar.ask(callback)).location).toBe(`${house.address}/?sign-in=unreachable`);
  await withHouse({}, async (other) => {
    // A server that starts now serves, and the session goes on.
    expect((await new Jar().ask(`${other.address}/explorer/sign-in`)).location).toBe(
      `${other.address}/?sign-in=unreachable`,
    );
    expect(await other.who(jar)).toBe("ana");
    await provider.come();
    await other.signIn(jar, "ana");
    expect(await other.who(jar)).toBe("ana");
    for (const changed of [
      { issuer: "https://evil.example" },
      { issuer: `${provider.issuer}/` },
      { token_endpoint: "http://evil.example/token" },
      { jwks_uri: "http://192.0.2.1/keys" },
    ]) {
      provider.publish = (metadata) => ({ ...metadata, ...changed });
      expect((await refusal("ana", other)).split(":")[0]).toBe("failed");
    }
  });
});

test("an exchange with a silent provider ends after 10 s, and counts no longer", async () => {
  const silent = Promise.withResolvers<void>();
  const jar = new Jar();
  const callback = await house.toCallback(jar, "ana");
  provider.delay = silent.promise;
  const passed = new AbortController();
  const limit = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => passed.signal);
  onTestFinished(() => {
    limit.mockRestore();
    provider.delay = undefined;
    silent.resolve();
  });
  const before = provider.asked.length;
  const asked = jar.ask(callback);
  await expect.poll(() => provider.asked.length).toBeGreaterThan(before);
  // The client that speaks OpenID has limits of its own, for each request.
  expect(limit.mock.calls[0]).toEqual([10_000]);
  passed.abort(new DOMException("10 s have passed.", "TimeoutError"));
  const { location } = await asked;
  expect(location).toBe(`${house.address}/?sign-in=unreachable`);
});

test("downloads count all sessions of a member together", async () => {
  const [one, other] = [new Jar(), new Jar()];
  for (const jar of [one, other]) await house.signIn(jar, "ivo");
  const { Downloads } = await import("../../../src/http/download.ts");
  const downloads = new Downloads();
  const tokens = await Promise.all(
    [one, other].map((jar) => {
      const value = jar.cookies.get("rolebook-session") ?? "";
      return house.service.store.registry.token(hashOf(value));
    }),
  );
  const [first, second] = tokens.map((found) => found?.token);
  if (first === undefined || second === undefined) throw new Error("There are no two sessions.");
  expect(first.id).not.toBe(second.id);
  const done = downloads.begin(first);
  downloads.begin(second);
  expect(() => downloads.begin(second)).toThrow("Too many files");
  done();
  downloads.begin(second);
});

test("the head of a report names who is signed in, and the command says that this is no signature", async () => {
  const jar = new Jar();
  await house.signIn(jar, "ivo");
  const { body } = await house.get(jar, "/explorer/report?space=api-reference");
  expect(body.split("\r\n")[0]).toBe(`Rolebook report,decided by,ivo,${provider.issuer}`);
  const said = await rolebook(["review", world.file(body, "decided.csv"), "--database", world.url]);
  expect(said.stderr).toContain(
    `The file says that "ivo" decided, signed in with "${provider.issuer}". This is no signature`,
  );
  expect(said.status).toBe(0);
  const { body: plain } = await house.get(jar, "/explorer/report?space=api-reference", {
    authorization: `Bearer ${await world.token("acme", "ivo")}`,
  });
  expect(plain.split("\r\n")[0]).toBe("Rolebook report");
});

test("the log has nothing of what was exchanged", async () => {
  const jar = new Jar();
  const callback = await house.toCallback(jar, "ana");
  const secrets = [
    ...new URL(callback).searchParams.values(),
    ...jar.cookies.values(),
    ...Object.values(attemptOf(jar)),
  ].filter((text: string) => text.length > 8 && text !== provider.issuer);
  expect(secrets.length).toBeGreaterThan(5);
  await jar.ask(callback);
  await jar.ask(callback, { headers: TYPED });
  secrets.push(jar.cookies.get("rolebook-session") ?? "");
  const log = house.lines.join("");
  for (const secret of [...secrets, "Ana", "ana.lima"]) expect(log).not.toContain(secret);
});
