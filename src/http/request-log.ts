/** The line of the log for an answered request (docs/operations.md). */
import type { FastifyBaseLogger } from "fastify";
import type { Answered, Exchange } from "./exchange.ts";

/**
 * Logs an answered request. The line has route templates but no URLs: a URL may have a mistyped token, and ids are
 * personal data. It has a client's address only with a refusal. With `access`, it also says what was shown to whom.
 */
export function logAnswered(
  log: FastifyBaseLogger,
  answered: Answered,
  exchange: Exchange,
  access: boolean,
): void {
  const { method, route, status, milliseconds, token, client } = answered;
  const line = {
    method,
    route,
    status,
    milliseconds: Math.round(milliseconds * 1000) / 1000,
    token: token?.id,
    organization: token?.organization,
    client,
  };
  // Ids are logged only where they were found: what is refused may be anything, such as a token at the wrong place.
  const shows = access && status < 400 && token !== null;
  log[exchange.route.kind === "probe" && status < 400 ? "debug" : "info"](
    shows ? Object.assign(line, shownIn(exchange)) : line,
    "request",
  );
}

/** What an answer showed. Names that are absent are not logged. */
interface ShownNames {
  member?: string | undefined;
  /** A content key. */
  content?: string;
  site?: string;
  team?: string;
  person?: string;
  /** The person with whom `person` is compared. */
  other?: string;
  revision: number | undefined;
  rows: number | undefined;
}

/** Where an id in a path or a query is logged, by the name of the parameter. Texts that are searched for are in none. */
const FIELDS = {
  spaceId: "content",
  space: "content",
  collectionId: "content",
  collection: "content",
  parent: "content",
  siteId: "site",
  site: "site",
  team: "team",
  userId: "person",
  member: "person",
  user: "person",
  with: "other",
} as const;

function isNamed(name: string): name is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, name);
}

function shownIn({ parameters, query, route, caller, revision, rows }: Exchange): ShownNames {
  const shown: ShownNames = { member: caller.member, revision, rows };
  const add = (name: string, id: string) => {
    if (!isNamed(name) || TOKEN.test(id)) return;
    const field = FIELDS[name];
    const kind = name.startsWith("space") ? "space" : "collection";
    shown[field] = field === "content" ? `${kind}/${id}` : id;
  };
  for (const name in parameters) add(name, parameters[name] ?? "");
  // The queries of listings have filters, but no ids.
  if (query !== "" && route.path.startsWith("/explorer/")) {
    for (const [name, id] of new URLSearchParams(query)) add(name, id);
  }
  return shown;
}

/** What looks like a token or a session is never logged. */
const TOKEN = /rbs?_[A-Za-z0-9_-]{20}/;
