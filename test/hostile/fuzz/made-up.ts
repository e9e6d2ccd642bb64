import { writePage } from "../../../src/http/page-identifier.ts";
import { OPERATIONS } from "../../../src/operations/operations.ts";
import type { Answer, Line } from "../ask.ts";
import type { Holder, Tenants } from "../tenants.ts";

/** Keys after which no listing continues. */
const KEYS = [
  "\0",
  "a\0b",
  "~",
  "\uffff",
  "\u{10ffff}",
  "\u0001",
  "'; DROP TABLE token; --",
  "a".repeat(4000),
  "2025-03-01T09:30:00.000Z/\0",
  "9999-99-99/x",
  "999999999999999/x",
  "-1/x",
  "{}",
];
const SNAPSHOTS = [0, 1, 2, 255, 2 ** 48 - 1];
/** Impossible ids, as written in a path. */
const IDS = ["%00", "a%00b", "%01", "%EF%BF%BF", "%F4%8F%BF%BF", "%27", ".%00.", "x".repeat(255)];

/** The number of attempts, and of those that were answered with a page. */
export interface Tried {
  readonly asked: number;
  readonly pages: number;
}

/**
 * Tries forged page identifiers with valid checksums on every endpoint: each key and each snapshot, in pairs that change
 * from endpoint to endpoint. Throws if an answer is neither a page nor a 400, or contains anything of another
 * organization.
 */
export async function tryPages(tenants: Tenants, line: Line): Promise<Tried> {
  let asked = 0;
  let pages = 0;
  for (const { holder, target, listing } of someOfEach(tenants)) {
    for (const after of KEYS) {
      const page = writePage(listing, { revision: SNAPSHOTS[asked % SNAPSHOTS.length] ?? 0, after });
      const answer = await ask(
        tenants,
        line,
        holder,
        `${target}${target.includes("?") ? "&" : "?"}page=${page}`,
      );
      if (answer.status !== 200 && answer.status !== 400) throw unexpected(target, answer);
      asked++;
      if (answer.status === 200) pages++;
    }
  }
  return { asked, pages };
}

/** Tries impossible ids and titles everywhere. Throws unless the answers equal those for absent ones. */
export async function tryIds(tenants: Tenants, line: Line): Promise<number> {
  let asked = 0;
  for (const { holder, target } of someOfEach(tenants)) {
    for (const id of IDS) {
      const path = target.replace(
        /(spaces|collections|members|sites|teams)\/[^/?]+|(orgs)\/[^/?]+(?=\/\w+$)/,
        `$1$2/${id}`,
      );
      const answer = await ask(tenants, line, holder, path);
      if (answer.status !== 404) throw unexpected(path, answer);
      asked++;
    }
    if (!target.endsWith("/teams") || !target.includes("/members/")) continue;
    const answer = await ask(tenants, line, holder, `${target}?title=%00`);
    if (answer.status !== 200 || answer.body !== '{"count":0,"items":[]}') throw unexpected(target, answer);
    asked++;
  }
  return asked;
}

/** One existing listing per endpoint and organization, with its key. */
function* someOfEach({ holders }: Tenants) {
  for (const holder of holders.filter(({ member }) => member === undefined)) {
    const { tenant } = holder;
    for (const { id, path: template } of OPERATIONS) {
      const shape = template.split("/");
      for (const listing of tenant.listings) {
        const target = tenant.oracle.path(tenant.id, listing);
        const parts = target.split("/").map(decodeURIComponent);
        if (target.includes("?") || parts.length !== shape.length) continue;
        if (!shape.every((part, index) => part.startsWith("{") || part === parts[index])) continue;
        if (tenant.oracle.may(tenant.id, { kind: "organization" }, listing) !== 200) continue;
        const path = Object.fromEntries(
          shape.flatMap((part, index) => (part.startsWith("{") ? [[part.slice(1, -1), parts[index]]] : [])),
        );
        yield {
          holder,
          target,
          listing: JSON.stringify([tenant.id, id, path, { order: "desc", title: "" }]),
        };
        break;
      }
    }
  }
}

async function ask(tenants: Tenants, line: Line, { tenant, token }: Holder, target: string): Promise<Answer> {
  const answer = await line.ask({ method: "GET", target, headers: { authorization: `Bearer ${token}` } });
  for (const { mark } of tenants.all)
    if (mark !== tenant.mark && answer.body.includes(mark)) throw unexpected(target, answer);
  return answer;
}

function unexpected(target: string, { status, body }: Answer): Error {
  return new Error(`${target.slice(0, 500)}: ${status} ${body.slice(0, 500)}`);
}
