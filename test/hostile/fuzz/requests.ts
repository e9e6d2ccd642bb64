import * as fc from "fast-check";
import { path as pathFor } from "../../oracle/listing.ts";
import type { Request } from "../ask.ts";
import type { Pages } from "./judge.ts";
import type { Tenants } from "../tenants.ts";

/** Generates hostile requests from parts. A position is taken modulo the length of the list that it indexes. */

const METHODS = ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "PURGE"];

const method = fc.oneof(
  { weight: 12, arbitrary: fc.constant("GET") },
  { weight: 3, arbitrary: fc.constantFrom(...METHODS) },
);

const position = fc.nat({ max: 9999 });

/** Characters that a target can contain. */
const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const piece = fc.oneof(
  visible,
  fc.constantFrom(
    ..."%00 %0a %0d%0a %2e %2E%2e %2f %2F %5c %25 %2500 %zz % %f %ff %c0%af %ed%a0%80 %c3%a9 %f0%9f%98%80 %23 %3f %26".split(
      " ",
    ),
    ..."/ // . .. ../ # ? & = + ; : , \\ | { } < > \" ' ` ^ ~ * $ v1 V1 spaces orgs members teams".split(" "),
    "a".repeat(300),
    "%e2%82%ac".repeat(256),
  ),
);
const junk = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));

type Change = (path: string) => string;

/** One change of a valid path. */
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(position, junk).map(
    ([at, text]): Change =>
      (path) =>
        insert(path, at, text),
  ),
  position.map(
    (at): Change =>
      (path) =>
        path.slice(0, at % path.length) + path.slice((at % path.length) + 1),
  ),
  position.map(
    (at): Change =>
      (path) =>
        percentEncode(path, at),
  ),
  fc.constantFrom<Change>(
    (path) => `${path}/`,
    (path) => `/${path}`,
    (path) => path.toUpperCase(),
    (path) => path.replace("/v1", "/v2"),
    (path) => path.replace("/v1", ""),
    (path) => path.replace("/v1", "/v1/."),
    (path) => path.replace("/v1", "/x/../v1"),
    (path) => `http://elsewhere.example${path}`,
    (path) => `HTTPS://[::1]:99${path}`,
    (path) => path.replace("permissions", "permission"),
    (path) => path.split("/").slice(0, -1).join("/"),
    (path) => `${path}/users`,
    (path) => path.replace(/(spaces|collections|members)\/[^/]+/, "$1/.."),
    (path) => path.replace(/(spaces|collections|members|sites)\/[^/]+/, "$1/%00"),
    (path) => path.replace(/(spaces|collections|members|sites)\/([^/]+)/, "$1/$2%00"),
  ),
);

function insert(path: string, at: number, text: string): string {
  const index = at % (path.length + 1);
  return path.slice(0, index) + text + path.slice(index);
}

/** Percent-encodes one character of a path. */
function percentEncode(path: string, at: number): string {
  const index = at % path.length;
  const character = path[index] ?? "";
  if (!/[A-Za-z0-9_.~-]/.test(character)) return path;
  return `${path.slice(0, index)}%${character.charCodeAt(0).toString(16)}${path.slice(index + 1)}`;
}

const parameter = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(..."limit page role order title nested search sort team owner".split(" ")),
      fc.oneof(
        fc.constantFrom(
          ..."1 2 3 1000 1001 0 01 -1 +1 1e1 true false read admin guest name create ADMIN asc desc up a %41 %c3%89 %00 ss".split(
            " ",
          ),
          "",
        ),
        junk.map((text) => text.replaceAll("#", "%23")),
      ),
    )
    .map(([name, value]) => `${name}=${value}`),
  junk,
);

interface Choice {
  readonly method: string;
  readonly holder: number;
  /** Whether to send an organization token instead of a member token. */
  readonly whole: boolean;
  readonly tenant: number;
  readonly listing: number;
  readonly changes: readonly Change[];
  readonly target: string | undefined;
  readonly parameters: readonly string[];
  readonly page: { readonly at: number; readonly own: boolean } | undefined;
  readonly authorization: (token: string, dead: readonly string[]) => string | undefined;
  readonly headers: readonly (readonly [string, string])[];
}

const authorization = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      (token: string) => `Bearer ${token}`,
      (token: string) => `bearer  ${token} `,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Choice["authorization"]>(
      () => undefined,
      () => "",
      () => "Bearer",
      (token) => token,
      (token) => `Bearer ${token}x`,
      (token) => `Bearer ${token} ${token}`,
      (token) => `Bearer ${token.slice(0, -1)}`,
      (token) => `Bearer ${token.toLowerCase()}`,
      (token) => `Basic ${token}`,
      (token) => `Bearer\t${token}`,
      (token) => `Bearer ${token},Bearer ${token}`,
      (_, dead) => `Bearer ${dead[0]}`,
      (_, dead) => `Bearer ${dead[1]}`,
      () => `Bearer rb_${"A".repeat(43)}`,
      () => `Bearer ${"x".repeat(5000)}`,
    ),
  },
);

