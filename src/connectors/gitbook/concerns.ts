import { CommandError, UsageError } from "../../domain/error.ts";
import { show } from "../../snapshot/problem.ts";
import type { JsonObject } from "../../domain/json.ts";

/**
 * Every field that GitBook documents for what a pull reads, also if a snapshot cannot represent it. A pull stops at any
 * other field, because it may affect access. A test compares this list with both versions of the official OpenAPI file.
 */
export const KNOWN_FIELDS = {
  organization:
    "object id title createdAt emailDomains hostname type useCase communityType defaultRole defaultContent sso ai inviteLinks auditLogs plan billing mergeRules urls trial trialDecision customHostname blocked internal_billingMigration internal_isOnNewTrial internal_isUsingSnippets permissions",
  member: "object id role user disabled joinedAt lastSeenAt sso spaces teams sites",
  user: "object id displayName email photoURL urls",
  team: "object id title members spaces createdAt permissions",
  teamMember: "organization team permissions",
  collection: "object id title description organization parent defaultLevel urls permissions",
  space:
    "object id title emoji visibility createdAt updatedAt deletedAt editMode type mergeRules urls organization parent language gitSync imports visitorAuth revision defaultLevel comments changeRequests changeRequestsOpen changeRequestsDraft internal_poweredByV2 internal_singleWebsocket permissions",
  site: "object id type appliedType title icon hostname basename proxy visibility defaultLevel permissions published siteSpaces defaultSpace gitSync createdAt lastScanAt adaptiveContent ads styleguide features urls",
  siteSpace:
    "object id path section space title localizedTitle default condition pageId draft hasAdvancedCustomizationFeature urls hidden",
  permission: "permission user team",
} as const;

type KnownObject = keyof typeof KNOWN_FIELDS;

const names = new Map(
  Object.entries(KNOWN_FIELDS).map(([kind, fields]) => [kind, new Set<string>(fields.split(" "))]),
);

function unknownFields(kind: KnownObject, item: object): string[] {
  return Object.keys(item).filter((name) => names.get(kind)?.has(name) !== true);
}

/** What a snapshot cannot represent, by the name with which `--accept` accepts it; the text says what is lost. */
const KINDS = {
  "site-permissions": "permissions and default levels of sites; they are left out",
  strangers:
    "a user, team, space or collection that the organization's own lists do not have; records that name it are left out",
} as const;

/** Kinds that are accepted by what they name, such as `role:NAME` for one unknown role. */
const KINDS_OF_NAMES = {
  role: "a role that is none of the six; a permission is left out, a member becomes a guest, a content or site is closed",
  field: "a field that GitBook does not document; it is left out",
  value: "a value that a snapshot cannot represent; the field is left out",
} as const;

const MOST_SHOWN = 5;

export type AcceptedKinds = Pick<ReadonlySet<string>, "has">;

/** An accepted kind, and the items that had it. */
export interface Accepted {
  readonly kind: string;
  readonly at: readonly string[];
}

/** Collects what a snapshot cannot represent. It stops the pull unless the operator accepts each kind by name. */
export class Concerns {
  readonly #accepted: AcceptedKinds;
  readonly #met = new Map<string, Set<string>>();

  constructor(accepted: AcceptedKinds) {
    this.#accepted = accepted;
  }

  note(kind: keyof typeof KINDS | `${keyof typeof KINDS_OF_NAMES}:${string}`, at: string): void {
    const items = this.#met.get(kind) ?? new Set();
    this.#met.set(kind, items.add(at));
  }

  /** Whether the operator accepts to lose this kind, although a snapshot can represent it. Then it is noted. */
  leaveOut(kind: keyof typeof KINDS, at: string): boolean {
    if (this.#accepted.has(kind)) this.note(kind, at);
    return this.#accepted.has(kind);
  }

  noteUnknownFields(kind: KnownObject, item: JsonObject, at: string): void {
    for (const field of unknownFields(kind, item)) this.note(`field:${kind}.${field}`, at);
  }

  /** Throws a CommandError that names every kind that was found and not accepted. */
  refuse(): void {
    const refused = [...this.#met].filter(([kind]) => !this.#accepted.has(kind));
    if (refused.length === 0) return;
    const lines = refused.map(([kind, items]) => {
      const first = [...items].slice(0, MOST_SHOWN).map((item) => show(item).slice(1, -1));
      const more = items.size > MOST_SHOWN ? `, … and ${items.size - MOST_SHOWN} more` : "";
      return `  ${kind}: ${meaningOf(kind)}. Found at ${first.join(", ")}${more}`;
    });
    throw new CommandError(
      `GitBook has data that a snapshot cannot represent:\n${lines.join("\n")}\n` +
        `Nothing was written. To accept this: --accept ${refused.map(([kind]) => kind).join(",")}`,
    );
  }

  get accepted(): Accepted[] {
    return [...this.#met].map(([kind, items]) => ({ kind, at: [...items] }));
  }
}

/** Parses the values of `--accept`: kinds, separated by commas. Throws a UsageError for an unknown kind. */
export function readAccepted(values: readonly string[]): ReadonlySet<string> {
  const kinds = values.flatMap((value) => value.split(",")).map((kind) => kind.trim());
  for (const kind of kinds) {
    const [name = "", thing] = kind.split(":", 2);
    if (
      thing === undefined ? Object.hasOwn(KINDS, kind) : thing !== "" && Object.hasOwn(KINDS_OF_NAMES, name)
    )
      continue;
    throw new UsageError(
      `--accept has ${JSON.stringify(kind)}; accepted: ${Object.keys(KINDS).join(", ")}, and ` +
        `${Object.keys(KINDS_OF_NAMES)
          .map((each) => `${each}:NAME`)
          .join(", ")}, as a pull names them; several with commas between them.`,
    );
  }
  return new Set(kinds);
}

function meaningOf(kind: string): string {
  const known: Readonly<Record<string, string>> = { ...KINDS, ...KINDS_OF_NAMES };
  return known[kind.split(":", 1)[0] ?? ""] ?? "";
}
