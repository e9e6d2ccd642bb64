import { ORGANIZATION } from "../data/identity.ts";
import { askedOf } from "../../src/http/listings.ts";
import { writePage } from "../../src/http/page-identifier.ts";
import { type Listing, parametersOf } from "../../src/operations/operation.ts";
import { OPERATIONS } from "../../src/operations/operations.ts";

/** The numbers of the nine endpoints in the interface. */
export type Endpoint = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
export const ENDPOINTS: readonly Endpoint[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export interface Asked {
  readonly endpoint: Endpoint;
  /** The id of the listed space, collection, member or site. */
  readonly id: string;
  readonly limit: number;
  readonly role?: string | undefined;
  /** The key after which the page begins (a user's or team's id, a space's position); absent for the first page. */
  readonly after?: string | undefined;
}

/** The path and query of a page, with the server's page identifier for a walk over `revision`. */
export function urlOf({ endpoint, id, limit, role, after }: Asked, revision: number): string {
  const operation = operationOf(endpoint);
  const path = Object.fromEntries(
    parametersOf(operation.path).map((name) => [name, name === "organizationId" ? ORGANIZATION : id]),
  );
  const route = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ""),
  );
  const query = role === undefined ? `limit=${limit}` : `role=${role}&limit=${limit}`;
  if (after === undefined) return `${route}?${query}`;
  const { listing } = askedOf(operation, ORGANIZATION, path, undefined, query);
  return `${route}?${query}&page=${writePage(listing, { revision, after })}`;
}

/** The name of an endpoint in documents: its number and the last parts of its path. */
export function nameOf(endpoint: Endpoint): string {
  const path = operationOf(endpoint).path.replace("/v1/", "").replace("orgs/{organizationId}/", "");
  return `${endpoint} \`${path.replaceAll(/\{\w+\}/g, "…")}\``;
}

function operationOf(endpoint: Endpoint): Listing {
  const operation = OPERATIONS[endpoint - 1];
  if (operation === undefined) throw new RangeError(`there is no endpoint ${endpoint}`);
  return operation;
}
