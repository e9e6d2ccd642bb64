/** The requests of the corpus, as the bytes that a client writes. */
import type { Expected } from "../../hostile/ask.ts";

export interface Sent extends Expected {
  readonly name: string;
  /** What is written to a new connection, one write for each part. */
  readonly parts: readonly Buffer[];
}

/** Tokens of Acme: one of the organization, one of an admin and one of a member who may list little. */
export interface Tokens {
  readonly organization: string;
  readonly admin: string;
  readonly member: string;
}

interface Choices {
  readonly method?: string;
  readonly headers?: string;
  readonly body?: string;
  readonly version?: string;
  readonly host?: string;
}

const SPACE = "/v1/spaces/api-reference";
const EVERYONE = `${SPACE}/permissions/aggregate`;
const USERS = `${SPACE}/permissions/users`;
const HANDBOOK = "/v1/collections/handbook/permissions";
const MEMBER = "/v1/orgs/acme/members/ana";
const SITE = "/v1/orgs/acme/sites/acme-docs/permissions/aggregate";

/** All listings, each with two entries on a page. */
const LISTINGS = [
  `${USERS}?limit=2`,
  `${SPACE}/permissions/teams?limit=2`,
  `${EVERYONE}?limit=2`,
  `${HANDBOOK}/teams?limit=2`,
  `${HANDBOOK}/users?limit=2`,
  `${HANDBOOK}/aggregate?limit=2`,
  `${MEMBER}/spaces?limit=2`,
  `${SITE}?limit=2`,
  `${MEMBER}/teams?limit=2`,
  ...["members", "teams", "spaces", "collections"].map((list) => `/v1/orgs/acme/${list}?limit=2`),
];

const BROWSER = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n";
const LONG = "x".repeat(9_000);

