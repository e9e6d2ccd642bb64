/** What a URL may carry, as it is documented. Apart from what checks requests, so that a server starts without it. */
import { type TSchema, Type } from "typebox";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../domain/page.ts";
import { ROLES } from "../domain/role.ts";
import { DEFAULT_ORDER, LONGEST_ID, ORDERS, type QueryName } from "./parameters.ts";

/** A parameter as it is documented: what it means, what it may hold, and a value that Acme, the example, has. */
export interface Parameter {
  readonly description: string;
  readonly schema: TSchema;
  readonly example?: string | number;
}

const id = Type.String({ minLength: 1, maxLength: LONGEST_ID });

/** The path parameters of the interface. An id may be percent-encoded; it is decoded once. */
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

/** The query parameters of the interface. Each may be given once; an empty one is refused, but for `title`. */
export const QUERY_PARAMETERS: Readonly<Record<QueryName, Parameter>> = {
  page: {
    description:
      "Where to go on: `next.page` of the page before, of this very listing and with the same filters. Without it, the first page.",
    schema: Type.String({ minLength: 1 }),
  },
  limit: {
    description: "How many entries a page has at most; it may change from page to page.",
    schema: Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }),
    example: 2,
  },
  role: {
    description: "Keeps the members whose effective role is exactly this one, not those above it.",
    schema: Type.Enum([...ROLES], { type: "string" }),
  },
  order: {
    description: "The direction of the order by creation, then id: `desc` is newest first.",
    schema: Type.Enum([...ORDERS], { type: "string", default: DEFAULT_ORDER }),
  },
  title: {
    description:
      "Keeps the teams whose title contains this text, compared case-insensitively. Plain text without wildcards; the empty one keeps all.",
    schema: Type.String({ default: "" }),
  },
};
