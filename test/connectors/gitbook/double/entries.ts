import type { Facts } from "../../../oracle/facts.ts";
import { wireSpace, wireTeam, wireUser } from "../../../oracle/wire.ts";
import { PUBLIC_URL, type State } from "./state.ts";

/** The version of the official package whose OpenAPI file the double follows. */
export type Vintage = "0.91.0" | "newest";

type Entry = Record<string, unknown>;

const DATE = "2025-01-01T00:00:00.000Z";
const OLD_SPACE = ["access", "admin", "edit", "comment", "merge", "review"];
const NEW_SPACE = [...OLD_SPACE, "view", "viewInviteLinks", "triggerGitSync", "installIntegration"];
const OLD_ORGANIZATION = ["admin", "createContent"];
const NEW_ORGANIZATION = [
  ...OLD_ORGANIZATION,
  ..."view access ownTeam createOpenAPISpec viewBilling listMembers listTeams listIntegrations listInstallations installIntegration".split(
    " ",
  ),
];
const SITE = "view access edit create admin installIntegration viewAdaptiveSchema editAdaptiveSchema".split(
  " ",
);

function all(names: readonly string[], value = true): Record<string, boolean> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** Makes the entries of GitBook's answers from a state, in the form of one vintage. */
export class Entries {
  readonly #state: State;
  readonly #facts: Facts;
  readonly #isNew: boolean;

  constructor(state: State, vintage: Vintage) {
    this.#state = state;
    this.#facts = state.facts;
    this.#isNew = vintage === "newest";
  }

  organization(isAdmin: boolean): Entry {
    const { organization: id, title } = this.#state;
    const only = this.#isNew ? { mergeRules: { type: "none" }, trial: { status: "none", count: 0 } } : {};
    return {
      object: "organization",
      id,
      title,
      createdAt: DATE,
      emailDomains: [],
      type: "business",
      inviteLinks: false,
      plan: "pro",
      urls: { location: `${PUBLIC_URL}/v1/orgs/${id}`, app: `${PUBLIC_URL}/o/${id}` },
      permissions: all(this.#isNew ? NEW_ORGANIZATION : OLD_ORGANIZATION, isAdmin),
      ...only,
    };
  }

  user(id: string): Entry {
    const user = this.#facts.users.get(id);
    if (user === undefined) throw new Error(`no user ${id}`);
    return { ...wireUser(user, PUBLIC_URL) };
  }

  member(id: string): Entry {
    return {
      object: "member",
      id,
      role: this.#facts.members.get(id) ?? null,
      user: this.user(id),
      disabled: this.#state.beyond.disabled?.includes(id) === true,
      joinedAt: DATE,
      sso: false,
      spaces: 0,
      teams: 0,
      ...(this.#isNew ? { sites: 0 } : {}),
    };
  }

  team(id: string): Entry {
    const team = this.#facts.teams.get(id);
    if (team === undefined) throw new Error(`no team ${id}`);
    return {
      ...wireTeam(team, this.#facts),
      ...(this.#isNew ? { permissions: all(["admin", "view"]) } : {}),
    };
  }

  teamMember(user: string, role: string): Entry {
    return {
      organization: this.member(user),
      team: { role },
      ...(this.#isNew ? { permissions: all(["view"]) } : {}),
    };
  }

  collection(id: string): Entry {
    const collection = this.#facts.collections.get(id);
    if (collection === undefined) throw new Error(`no collection ${id}`);
    return {
      ...collection,
      urls: { location: `${PUBLIC_URL}/v1/collections/${id}`, app: `${PUBLIC_URL}/c/${id}` },
      permissions: all(["admin", "create", ...(this.#isNew ? ["view", "viewInviteLinks"] : [])]),
    };
  }

  space(id: string): Entry {
    const space = this.#facts.spaces.get(id);
    if (space === undefined) throw new Error(`no space ${id}`);
    const { gitSync, visitorAuth, ...sent } = wireSpace(space, "admin", PUBLIC_URL);
    return {
      ...sent,
      ...(gitSync === undefined
        ? {}
        : { gitSync: { ...gitSync, installationStatus: "active", installationId: "installation" } }),
      ...(visitorAuth === undefined
        ? {}
        : {
            visitorAuth:
              visitorAuth.backend === "custom" ? visitorAuth : { ...visitorAuth, integration: "okta" },
          }),
      permissions: all(this.#isNew ? NEW_SPACE : OLD_SPACE),
      // The older OpenAPI file requires a type but does not list its values.
      ...(this.#isNew ? { mergeRules: { type: "inherit" } } : { type: "document" }),
    };
  }

  site(id: string): Entry {
    const record = this.#state.records.find((each) => each.object === "site" && each.id === id);
    if (record?.object !== "site") throw new Error(`no site ${id}`);
    const location = `${PUBLIC_URL}/v1/orgs/${record.organization}/sites/${id}`;
    const only = this.#isNew
      ? {
          appliedType: "basic",
          defaultLevel: record.defaultLevel === undefined ? "inherit" : record.defaultLevel,
          permissions: all(SITE),
          features: [],
        }
      : { defaultSpace: this.#facts.sites.get(id)?.[0] ?? "" };
    return {
      object: "site",
      id,
      type: "basic",
      title: record.title,
      visibility: "public",
      published: true,
      siteSpaces: this.#facts.sites.get(id)?.length ?? 0,
      createdAt: DATE,
      urls: {
        location,
        app: `${PUBLIC_URL}/site/${id}`,
        ...(this.#isNew ? { preview: `${PUBLIC_URL}/preview/${id}` } : {}),
      },
      ...only,
    };
  }

  siteSpace(site: string, space: string): Entry {
    return {
      object: "site-space",
      id: `${site}-${space}`.slice(0, 100),
      path: "docs",
      space: this.space(space),
      title: "",
      ...(this.#isNew
        ? { urls: {}, draft: false }
        : { urls: { location: `${PUBLIC_URL}/v1/site-spaces`, app: `${PUBLIC_URL}/site/${site}` } }),
    };
  }
}
