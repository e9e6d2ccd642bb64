/** What each parameter of the listings accepts, how it is read, and how it is documented. */
import { ApiError } from "../domain/error.ts";
import { type Order, DEFAULT_LIMIT, MAX_LIMIT } from "../domain/page.ts";
import { isRole, type Role, ROLES } from "../domain/role.ts";
import { quote } from "../domain/text.ts";

/** In characters (docs/errors.md). */
export const LONGEST_ID = 255;

export interface Parameter {
  /** In a query; without it, the key is the name. */
  readonly name?: string;
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

function readRole<Other extends string>(
  value: string | undefined,
  others: readonly Other[],
): Role | Other | undefined {
  if (value === undefined || isRole(value)) return value;
  const other = others.find((each) => each === value);
  if (other !== undefined) return other;
  throw new ApiError(
    "badRequest",
    `The parameter role is ${quote(value)}; accepted: ${[...ROLES, ...others].join(", ")}.`,
  );
}

function readOrder(value: string): Order {
  const order = ORDERS.find((each) => each === value);
  if (order !== undefined) return order;
  throw new ApiError("badRequest", `The parameter order is ${quote(value)}; accepted: ${ORDERS.join(", ")}.`);
}

function readId(name: string, value: string | undefined): string | undefined {
  if (value !== "") return value;
  throw new ApiError("badRequest", `The parameter ${name} is ""; accepted: an id.`);
}

/** The filters of all listings. An operation names the ones that it accepts. One with a `const` schema selects nothing. */
const FILTERS = {
  role: {
    description: "Only members with exactly this effective role, not a stronger one.",
    schema: { type: "string", enum: ROLES },
    read: (value): Role | undefined => readRole(value, []),
  },
  organizationRole: {
    name: "role",
    description: "Only members with exactly this organization role, or guests.",
    schema: { type: "string", enum: [...ROLES, "guest"] },
    read: (value): Role | "guest" | undefined => readRole(value, ["guest"]),
  },
  order: {
    description: "The order by creation, then id: `desc` lists the newest first.",
    schema: { type: "string", default: DEFAULT_ORDER, enum: ORDERS },
    read: (value = DEFAULT_ORDER): Order => readOrder(value),
  },
  title: {
    description:
      "Only teams whose title contains this text, compared case-insensitively. Plain text without wildcards; an empty text matches all teams.",
    schema: { type: "string", default: "" },
    read: (value = ""): string => value,
  },
  owner: {
    description: "Only teams of which the user with this id is an owner.",
    schema: { type: "string", minLength: 1 },
    read: (value): string | undefined => readId("owner", value),
  },
  search: {
    description:
      "Only users whose display name or e-mail address contains this text, compared case-insensitively. Plain text without wildcards; an empty text matches everybody.",
    schema: { type: "string", default: "" },
    // Page identifiers are the same without it and with the empty one.
    read: (value): string | undefined => value || undefined,
  },
  team: {
    description: "Only members of the team with this id, wherever their role comes from.",
    schema: { type: "string", minLength: 1 },
    read: (value): string | undefined => readId("team", value),
  },
  sort: {
    description: "`name` lists by display name, compared case-insensitively, then id. Without it, by id.",
    schema: { type: "string", enum: ["name"] },
    read(value): "name" | undefined {
      if (value === undefined || value === "name") return value;
      const unknown = "a snapshot does not say when members joined or were last seen";
      throw new ApiError(
        "badRequest",
        `The parameter sort is ${quote(value)}; accepted: name, because ${unknown}.`,
      );
    },
  },
  nameOrder: {
    name: "order",
    description: "The direction of the order by name; only with `sort=name`.",
    schema: { type: "string", default: DEFAULT_ORDER, enum: ORDERS },
    read: (value): Order | undefined => (value === undefined ? undefined : readOrder(value)),
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

/** The values of all filters, defaults included; those that an operation does not have are as if they were absent. A page identifier is valid only with the same values. */
export type Filters = { readonly [Name in FilterName]: ReturnType<(typeof FILTERS)[Name]["read"]> };

/** Reads the filters that an operation has. Throws 400 for a value that is not accepted. */
export function readFilters(names: readonly FilterName[], query: ReadonlyMap<string, string>): Filters {
  const given = (name: FilterName) => (names.includes(name) ? query.get(parameterName(name)) : undefined);
  const sort = FILTERS.sort.read(given("sort"));
  const nameOrder = FILTERS.nameOrder.read(given("nameOrder"));
  if (sort === undefined && nameOrder !== undefined) {
    throw new ApiError("badRequest", `The parameter order is given without sort; accepted: with sort=name.`);
  }
  return {
    role: FILTERS.role.read(given("role")),
    organizationRole: FILTERS.organizationRole.read(given("organizationRole")),
    order: FILTERS.order.read(given("order")),
    title: FILTERS.title.read(given("title")),
    owner: FILTERS.owner.read(given("owner")),
    search: FILTERS.search.read(given("search")),
    team: FILTERS.team.read(given("team")),
    sort,
    nameOrder: sort === undefined ? undefined : (nameOrder ?? DEFAULT_ORDER),
    nested: FILTERS.nested.read(given("nested")),
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

/** The name of a parameter in a query. Two parameters may have one name, with other values. */
export function parameterName(key: QueryName): string {
  return QUERY_PARAMETERS[key].name ?? key;
}

/** Each may be given once. Only `title` and `search` may be empty. */
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
  teamId: { description: "The id of a team.", schema: id, example: "docs" },
};