export function requestsOf({ organization, admin, member }: Tokens): readonly Sent[] {
  const all: Sent[] = [];
  const own = `Authorization: Bearer ${organization}\r\n`;
  const text = (target: string, choices: Choices = {}) => {
    const {
      method = "GET",
      headers = own,
      body = "",
      version = "1.1",
      host = "Host: rolebook\r\n",
    } = choices;
    return `${method} ${target} HTTP/${version}\r\n${host}${headers}\r\n${body}`;
  };
  const raw = (name: string, written: string | readonly string[], choices: Partial<Sent> = {}) => {
    const parts = (typeof written === "string" ? [written] : written).map((part) =>
      Buffer.from(part, "latin1"),
    );
    all.push({
      name: JSON.stringify(name).slice(1, -1),
      parts,
      answers: 1,
      heads: [],
      ...choices,
    });
  };
  const ask = (name: string, target: string, choices: Choices = {}) =>
    raw(`${name}: ${choices.method ?? "GET"} ${shortened(target)}`, text(target, choices), {
      heads: choices.method === "HEAD" ? [0] : [],
    });

  for (const target of LISTINGS) {
    ask("a listing", target);
    ask("a listing", target, { method: "HEAD" });
    ask("a listing in the past", `/at/1${target}`);
    ask("an admin's token", target, { headers: `Authorization: Bearer ${admin}\r\n` });
    ask("a member's token", target, { headers: `Authorization: Bearer ${member}\r\n` });
    ask("no token", target, { headers: "" });
    ask("another method", target, { method: "DELETE" });
    ask("the same ETag", target, { headers: `${own}If-None-Match: *\r\n` });
    raw(`the same page three times: ${target}`, text(target).repeat(3), { answers: 3 });
  }

  const methods = [
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "QUERY",
    "PROPFIND",
    "LOCK",
    "M-SEARCH",
  ];
  for (const method of methods) {
    ask("a method", EVERYONE, { method });
    ask("a method without a token", EVERYONE, { method, headers: "" });
    ask("a method", "/healthz", { method, headers: "" });
    ask("a method", "/nothing", { method, headers: "" });
    ask("a method", "/v1/nothing", { method });
    ask("a method", "/explorer/me", { method });
  }
  for (const method of ["BREW", "get", "Get", "HEAD2", "G\u0000T", "", "GET GET"])
    ask("no method", EVERYONE, { method });
  ask("a method", "db.internal:5432", { method: "CONNECT" });
  ask("a method", "*", { method: "OPTIONS" });
  ask("a method", "*", { method: "OPTIONS", headers: "" });

  const spellings = [
    "/v1/spaces/%61pi-reference/permissions/users",
    "/%761/spaces/api-reference/permissions/users",
    "/v1/sp%61ces/api-reference/permissions/%75sers",
    "/v1/spaces/api%2Dreference/permissions/users",
    "/v1/spaces/api%2dreference/permissions/users?limit=1",
    "/v1/spaces/api-reference%2Fpermissions/users",
    "/v1%2Fspaces/api-reference/permissions/users",
    "/v1/spaces/a%2Fb/permissions/users",
    "/v1/spaces/%2561pi-reference/permissions/users",
    "/v1/spaces/%C3%A9/permissions/users",
    "/v1/spaces/%c3/permissions/users",
    "/v1/spaces/%ff/permissions/users",
    "/v1/spaces/%zz/permissions/users",
    "/v1/spaces/%/permissions/users",
    "/v1/spaces/%00/permissions/users",
    "/v1/spaces/%3F/permissions/users",
    "/v1/spaces/%23/permissions/users",
    "/v1/spaces/a+b/permissions/users",
    "/v1/spaces/a;b/permissions/users",
    "/v1/spaces/:spaceId/permissions/users",
    "/v1/spaces/*/permissions/users",
    "/v1/spaces//permissions/users",
    "/v1/spaces/../spaces/api-reference/permissions/users",
    "/v1/spaces/api-reference/permissions/users/",
    "/v1/spaces/api-reference/permissions/users//",
    "/v1/spaces/api-reference/permissions/users/x",
    "/v1/spaces/api-reference/permissions/users;x",
    "/v1/spaces/api-reference/permissions/users;limit=1",
    "/v1/spaces/api-reference/permissions/users#x",
    "/v1/spaces/api-reference/permissions/users%23",
    "/v1/spaces/api-reference/permissions/users%3Flimit=1",
    "/v1/spaces/api-reference/permissions/users%20",
    "/v1/spaces/api-reference/permissions/USERS",
    "/v1/Spaces/api-reference/permissions/users",
    "//v1/spaces/api-reference/permissions/users",
    "/./v1/spaces/api-reference/permissions/users",
    "/v1/spaces/api-reference/permissions",
    "/v1/spaces/nowhere/permissions/users",
    "/v1/collections/nowhere/permissions/aggregate",
    "/v1/orgs/acme/members/nobody/spaces",
    "/v1/orgs/acme/sites/nowhere/permissions/aggregate",
    "/v1/orgs/other/members/ana/spaces",
    "/v1/orgs/other/members/ana/spaces?order=up",
    `/v1/spaces/${"a".repeat(255)}/permissions/users`,
    `/v1/spaces/${"a".repeat(256)}/permissions/users`,
    `/v1/spaces/${"%F0%9F%98%80".repeat(255)}/permissions/users`,
    `/v1/spaces/${"%F0%9F%98%80".repeat(256)}/permissions/users`,
    "http://elsewhere.example:9/v1/spaces/api-reference/permissions/users",
    "HTTPS://user:word@[::1]/v1/spaces/api-reference/permissions/users",
    "http://elsewhere.example",
    "http://elsewhere.example?x=y",
    "ftp://elsewhere.example/v1/spaces/api-reference/permissions/users",
    "v1/spaces/api-reference/permissions/users",
    "*",
    "?limit=1",
    "\\v1\\spaces\\api-reference\\permissions\\users",
    "/v1",
    "/v1/",
    "/v1?",
    "/at",
    "/at/",
    "/explorer",
    "/explorer/",
  ];
  for (const target of spellings) ask("a spelling", target);
  for (const target of [
    "/v1",
    "/v1/nothing",
    "/%761/x",
    "/v%31",
    "http://x/%761",
    "/v1#",
    "/v1/%",
    "/v1%2F",
    "/V1/x",
  ])
    ask("a spelling without a token", target, { headers: "" });

  const queries = [
    "limit=0",
    "limit=1001",
    "limit=1e1",
    "limit=",
    "limit",
    "limit=%31",
    "%6Cimit=1",
    "limit=+1",
    "limit=1&limit=2",
    "Limit=1",
    "nothing=1",
    "role=owner",
    "role=",
    "role=%zz",
    "role=%ff",
    "role=admin&limit=1",
    "role=read&",
    "&",
    "=",
    "page=",
    "page=x",
    "page=%00",
    `page=${"A".repeat(40)}`,
    "order=asc",
    "title=x",
    "?limit=1",
    "limit=1#x",
    "limit=1;role=read",
    "__proto__=1",
    "constructor=1",
  ];
  for (const query of queries) ask("a query", `${EVERYONE}?${query}`);
  ask("a filter", `${MEMBER}/spaces?order=asc&limit=1`);
  ask("a filter", `${MEMBER}/teams?title=A&limit=1`);
  ask("a filter", `${MEMBER}/teams?title=%C3%A9`);
  ask("a filter", `${EVERYONE}?role=edit&limit=1`);

  const whens = [
    "1",
    "0",
    "2",
    "01",
    "1.5",
    "now",
    "2026-03-01",
    "2999-01-01",
    "1970-01-01",
    "2026-13-01",
    "%31",
    "",
    "..",
    "%zz",
  ];
  for (const when of whens) ask("a moment", `/at/${when}${USERS}`);
  ask("a moment", `/at/1/at/1${USERS}`);
  ask("a moment", `/at/1/v1/nothing`);
  ask("a moment", `/at/1/healthz`);
  ask("a moment without a token", `/at/1${USERS}`, { headers: "" });
  ask("a moment", `/at/x${USERS}`, { method: "POST" });

  const tokens = [
    "Authorization: Bearer\r\n",
    "Authorization: Bearer \r\n",
    "Authorization: Bearer rb_wrong\r\n",
    `Authorization: Bearer rb_${"a".repeat(43)}\r\n`,
    `Authorization: bearer ${organization}\r\n`,
    `Authorization: BEARER   ${organization}  \r\n`,
    `Authorization: ${organization}\r\n`,
    `Authorization: Basic ${organization}\r\n`,
    `Authorization: Bearer ${organization} x\r\n`,
    `Authorization:Bearer ${organization}\r\n`,
    `AUTHORIZATION: Bearer ${organization}\r\n`,
    `Proxy-Authorization: Bearer ${organization}\r\n`,
    `Cookie: token=${organization}\r\n`,
    own + own,
    `${own}authorization: Bearer x\r\n`,
  ];
  for (const headers of tokens) ask(`a token, ${masked(headers)}`, USERS, { headers });

  ask("no Host", USERS, { host: "" });
  ask("two Hosts", USERS, { host: "Host: a\r\nHost: a\r\n" });
  ask("an empty Host", USERS, { host: "Host:\r\n" });
  ask("HTTP/1.0", USERS, { version: "1.0" });
  ask("HTTP/1.0 without a Host", USERS, { version: "1.0", host: "" });
  ask("HTTP/1.0 that stays", USERS, { version: "1.0", headers: `${own}Connection: keep-alive\r\n` });
  ask("HTTP/1.0 on a missing path", "/nothing", { version: "1.0", headers: "" });
  for (const version of ["2.0", "3.7", "1", "1.1.1"]) ask(`HTTP/${version}`, USERS, { version });
  for (const header of ["Connection: close", "Connection: keep-alive", "Connection: x, close"]) {
    ask(header, USERS, { headers: `${own}${header}\r\n` });
    ask(header, "/nothing", { headers: `${header}\r\n` });
    ask(header, "/healthz", { headers: `${header}\r\n` });
  }
  for (const header of [
    "Expect: 100-continue",
    "Expect: the unexpected",
    "Connection: Upgrade\r\nUpgrade: websocket",
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
    "Upgrade: websocket",
  ]) {
    for (const target of [USERS, "/healthz", "/nothing", `${USERS}?limit=0`])
      ask(header.replaceAll("\r\n", ", "), target, { headers: `${own}${header}\r\n` });
  }
  for (const header of [
    "X: a\u0000b",
    "X: a\u0001b",
    "X\u0000: a",
    "X : a",
    ": a",
    " folded",
    "X: a\rb",
    "X",
    "X: \xff",
  ])
    ask(`a header, ${JSON.stringify(header)}`, USERS, { headers: `${own}${header}\r\n` });
  for (const bytes of ["\u0000", "\u0001", "\u007f", "\xff", "\xc3\xa9", " ", "\t", "\n"])
    ask(`a byte in the target, ${JSON.stringify(bytes)}`, `/v1/spaces/a${bytes}b/permissions/users`);
  for (const accept of [
    "*/*",
    "text/html",
    "application/json, text/html",
    "text/html;q=0",
    "TEXT/HTML ; q=0.9",
  ]) {
    ask(`Accept: ${accept}`, "/nothing", { headers: `Accept: ${accept}\r\n` });
    ask(`Accept: ${accept}`, "/v1/nothing", { headers: `${own}Accept: ${accept}\r\n` });
  }

  ask("too long", `${USERS}?page=${LONG}`);
  ask("too long without a token", `${USERS}?page=${LONG}`, { headers: "" });
  ask("too long", `/nothing?${LONG}`, { headers: BROWSER });
  ask("too long", `${USERS}?page=${LONG}${LONG}`);
  ask("too long", `${USERS}?page=${LONG}${LONG}`, { method: "HEAD" });
  ask("too large headers", USERS, { headers: `X: ${LONG}${LONG}\r\n` });
  ask("too large headers", USERS, { headers: `X: ${LONG}${LONG}\r\n`, method: "HEAD" });
  ask("too many headers", USERS, { headers: "X: y\r\n".repeat(4_000) });
  ask("many headers", USERS, { headers: own + "X: y\r\n".repeat(900) });

  for (const [headers, body] of [
    ["Content-Length: 5\r\n", "hello"],
    ["Content-Length: 0\r\n", ""],
    ["Content-Length: 5\r\nContent-Type: application/json\r\n", "{oops"],
    ["Content-Length: 2\r\nContent-Type: text/odd\r\n", "{}"],
    ["Content-Length: 2\r\nContent-Type: ;;\r\n", "{}"],
    ["Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"],
  ] as const) {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS", "QUERY"]) {
      for (const target of [USERS, "/nothing"]) {
        const [first, next] = [text(target, { method, headers: own + headers, body }), text("/healthz")];
        raw(`a body, ${method} ${target}, ${headers.replaceAll("\r\n", ", ")}`, first + next, { answers: 2 });
      }
    }
  }
  raw(
    "a body without a token",
    text(USERS, { method: "POST", headers: "Content-Length: 5\r\n", body: "hello" }),
  );
  const smuggled = text("/v1/spaces/smuggled/permissions/users");
  for (const [headers, body] of [
    ["Transfer-Encoding: chunked\r\n", "zz\r\n"],
    ["Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n"],
    ["Content-Length: 3\r\nContent-Length: 4\r\n", "abc"],
    ["Content-Length: -1\r\n", ""],
    ["Content-Length: 1e1\r\n", ""],
    ["Transfer-Encoding: gzip\r\n", ""],
    ["Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n", ""],
  ] as const) {
    raw(
      `a smuggled request, ${headers.replaceAll("\r\n", ", ")}`,
      text(USERS, { headers: own + headers, body }) + smuggled,
      {
        answers: 2,
      },
    );
  }

  for (const target of [
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/explorer/openapi.json",
    "/docs",
    "/",
    "/favicon.ico",
  ]) {
    ask("no token needed", target, { headers: "" });
    ask("no token needed", target, { headers: "", method: "HEAD" });
    ask("no token needed", target, { headers: "", method: "POST" });
    ask("no token needed", `${target}?x=%zz`, { headers: "" });
    ask("no token needed", target, { headers: "If-None-Match: *\r\n" });
  }
  for (const target of [
    "/docs/",
    "/%64ocs",
    "/explorer/openapi.json/",
    "/explorer/openapi%2Ejson",
    "/assets/",
    "/assets/nothing.js",
  ]) {
    ask("nearly a path", target, { headers: "" });
    ask("nearly a path", target, { headers: BROWSER });
  }
  for (const target of [
    "/s/api-reference",
    "/s/",
    "/s/..",
    "/s/a%2Fb",
    "/s/%22",
    "/s/api-reference?x=y",
    `/s/${"a".repeat(300)}`,
  ]) {
    ask("a space's link", target, { headers: "" });
    ask("a space's link", target, { headers: BROWSER, method: "HEAD" });
  }
  for (const target of ["/nothing", "/a/b//c/", "/index.html", "/%zz"]) {
    ask("a missing path", target, { headers: "" });
    ask("a missing path", target, { headers: BROWSER });
    ask("a missing path", target, { headers: BROWSER, method: "HEAD" });
    ask("a missing path", target, { headers: BROWSER, method: "POST" });
  }

  const explorer = [
    "/explorer/me",
    "/explorer/overview",
    "/explorer/tree",
    "/explorer/search?q=ana",
    "/explorer/counts?space=api-reference",
    "/explorer/access?space=api-reference&limit=2",
    "/explorer/why?space=api-reference&user=ana",
    "/explorer/revisions",
    "/explorer/rules",
    "/explorer/tidy",
    "/explorer/changes?earlier=1&later=1",
    "/explorer/csv?list=members",
    "/explorer/csv?list=nothing",
    "/explorer/report?space=api-reference",
    "/explorer/access",
    "/explorer/access?space=nowhere",
    "/explorer/me?revision=0",
    "/explorer/me?at=never",
    "/explorer/tree?revision=1&at=1",
    "/explorer/nothing",
    "/explorer/m%65",
    "/explorer/me/",
  ];
  for (const target of explorer) {
    ask("the explorer", target);
    ask("the explorer", target, { method: "HEAD" });
    ask("the explorer without a token", target, { headers: "" });
    ask("the explorer", target, { headers: `Authorization: Bearer ${member}\r\n` });
  }
  ask("the explorer", "/explorer/overview", { headers: `${own}If-None-Match: *\r\n` });
  ask("the explorer", "/explorer/csv?list=members", { method: "POST" });

  const many = [
    USERS,
    "/nothing",
    "/healthz",
    "/v1/nothing",
    `${USERS}?limit=0`,
    "/explorer/overview",
    USERS,
  ];
  raw("pipelined", many.map((target) => text(target)).join(""), { answers: many.length });
  raw(
    "pipelined with HEAD",
    text(USERS, { method: "HEAD" }) + text("/nothing", { method: "HEAD" }) + text(USERS),
    {
      answers: 3,
      heads: [0, 1],
    },
  );
  raw("rubbish after a request", `${text(USERS)}RUBBISH\r\n\r\n`, { answers: 2 });
  raw("rubbish after a file", `${text("/explorer/csv?list=members")}\u0000`, { answers: 2 });
  raw(
    "a request after the last one",
    text(USERS, { headers: `${own}Connection: close\r\n` }) + text("/healthz"),
  );
  raw("byte by byte", [...text(USERS)]);
  raw("in two parts", [text(USERS).slice(0, 40), text(USERS).slice(40)]);
  raw("half-closed", text(USERS), { halfClosed: true });
  raw("half-closed in the middle", text(USERS).slice(0, 40), { halfClosed: true });
  raw("half-closed after two", text(USERS) + text("/nothing"), { answers: 2, halfClosed: true });
  raw("half-closed without a request", "", { halfClosed: true });
  raw("a TLS hello", Buffer.from("160301020001000000fc0303", "hex").toString("latin1"));
  raw("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  raw("empty lines first", `\r\n\r\n${text("/healthz")}`);
  raw("no request", "\r\n\r\n\r\nhello\r\n\r\n");
  raw("no target", "GET\r\n\r\n");
  raw("HTTP/0.9", "GET /healthz\r\n\r\n");
  raw("only line feeds", "GET /healthz HTTP/1.1\nHost: x\n\n");
  raw("a folded request line", "GET /healthz\r\n HTTP/1.1\r\nHost: x\r\n\r\n");
  return all;
}

/** Requests to a server that allows each token six requests in a minute, in their order. */
export function limitedRequestsOf({ organization, member }: Tokens): readonly Sent[] {
  const sent = (method: string, target: string, token: string): Sent => ({
    name: `a rate limit: ${method} ${target}`,
    parts: [
      Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: rolebook\r\nAuthorization: Bearer ${token}\r\n\r\n`),
    ],
    answers: 1,
    heads: method === "HEAD" ? [0] : [],
  });
  const file = "/explorer/csv?list=members";
  const admitted = [USERS, USERS, USERS, "/v1/nothing", "/explorer/overview", file];
  return [...admitted, USERS, "/v1/nothing", "/explorer/overview", "/nothing", "/healthz"]
    .map((target) => sent("GET", target, organization))
    .concat(
      sent("HEAD", USERS, organization),
      sent("POST", USERS, organization),
      sent("POST", USERS, member),
    );
}

function shortened(target: string): string {
  return target.length > 120 ? `${target.slice(0, 100)}… (${target.length} characters)` : target;
}

function masked(headers: string): string {
  return headers
    .replaceAll(/rb_[\w-]{43}/g, "TOKEN")
    .replaceAll("\r\n", " ")
    .trim();
}
