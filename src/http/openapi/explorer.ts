import { type TSchema, Type } from "typebox";
import { ROLES } from "../../domain/role.ts";
import { WHEN_ACCEPTS } from "../../domain/date.ts";
import { SIGN_IN_PATHS } from "../../explorer/wire/protocol.ts";
import type { ExplorerOperation } from "../../explorer/server/operation.ts";
import { MOST_CONTENTS, type ParameterName } from "../../explorer/server/query.ts";
import { DIRECTIONS } from "../../domain/difference.ts";
import { EXPLORER_FILES, EXPLORER_OPERATIONS } from "../../explorer/server/operations.ts";
import { LISTS, MOST_BY_NAME, PRESENCES, REASONS, SETTINGS, SORTS } from "../../explorer/wire/lists.ts";
import { REVIEW_ANSWERS, review } from "../../explorer/server/review.ts";
import {
  LIMIT_HEADERS,
  LISTING_HEADERS,
  type OperationObject,
  type ParameterObject,
  type SchemaReference,
  type ResponseObject,
  headers,
  jsonSchema,
  refusals,
} from "./components.ts";

type ReadFrom = "revision" | "at";

const id = Type.String({ minLength: 1, maxLength: 255 });
const PRESENCE = Type.Enum([...PRESENCES], { type: "string" });

function namesOf(lists: readonly { readonly name: string }[]): string[] {
  return [...new Set(lists.map(({ name }) => name))];
}

const PARAMETERS: Readonly<Record<ParameterName | ReadFrom, readonly [TSchema, string]>> = {
  space: [id, "The id of a space."],
  collection: [id, "The id of a collection."],
  site: [id, "The id of a site."],
  member: [id, "The id of a member."],
  team: [id, "The id of a team."],
  parent: [id, "The id of the collection whose contents are listed."],
  user: [id, "The id of the user to explain or compare."],
  list: [
    Type.Enum(namesOf(LISTS.filter(({ of }) => of.length === 0)), { type: "string" }),
    "A list of the whole organization.",
  ],
  kind: [
    Type.String({ minLength: 1 }),
    "Only things of this kind: `site` in the tree, `member` in a search, any kind in `list=found`.",
  ],
  tab: [
    Type.Enum(namesOf(LISTS.filter(({ of }) => of.length > 0)), { type: "string" }),
    "The list of the subject.",
  ],
  role: [Type.Enum([...ROLES], { type: "string" }), "Only rows with exactly this effective role."],
  order: [
    Type.Enum(["asc", "desc"], { type: "string" }),
    "The order of a member's spaces by creation; the default is `desc`.",
  ],
  q: [Type.String(), "The text to search for."],
  least: [Type.Enum([...ROLES], { type: "string" }), "Only rows with this effective role or a stronger one."],
  reason: [
    Type.String({ minLength: 1 }),
    `Only rows whose role has this reason: ${REASONS.join(", ")}, or several, separated by commas.`,
  ],
  through: [id, "Only rows whose role comes from the team with this id."],
  guests: [PRESENCE, "Only guests, or no guests."],
  admins: [Type.Enum(["none"], { type: "string" }), "Leaves out organization admins."],
  deleted: [PRESENCE, "Only deleted spaces, or no deleted spaces."],
  since: [
    Type.String({ format: "date-time" }),
    "Only rows that are in the list now and were not before this time, or had a lower role, in lists with roles.",
  ],
  sort: [
    Type.Enum([...SORTS], { type: "string" }),
    `\`strongest\`: strongest role first, then by id. \`id\`: by id; a member's spaces by creation. \`name\`: by name or title, then by id, for lists of at most ${MOST_BY_NAME} rows. A list without roles accepts \`id\` and \`name\`, one of permissions \`strongest\` and \`name\`.`,
  ],
  change: [
    Type.String({ minLength: 1 }),
    `In lists of differences, only these changes: ${DIRECTIONS.join(", ")}, or several, separated by commas. There, other filters apply to either of the two roles.`,
  ],
  differs: [PRESENCE, "In comparisons, only spaces with different roles, or only spaces with equal ones."],
  show: [
    Type.Enum([...SETTINGS, "counts"], { type: "string" }),
    "Of all contents, only closed ones, those with a default level of `edit` or stronger, deleted ones, spaces, or collections. Of revisions: `counts`.",
  ],
  without: [
    Type.String({ minLength: 1 }),
    "The source to remove: `team/ID`, `team/ID@CONTENT`, `user/ID@CONTENT`, `default@CONTENT` or `site/ID`, as for `rolebook without`.",
  ],
  within: [id, "The id of the team whose members are listed."],
  with: [id, "The id of the user to compare with the first one."],
  from: [
    Type.Integer({ minimum: 0 }),
    "For a list, the number of rows to skip, instead of `page`. For a count, `done` of the previous answer: the parts already counted.",
  ],
  before: [Type.Integer({ minimum: 1 }), "Continues before this revision: `next` of the previous answer."],
  earlier: [Type.Integer({ minimum: 1 }), "The earlier of the two compared revisions."],
  later: [Type.Integer({ minimum: 1 }), "The later of the two compared revisions."],
  contents: [
    Type.String({ minLength: 1 }),
    `Up to ${MOST_CONTENTS} contents, as \`space/ID\` and \`collection/ID\`, separated by commas.`,
  ],
  covers: [
    Type.String({ minLength: 1 }),
    "The scope of a report: the cells after `covers` in its head, joined by `, `.",
  ],
  rule: [Type.String({ minLength: 1 }), "The words of a rule in `/explorer/rules`."],
  answer: [Type.Enum([...REVIEW_ANSWERS], { type: "string" }), "What is asked about the report. Required."],
  until: [Type.String({ format: "date-time" }), "Only revisions up to this time."],
  at: [
    Type.String({ minLength: 1 }),
    `A past revision: ${WHEN_ACCEPTS}. Authorization as under \`/at/{when}\`. Not together with \`revision\`.`,
  ],
  revision: [
    Type.Integer({ minimum: 1 }),
    "The revision to read from. If it is absent or no longer kept, the current revision.",
  ],
};

