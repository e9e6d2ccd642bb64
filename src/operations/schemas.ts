/** The resources and entries of the interface as JSON Schema, for OpenAPI, routes and tests. */
import { type TProperties, Type } from "typebox";
import { ROLES } from "../domain/role.ts";

const text = (description: string) => Type.String({ description });
const url = (description: string) => Type.String({ format: "uri", description });
const date = (description: string) => Type.String({ format: "date-time", description });
const number = (description: string) => Type.Integer({ minimum: 0, description });
const flag = (description: string) => Type.Boolean({ description });

function resource<Fields extends TProperties>(description: string, fields: Fields) {
  return Type.Object(fields, { description, additionalProperties: false });
}

function ref(name: string) {
  return Type.Ref(`#/components/schemas/${name}`);
}

const Role = Type.Enum(ROLES, {
  description: "A role: read < comment < edit < review < create < admin.",
});

const DefaultLevel = Type.Union([Type.Enum(ROLES), Type.Literal("inherit"), Type.Null()], {
  description:
    "The role of members without a permission here: a role, none (null), or the one that the parent gives (inherit).",
});

const User = resource("A person or a program that is a member of the organization.", {
  object: Type.Literal("user", { description: "The kind of resource." }),
  id: text("Unique among users."),
  displayName: text("The name to show."),
  email: Type.Optional(text("The e-mail address.")),
  photoURL: Type.Optional(url("A picture of the user.")),
  urls: Type.Object(
    { location: url("The user's address in the API.") },
    { description: "Addresses of the user." },
  ),
});

const Team = resource("A team of the organization.", {
  object: Type.Literal("team", { description: "The kind of resource." }),
  id: text("Unique among teams."),
  title: text("The team's name."),
  members: number("The number of members of the team."),
  spaces: number("The number of spaces that the team's permissions reach, directly or by inheritance."),
  createdAt: date("When the team was created."),
});

const Space = resource("A space, with what a member may do there.", {
  object: Type.Literal("space", { description: "The kind of resource." }),
  id: text("Unique among spaces."),
  title: text("The space's title."),
  emoji: text("The space's emoji; empty if it has none."),
  visibility: Type.Enum(["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"], {
    description: "Who may see the published content.",
  }),
  createdAt: date("When the space was created."),
  updatedAt: date("When the space was last changed."),
  deletedAt: Type.Optional(date("When the space was deleted. Permissions are not affected.")),
  editMode: Type.Optional(Type.Enum(["live", "locked"], { description: "How the content is edited." })),
  urls: Type.Object(
    {
      location: url("The space's address in the API."),
      app: url("The space's address for people."),
      published: Type.Optional(url("Where the content is published.")),
      public: Type.Optional(url("Where the content is public.")),
      icon: Type.Optional(url("The space's icon.")),
    },
    { description: "Addresses of the space." },
  ),
  organization: text("The organization's id."),
  parent: Type.Optional(text("The id of the collection that contains the space.")),
  gitSync: Type.Optional(
    Type.Object(
      {
        repoName: Type.Optional(text("The repository's name.")),
        installationProvider: Type.Optional(
          Type.Enum(["github", "gitlab", "github-legacy"], { description: "Where the repository is." }),
        ),
        integration: Type.Optional(text("The integration that synchronises.")),
        url: Type.Optional(url("The repository's address.")),
        updatedAt: Type.Optional(date("When it was last synchronised.")),
      },
      { description: "The repository that the space is synchronised with." },
    ),
  ),
  visitorAuth: Type.Optional(
    Type.Object(
      {
        backend: Type.Optional(
          Type.Enum(["custom", "integration"], { description: "The authentication of visitors." }),
        ),
      },
      { description: "How visitors are authenticated." },
    ),
  ),
  revision: text("The id of the content's revision; empty if it has none."),
  defaultLevel: DefaultLevel,
  comments: number("How many comments there are."),
  changeRequests: number("How many change requests there are."),
  changeRequestsOpen: number("How many change requests are open."),
  changeRequestsDraft: number("How many change requests are drafts."),
  permissions: Type.Object(
    {
      access: flag("May read the content."),
      admin: flag("May administrate the space."),
      edit: flag("May edit the content."),
      comment: flag("May comment."),
      merge: flag("May merge change requests."),
      review: flag("May review change requests."),
    },
    {
      description:
        "What somebody may do on the space: the member whose spaces are listed, otherwise the caller.",
    },
  ),
});

