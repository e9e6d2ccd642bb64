import type { Answer } from "./ask.ts";

const ANY = String.raw`"(?:[^"\\]|\\.)*"`;

/** The allowed messages of refusals, by status: one sentence, with no data but that of the request. */
const MESSAGES: Readonly<Record<number, readonly string[]>> = {
  400: [
    `The parameter limit is ${ANY}; accepted: a whole number from 1 to 1000.`,
    `The parameter role is ${ANY}; accepted: read, comment, edit, review, create, admin(, guest)?.`,
    `The parameter order is ${ANY}; accepted: asc, desc.`,
    `The parameter sort is ${ANY}; accepted: name, because a snapshot does not say when members joined or were last seen.`,
    "The parameter order is given without sort; accepted: with sort=name.",
    'The parameter (team|owner) is ""; accepted: an id.',
    `The parameter nested is ${ANY}; accepted: true.`,
    `The parameter page is ${ANY}; accepted: an unchanged page identifier of this listing.`,
    "The parameter (page|limit|role|order|title|nested|search|sort|team|owner) is given twice; accepted: once.",
    `There is no parameter ${ANY}; accepted: (none|page, limit(, (role|order|title|nested|search|sort|team|owner))*).`,
    `The query contains ${ANY}; accepted: valid percent-encoding of UTF-8.`,
    "There is no Host header; HTTP/1.1 requires one.",
    "There are several Host headers; HTTP/1.1 allows one.",
    "This is not an HTTP request.",
  ],
  401: [
    "There is no token; send Authorization: Bearer <token>.",
    "This token is not valid: it may be mistyped, expired or revoked.",
  ],
  403: [
    `This token may see (space|collection) ${ANY} but not list who has access; that takes create or admin there, or an organization token.`,
    "This token may list only its own member; for others it takes an organization admin or an organization token.",
    "This token may not list sites; that takes an organization admin or an organization token.",
    "This token may not list what the organization has; that takes an organization admin or an organization token.",
    "This token may not ask for this; that takes an organization admin or an organization token.",
  ],
  404: [
    "There is nothing at this path.",
    `There is no (space|collection|member|team|site|organization) ${ANY} that this token can see.`,
    "An organization token acts as no user; accepted: a token of a member .rolebook token create --member..",
  ],
  405: [
    "The method is ([A-Z-]+|not known|CONNECT)(;| and) accepted: (GET, HEAD|POST).",
    "The method is not known; accepted: GET, HEAD.",
  ],
  408: ["The request did not arrive in time."],
  414: ["The URL is longer than 8192 characters."],
  431: ["The headers are larger than 16 KiB."],
};

/** What is wrong with a refusal by docs/errors.md, in one line; `undefined` if nothing. */
export function faultIn(method: string, { status, headers, body }: Answer): string | undefined {
  if (headers["cache-control"] !== "no-store") return `cache-control is ${headers["cache-control"]}`;
  if (headers["content-type"] !== "application/json; charset=utf-8")
    return `content-type is ${headers["content-type"]}`;
  if (status === 401 && headers["www-authenticate"] !== "Bearer") return "there is no WWW-Authenticate";
  if (status === 405 && !["GET, HEAD", "POST"].includes(headers.allow ?? "")) return "there is no Allow";
  if (method === "HEAD") return body === "" ? undefined : "a HEAD has a body";
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== "object" || parsed === null || !("error" in parsed)) return `no error: ${body}`;
  if (Object.keys(parsed).length !== 1) return `more than an error: ${body}`;
  const { error } = parsed;
  if (typeof error !== "object" || error === null) return `no error: ${body}`;
  if (!("code" in error) || !("message" in error) || Object.keys(error).length !== 2)
    return `not code and message: ${body}`;
  if (error.code !== status) return `the code is not the status ${status}: ${body}`;
  const known = (MESSAGES[status] ?? []).some((each) =>
    new RegExp(`^${each}$`, "u").test(String(error.message)),
  );
  return known ? undefined : `the message is not one that ${status} may have: ${body}`;
}