const headerValue = fc
  .array(
    fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f),
    { maxLength: 12 },
  )
  .map((codes) => String.fromCharCode(...codes));

const header = fc.oneof(
  // This header alone changes the status of a valid request. It is frequent enough for runs of a few hundred requests.
  { weight: 1, arbitrary: fc.constant<readonly [string, string]>(["if-none-match", "*"]) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<readonly [string, string]>(
      ["if-none-match", '"x", W/"y"'],
      ["if-modified-since", "Thu, 01 Jan 2099 00:00:00 GMT"],
      ["range", "bytes=0-1"],
      ["accept", "text/html"],
      ["accept-version", "1.x"],
      ["accept-encoding", "gzip, br"],
      ["content-type", "application/json"],
      ["content-type", "%%%"],
      ["content-length", "0"],
      ["expect", "everything"],
      ["connection", "upgrade"],
      ["upgrade", "websocket"],
      ["host", "elsewhere.example"],
      ["host", "a b\\c"],
      ["x-forwarded-host", "elsewhere.example"],
      ["x-forwarded-for", "127.0.0.1"],
      ["x-original-url", "/healthz"],
      ["x-http-method-override", "DELETE"],
      ["cookie", "token=1"],
      ["request-id", "../../etc/passwd"],
      ["origin", "https://elsewhere.example"],
      ["access-control-request-method", "GET"],
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constantFrom("x-a", "accept-language", "forwarded", "te", "if-none-match", "__proto__"),
      headerValue,
    ),
  },
);

/** Invalid targets. */
const rubbish = fc.oneof(
  junk.map((text) => `/${text}`),
  junk.map((text) => `/v1/${text}`),
  fc.constantFrom(
    ..."* / /v1 /v1/ /v1?x /%76%31/spaces /healthz /readyz?x=% /metrics /docs /openapi.json x".split(" "),
  ),
  fc.integer({ min: 8000, max: 9000 }).map((length) => `/v1/${"x".repeat(length)}`),
);

const choice: fc.Arbitrary<Choice> = fc.record({
  method,
  holder: position,
  whole: fc.boolean(),
  tenant: position,
  listing: position,
  changes: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
  ),
  target: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: rubbish }),
  parameters: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }).map((limit) => [`limit=${limit}`]) },
    { weight: 2, arbitrary: fc.array(parameter, { maxLength: 3 }) },
  ),
  page: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.record({ at: position, own: fc.constantFrom(true, true, false) }) },
  ),
  authorization,
  headers: fc.array(header, { maxLength: 3 }),
});

/** Requests from valid to malformed. `pages` holds identifiers from earlier answers. */
export function requests(tenants: Tenants, pages: Pages): fc.Arbitrary<Request> {
  const identifiers = [...pages];
  return choice.map((chosen) => {
    const any = at(tenants.holders, chosen.holder);
    const holders = tenants.holders.filter((each) => each.tenant === any.tenant && each.member === undefined);
    const holder = chosen.whole ? at(holders, 0) : any;
    const tenant = chosen.tenant % 5 === 0 ? at(tenants.all, chosen.listing) : holder.tenant;
    const good = pathFor(tenant.id, at(tenant.listings, chosen.listing));
    const [, query] = good.split("?");
    const path = chosen.target ?? chosen.changes.reduce((each, next) => next(each), good.split("?")[0] ?? "");
    const page = pageFor(chosen, good, identifiers, holder.tenant.id);
    const parameters = [...(query === undefined ? [] : [query]), ...chosen.parameters, ...page];
    const target = `${path === "" ? "/" : path}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}`;
    const sent = chosen.authorization(holder.token, tenants.dead);
    return {
      method: chosen.method,
      target,
      headers: {
        ...Object.fromEntries(chosen.headers),
        ...(sent === undefined ? {} : { authorization: sent }),
      },
    };
  });
}

/** A page identifier of the requested listing if wanted and available, otherwise any. */
function pageFor(
  { page }: Choice,
  good: string,
  identifiers: readonly (readonly [string, string])[],
  organization: string,
): string[] {
  if (page === undefined || identifiers.length === 0) return [];
  const own = identifiers.filter(([, key]) => key.startsWith(`["${organization}",`) && isFor(key, good));
  return [`page=${at(page.own && own.length > 0 ? own : identifiers, page.at)[0]}`];
}

function isFor(key: string, good: string): boolean {
  const [, , id]: unknown[] = JSON.parse(key);
  return good.includes(`/${encodeURIComponent(String(id))}/`);
}

function at<T>(items: readonly T[], position: number): T {
  const item = items[position % items.length];
  if (item === undefined) throw new Error("an empty list");
  return item;
}