const Collection = resource("A collection of spaces and collections.", {
  object: Type.Literal("collection", { description: "The kind of resource." }),
  id: text("Unique among collections."),
  organization: text("The organization's id."),
  title: text("The collection's title."),
  parent: Type.Optional(text("The id of the collection that contains the collection.")),
  defaultLevel: DefaultLevel,
  urls: Type.Object(
    { location: url("The collection's address in the API.") },
    { description: "Addresses of the collection." },
  ),
});

const Member = resource("A member of the organization.", {
  object: Type.Literal("member", { description: "The kind of resource." }),
  id: text("The user's id."),
  role: Type.Union([Type.Enum(ROLES), Type.Null()], {
    description: "The organization role; null for a guest.",
  }),
  user: ref("User"),
});

const permission = ref("Role");

const UserPermission = resource("A user and their role.", {
  permission,
  user: ref("User"),
});

const TeamPermission = resource("A team and its role.", {
  permission,
  team: ref("Team"),
});

const SpacePermission = resource("A space and the member's effective role there.", {
  permission,
  space: ref("Space"),
});

const SitePermission = resource("A user, their highest role on the site's spaces, and where it comes from.", {
  permission,
  user: ref("User"),
  origin: Type.Object(
    {
      type: Type.Enum(["organization", "space"], {
        description:
          "`organization`: the member's organization role; `space`: the space or a collection above it.",
      }),
      space: text("Of the spaces that give the role, the one with the smallest id."),
      organization: Type.Optional(text("The organization's id, if `type` is `organization`.")),
    },
    { description: "Where the role comes from." },
  ),
});

const TeamMembership = resource("A team and the member's role in it.", {
  team: ref("Team"),
  member: Type.Object(
    { role: Type.Enum(["owner", "member"], { description: "The role in the team." }) },
    { description: "The membership." },
  ),
});

const TeamMember = resource("A member of a team, and the role in it.", {
  organization: ref("Member"),
  team: Type.Object(
    { role: Type.Enum(["owner", "member"], { description: "The role in the team." }) },
    { description: "The membership." },
  ),
});

const Organization = resource("The token's organization.", {
  object: Type.Literal("organization", { description: "The kind of resource." }),
  id: text("Unique among organizations."),
  title: text("The organization's name."),
  urls: Type.Object(
    { location: url("The organization's address in the API.") },
    { description: "Addresses of the organization." },
  ),
});

const Site = resource("A site of the organization.", {
  object: Type.Literal("site", { description: "The kind of resource." }),
  id: text("Unique among sites."),
  title: text("The site's title."),
  defaultLevel: DefaultLevel,
  urls: Type.Object(
    { location: url("The site's address in the API.") },
    { description: "Addresses of the site." },
  ),
});

const SiteSpace = resource("A space in a site.", {
  object: Type.Literal("site-space", { description: "The kind of resource." }),
  space: ref("Space"),
});

const overriding = Type.Union([Type.Enum(ROLES), Type.Null()], {
  description: "The role, or null for no access.",
});

const UserOverride = resource("A user and their permission on a site.", {
  permission: overriding,
  user: ref("User"),
});

const TeamOverride = resource("A team and its permission on a site.", {
  permission: overriding,
  team: ref("Team"),
});

const Error = resource("Why a request was refused.", {
  error: Type.Object(
    { code: Type.Integer({ description: "The HTTP status." }), message: text("One sentence.") },
    { description: "The refusal." },
  ),
});

export const SCHEMAS = {
  Role,
  User,
  Team,
  Space,
  Collection,
  Member,
  UserPermission,
  TeamPermission,
  SpacePermission,
  SitePermission,
  TeamMembership,
  TeamMember,
  Organization,
  Site,
  SiteSpace,
  UserOverride,
  TeamOverride,
  Error,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

export function envelope(entry: SchemaName) {
  return Type.Object(
    {
      next: Type.Optional(
        Type.Object(
          { page: text("Pass it as `page` to fetch the following page.") },
          { description: "Where the list continues; absent on the last page." },
        ),
      ),
      count: number("The number of items in this response."),
      items: Type.Array(ref(entry), { description: "The entries." }),
    },
    { additionalProperties: false, description: `A page of ${entry} entries.` },
  );
}