const TO_PROVIDER = "Sends the browser to the provider, or back to the page, which says why it cannot.";
const LOCATION = {
  headers: { Location: { description: "Where the browser goes.", schema: { type: "string" as const } } },
};

/** Signing in, where it is set up. Browsers call it, not programs. */
const SIGN_IN: Record<string, ExplorerItem> = {
  [SIGN_IN_PATHS.begin]: {
    get: {
      operationId: "explorerSignIn",
      tags: ["Explorer"],
      summary: "Begin to sign in",
      description: `${TO_PROVIDER} Only where sign-in is set up, without a token.`,
      parameters: [
        {
          name: "to",
          in: "query",
          required: false,
          description:
            "The query of the address of the page to which the person returns, such as `?space=ID`.",
          schema: { type: "string" },
        },
      ],
      responses: { 303: { description: TO_PROVIDER, ...LOCATION }, ...refusals() },
    },
  },
  [SIGN_IN_PATHS.callback]: {
    get: {
      operationId: "explorerSignInCallback",
      tags: ["Explorer"],
      summary: "End to sign in",
      description: "The provider sends the browser here. Sets the cookie of the session.",
      parameters: [],
      responses: {
        303: {
          description: "To the page: signed in, or with the parameter `sign-in`, which says why not.",
          ...LOCATION,
        },
        ...refusals(),
      },
    },
  },
  [SIGN_IN_PATHS.out]: {
    post: {
      operationId: "explorerSignOut",
      tags: ["Explorer"],
      summary: "Sign out",
      description: "Ends the session of the cookie. Needs the `Origin` of the public URL, and no token.",
      parameters: [],
      responses: {
        303: { description: "To the page. The browser's cache is cleared.", ...LOCATION },
        ...refusals(),
      },
    },
  },
};

