import { type TSchema, Type } from "typebox";
import { ROLES } from "../../domain/role.ts";
import { WHEN_ACCEPTS } from "../../domain/text/when.ts";
import type { ExplorerOperation, ParameterName } from "../../explorer/operations/operation.ts";
import { REASONS } from "../../explorer/queries/filters/filter.ts";
import { SETTINGS } from "../../explorer/queries/tree/set-contents.ts";
import { EXPLORER_FILES, EXPLORER_OPERATIONS } from "../../explorer/operations/operations.ts";
import { headers, LIMIT_HEADERS, LISTING_HEADERS } from "./headers.ts";
import { jsonSchema } from "./json-schema.ts";
import { LISTING_REFUSALS, refusals } from "./refusals.ts";
import type { OperationObject, ParameterObject, Reference, ResponseObject } from "./shape.ts";

/** The parameter that names the revision of an answer. */
type ReadFrom = "revision" | "at";

const id = Type.String({ minLength: 1, maxLength: 255 });
const PRESENCE = Type.Enum(["only", "none"], { type: "string" });

const PARAMETERS: Readonly<Record<ParameterName | ReadFrom, readonly [TSchema, string]>> = {
  space: [id, "The id of a space."],
  collection: [id, "The id of a collection."],
  site: [id, "The id of a site."],
  member: [id, "The id of a member."],
  team: [id, "The id of a team."],
  parent: [id, "The id of the collection whose contents are wanted."],
  user: [id, "The id of the user who is asked about."],
  list: [
    Type.Enum(["members", "teams", "contents", "found", "pairs", "changes"], { type: "string" }),
    "A list of the whole organization.",
  ],
  kind: [
    Type.String({ minLength: 1 }),
    "Things of this kind alone: `site` in the tree, `member` in a search, each kind in `list=found`.",
  ],
  tab: [
    Type.Enum(
      [
        "everyone",
        "people",
        "teams",
        "spaces",
        "permissions",
        "members",
        "without",
        "through",
        "compare",
        "reach",
        "changes",
      ],
      { type: "string" },
    ),
    "Which list of the thing.",
  ],
  role: [Type.Enum([...ROLES], { type: "string" }), "Keeps what has exactly this effective role."],
  order: [
    Type.Enum(["asc", "desc"], { type: "string" }),
    "The direction of a member's spaces; by default `desc`.",
  ],
  q: [Type.String(), "The text to look for."],
  least: [Type.Enum([...ROLES], { type: "string" }), "Keeps what has this effective role or a stronger one."],
  reason: [
    Type.String({ minLength: 1 }),
    `Keeps what has its role for this reason: ${REASONS.join(", ")}, or several with commas between.`,
  ],
  through: [id, "Keeps what has its role through the team with this id."],
  guests: [PRESENCE, "Keeps guests alone, or nobody who is a guest."],
  deleted: [PRESENCE, "Keeps deleted spaces alone, or no deleted space."],
  since: [
    Type.String({ format: "date-time" }),
    "Keeps people, or a member's spaces, with access now and without access before this time.",
  ],
  sort: [
    Type.Enum(["strongest", "id"], { type: "string" }),
    "The strongest role first, then by id; or by id. A member's spaces: the strongest role first, or by creation.",
  ],
  show: [
    Type.Enum([...SETTINGS], { type: "string" }),
    "Of all contents: closed ones, those with a default level of `edit` or stronger, deleted ones.",
  ],
  without: [
    Type.String({ minLength: 1 }),
    "The source that is left out: `team/ID`, `team/ID@CONTENT`, `user/ID@CONTENT` or `default@CONTENT`, as for `rolebook why --without`.",
  ],
  within: [id, "The id of a team whose members are wanted."],
  with: [id, "The id of the user who is compared with the first one."],
  from: [
    Type.Integer({ minimum: 0 }),
    "Behind how many rows a list begins, instead of `page`; of a count how many parts were counted before: `done` of the answer before.",
  ],
  before: [Type.Integer({ minimum: 1 }), "Goes on from this revision: `next` of the answer before."],
  earlier: [Type.Integer({ minimum: 1 }), "The revision that is compared from."],
  later: [Type.Integer({ minimum: 1 }), "The revision that is compared with it."],
  covers: [
    Type.String({ minLength: 1 }),
    "What a report covers: the cells of that line of its head, with a comma and a space between.",
  ],
  until: [Type.String({ format: "date-time" }), "Keeps the revisions that were there at this time."],
  at: [
    Type.String({ minLength: 1 }),
    `What held then: ${WHEN_ACCEPTS}. Authorization is that of \`/at/{when}\`. Not together with \`revision\`.`,
  ],
  revision: [
    Type.Integer({ minimum: 1 }),
    "The revision to read from, while it is kept; without it, and later, the current one.",
  ],
};

/** The explorer's requests, under their own tag. They are not part of `/v1` and may change with the page. */
export function explorerPaths(): Record<string, { get: OperationObject }> {
  return Object.fromEntries([
    ...EXPLORER_OPERATIONS.map((operation) => [operation.path, { get: answerObject(operation) }]),
    ...EXPLORER_FILES.map((file) => [
      file.path,
      {
        get: {
          ...described(file, ["revision", "at"]),
          responses: {
            200: {
              description: "The list, whole where the answer ends without an error.",
              headers: headers([
                "X-Rolebook-Revision",
                "Last-Modified",
                "Cache-Control",
                "Vary",
                ...LIMIT_HEADERS,
              ]),
              content: { "text/csv": { schema: { type: "string" } } },
            },
            ...refusals(LISTING_REFUSALS),
          },
        },
      },
    ]),
  ]);
}

function answerObject(operation: ExplorerOperation): OperationObject {
  const kept = headers([...LISTING_HEADERS, ...LIMIT_HEADERS]);
  const common = operation.takes === "nothing" ? (["at"] as const) : (["revision", "at"] as const);
  const { parameters, ...rest } = described(operation, common);
  const pages = operation.takes === "pages" ? ["page", "limit"] : [];
  const shared = [...pages, "ifNoneMatch"].map((name): Reference => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return {
    ...rest,
    parameters: [...parameters, ...shared],
    responses: {
      200: answer(kept),
      304: { description: "The answer that `If-None-Match` names is still the right one.", headers: kept },
      ...refusals(LISTING_REFUSALS),
    },
  };
}

function answer(kept: NonNullable<ResponseObject["headers"]>): ResponseObject {
  const schema = Type.Object(
    {
      revision: Type.Integer({ minimum: 1, description: "The revision that the answer was read from." }),
      importedAt: Type.String({ format: "date-time", description: "When that revision was imported." }),
    },
    { description: "The answer. Beside these it has what `src/explorer/wire.ts` says of it." },
  );
  return {
    description: "The answer, and the revision that it was read from.",
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
