/** What each parameter of the listings accepts, how it is read, and how it is documented. */
import { ApiError } from "../domain/error.ts";
import { type Order, DEFAULT_LIMIT, MAX_LIMIT } from "../domain/page.ts";
import { isRole, type Role, ROLES } from "../domain/role.ts";
import { quote } from "../domain/text.ts";

/** In characters (docs/errors.md). */
export const LONGEST_ID = 255;

export interface Parameter {
  readonly description: string;
  readonly schema: object;
  /** A value of Acme, the example organization. */
  readonly example?: string | number;
}

interface FilterParameter<Value> extends Parameter {
  /** Returns the default if the parameter is absent. Throws 400 for any other value than the accepted ones. */
  read(value: string | undefined): Value;
}

const ORDERS = ["asc", "desc"] as const;
const DEFAULT_ORDER = "desc";

/** The filters of all listings. An operation names the ones that it accepts. One with a `const` schema selects nothing. */
const FILTERS = {
  role: {
    description: "Only members with exactly this effective role, not a stronger one.",
    schema: { type: "string", enum: ROLES },
    read(value): Role | undefined {
      if (value === undefined || isRole(value)) return value;
      throw new ApiError(
        "badRequest",
        `The parameter role is ${quote(value)}; accepted: ${ROLES.join(", ")}.`,
      );
    },
  },
  order: {
    description: "The order by creation, then id: `desc` lists the newest first.",
    schema: { type: "string", default: DEFAULT_ORDER, enum: ORDERS },
    read(value = DEFAULT_ORDER): Order {
      const order = ORDERS.find((each) => each === value);
      if (order !== undefined) return order;
      throw new ApiError(
        "badRequest",
        `The parameter order is ${quote(value)}; accepted: ${ORDERS.join(", ")}.`,
      );
    },
  },
  title: {
    description:
      "Only teams whose title contains this text, compared case-insensitively. Plain text without wildcards; an empty text matches all teams.",
    schema: { type: "string", default: "" },
    read: (value = ""): string => value,
  },
  nested: {
    description: "Collections inside collections are always listed, so only `true` is accepted.",
    schema: { type: "boolean", const: true, default: true },
    // Without a value of its own, page identifiers are valid with and without it.
    read(value): undefined {
      if (value === undefined || value === "true") return undefined;
      throw new ApiError("badRequest", `The parameter nested is ${quote(value)}; accepted: true.`);
    },
  },
} as const satisfies Readonly<Record<string, FilterParameter<unknown>>>;

export type FilterName = keyof typeof FILTERS;

/** The values of all filters, defaults included. A page identifier is valid only with the same values. */
export type Filters = { readonly [Name in FilterName]: ReturnType<(typeof FILTERS)[Name]["read"]> };

/** Throws 400 for a value that is not accepted. */
export function readFilters(query: ReadonlyMap<string, string>): Filters {
  return {
    role: FILTERS.role.read(query.get("role")),
    order: FILTERS.order.read(query.get("order")),
    title: FILTERS.title.read(query.get("title")),
    nested: FILTERS.nested.read(query.get("nested")),
  };
}

/** Throws 400 for a value that is not accepted. */
export function readLimit(value: string | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = /^[1-9][0-9]{0,3}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new ApiError(
    "badRequest",
    `The parameter limit is ${quote(value)}; accepted: a whole number from 1 to ${MAX_LIMIT}.`,
  );
}

export type QueryName = "page" | "limit" | FilterName;

export function queryParametersOf({ filters }: { readonly filters: readonly FilterName[] }): QueryName[] {
  return ["page", "limit", ...filters];
}

/** Each may be given once. Only `title` may be empty. */
export const QUERY_PARAMETERS: Readonly<Record<QueryName, Parameter>> = {
  page: {
    description:
      "`next.page` of the previous page of the same listing with the same filters. Omit it for the first page.",
    schema: { type: "string", minLength: 1 },
  },
  limit: {
    description: "The most entries on a page; it may change from page to page.",
    schema: { type: "integer", minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    example: 2,
  },
  ...FILTERS,
};

const id = { type: "string", minLength: 1, maxLength: LONGEST_ID };

/** An id may be percent-encoded, once. */
export const PATH_PARAMETERS: Readonly<Record<string, Parameter>> = {
  spaceId: { description: "The id of a space.", schema: id, example: "api-reference" },
  collectionId: { description: "The id of a collection.", schema: id, example: "handbook" },
  organizationId: { description: "The id of the token's organization.", schema: id, example: "acme" },
  userId: {
    description: "The id of a user who is a member of the organization.",
    schema: id,
    example: "ana",
  },
  siteId: { description: "The id of a site.", schema: id, example: "acme-docs" },
};