export type ExplorerItem = { readonly get: OperationObject } | { readonly post: OperationObject };

/** The explorer's requests. They are not part of `/v1` and may change with the page. */
export function explorerPaths(): Record<string, ExplorerItem> {
  return Object.fromEntries([
    ...EXPLORER_OPERATIONS.map((operation) => [operation.path, { get: answerObject(operation) }]),
    ...EXPLORER_FILES.map((file) => [
      file.path,
      {
        get: {
          ...described(file, ["revision", "at"]),
          responses: { 200: fileObject(["text/csv"]), ...refusals() },
        },
      },
    ]),
    ...Object.entries(SIGN_IN),
    [
      review.path,
      {
        post: {
          ...described(review, []),
          requestBody: {
            required: true,
            content: { "application/json": { schema: jsonSchema(review.body) } },
          },
          responses: { 200: reviewObject(), 413: TOO_LARGE, 415: NOT_JSON, ...refusals() },
        },
      },
    ],
  ]);
}

function fileObject(types: readonly string[]): ResponseObject {
  return {
    description: "The list. It is complete if and only if the answer ends without an error.",
    headers: headers(["X-Rolebook-Revision", "Last-Modified", "Cache-Control", "Vary", ...LIMIT_HEADERS]),
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }])),
  };
}

function reviewObject(): ResponseObject {
  const { headers: all, ...rest } = fileObject(Object.values(review.answers));
  const description = "`yes` if the report differs from the one of its revision in more than its decisions.";
  const schema = jsonSchema(Type.Enum(["yes", "no"], { type: "string" }));
  return { ...rest, headers: { ...all, "X-Rolebook-Altered": { description, required: true, schema } } };
}

const TOO_LARGE: ResponseObject = {
  description: "The body is larger than 16 MiB, or its report has more than 20,000 rows.",
  headers: headers(["Cache-Control", ...LIMIT_HEADERS]),
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};
const NOT_JSON: ResponseObject = {
  ...TOO_LARGE,
  description: "The body is not declared as JSON, or is encoded.",
};

function answerObject(operation: ExplorerOperation): OperationObject {
  const kept = headers([...LISTING_HEADERS, ...LIMIT_HEADERS]);
  const common = operation.takes === "nothing" ? (["at"] as const) : (["revision", "at"] as const);
  const { parameters, ...rest } = described(operation, common);
  const pages = operation.takes === "pages" ? ["page", "limit"] : [];
  const shared = [...pages, "ifNoneMatch"].map((name): SchemaReference => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return {
    ...rest,
    parameters: [...parameters, ...shared],
    responses: {
      200: answer(kept),
      304: { description: "The answer that `If-None-Match` names is still current.", headers: kept },
      ...refusals(),
    },
  };
}

function answer(kept: NonNullable<ResponseObject["headers"]>): ResponseObject {
  const schema = Type.Object(
    {
      revision: Type.Integer({ minimum: 1, description: "The revision from which the answer was read." }),
      importedAt: Type.String({ format: "date-time", description: "When that revision was imported." }),
    },
    { description: "The answer. `src/explorer/wire` describes its other fields." },
  );
  return {
    description: "The answer, and the revision from which it was read.",
    headers: kept,
    content: { "application/json": { schema: jsonSchema(schema) } },
  };
}

function described(
  { id: operationId, summary, description, parameters }: Omit<ExplorerOperation, "takes" | "ask">,
  common: readonly ReadFrom[],
): Omit<OperationObject, "responses"> {
  return {
    operationId,
    tags: ["Explorer"],
    summary,
    description,
    parameters: [...parameters, ...common].map((name): ParameterObject => {
      const [schema, meaning] = PARAMETERS[name];
      return { name, in: "query", required: false, description: meaning, schema: jsonSchema(schema) };
    }),
  };
}
