import { utc } from "../../../oracle/date.ts";
import { type Facts, factsOf, organizationIds } from "../../../oracle/facts.ts";
import { type Oracle, oracle } from "../../../oracle/oracle.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { SPACE_DEFAULTS } from "../../../oracle/wire.ts";
import { type OtherRule, ruledBy } from "./rules.ts";

export const PUBLIC_URL = "https://api.gitbook.com";

/** Data of GitBook that a snapshot cannot represent. */
export interface Beyond {
  readonly disabled?: readonly string[];
  /** How GitBook finds effective roles; without it, as the documents say that Rolebook does. */
  readonly rule?: OtherRule;
  /** The ids of items that are missing in the lists of their kind. */
  readonly hidden?: readonly string[];
  /** Changes an entry of an operation's answer before it is sent; such answers are not validated. */
  readonly distort?: (operation: string, entry: Record<string, unknown>) => Record<string, unknown>;
}

/** One state of a GitBook organization. */
export class State {
  readonly records: readonly SnapshotRecord[];
  readonly beyond: Beyond;
  readonly organization: string;
  readonly title: string;
  readonly facts: Facts;
  #oracle: Oracle | undefined;

  constructor(records: readonly SnapshotRecord[], beyond: Beyond = {}) {
    this.records = records;
    this.beyond = beyond;
    this.organization = organizationIds(records)[0] ?? "";
    this.title = records.find((record) => record.object === "organization")?.title ?? "";
    this.facts = factsOf(records, this.organization);
  }

  /** Computes GitBook's own listings of access. Disabled members have no access. */
  get oracle(): Oracle {
    const { disabled = [], rule } = this.beyond;
    const records = withoutMembers(this.records, disabled);
    return (this.#oracle ??= oracle(
      rule === undefined ? records : ruledBy(rule, records, this.organization),
      {
        publicUrl: PUBLIC_URL,
      },
    ));
  }
}

/** Removes members, and records that refer to them. */
export function withoutMembers(
  records: readonly SnapshotRecord[],
  users: readonly string[],
): SnapshotRecord[] {
  return records.filter((record) => {
    const user = record.object === "user" ? record.id : "user" in record ? record.user : undefined;
    return user === undefined || !users.includes(user);
  });
}

/** Takes away the permissions and default levels of sites, which the API of 0.91.0 does not have. */
export function withSilentSites(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  return records.flatMap((record): SnapshotRecord[] => {
    if (record.object === "permission" && record.site !== undefined) return [];
    if (record.object !== "site") return [record];
    const { defaultLevel: _, ...site } = record;
    return [site];
  });
}

/** Brings records within GitBook's limits, and adds every field that GitBook always sends. */
export function tamed(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const members = new Set(records.flatMap((record) => (record.object === "member" ? record.user : [])));
  const users = new Set<string>();
  return records.flatMap((record): SnapshotRecord[] => {
    switch (record.object) {
      case "organization":
        return [
          {
            ...record,
            title: /\S.*\S/u.test(record.title) ? cut(record.title, 255) : `Organization ${record.title}`,
          },
        ];
      case "user": {
        if (users.has(record.id) || !members.has(record.id)) return [];
        users.add(record.id);
        const location = `${PUBLIC_URL}/v1/users/${encodeURIComponent(record.id)}`;
        return [{ ...record, urls: { location, ...record.urls } }];
      }
      case "team":
        return [{ ...record, title: cut(record.title, 64) || "Team", createdAt: utc(record.createdAt) }];
      case "collection":
        return [{ ...record, title: cut(record.title, 50), defaultLevel: levelOf(record.defaultLevel) }];
      case "space":
        return [tamedSpace(record)];
      case "site":
        return [tamedSite(record)];
      default:
        return [record];
    }
  });
}

type SiteRecord = Extract<SnapshotRecord, { object: "site" }>;

function tamedSite({ defaultLevel, ...site }: SiteRecord): SiteRecord {
  const title = [...site.title].length < 2 ? `Site ${site.title}` : cut(site.title, 128);
  return { ...site, title, ...(levelOf(defaultLevel) === "inherit" ? {} : { defaultLevel }) };
}

type SpaceRecord = Extract<SnapshotRecord, { object: "space" }>;

function tamedSpace(space: SpaceRecord): SpaceRecord {
  const { gitSync, deletedAt, visitorAuth } = space;
  return {
    ...SPACE_DEFAULTS,
    ...space,
    title: cut(space.title, 50),
    createdAt: utc(space.createdAt),
    updatedAt: utc(space.updatedAt),
    ...(deletedAt === undefined ? {} : { deletedAt: utc(deletedAt) }),
    defaultLevel: levelOf(space.defaultLevel),
    urls: {
      location: `${PUBLIC_URL}/v1/spaces/${space.id}`,
      app: `${PUBLIC_URL}/s/${space.id}`,
      ...space.urls,
    },
    ...(gitSync === undefined
      ? {}
      : {
          gitSync: {
            installationProvider: "github",
            ...gitSync,
            ...(gitSync.updatedAt === undefined ? {} : { updatedAt: utc(gitSync.updatedAt) }),
          },
        }),
    ...(visitorAuth === undefined ? {} : { visitorAuth }),
  };
}

function levelOf<Level>(level: Level | undefined): Level | "inherit" {
  return level === undefined ? "inherit" : level;
}

function cut(text: string, most: number): string {
  return [...text].slice(0, most).join("");
}

/** Records as sorted lines, which are equal for equal records in any order. */
export function canonical(records: Iterable<object>): string[] {
  return [...records].map((record) => JSON.stringify(sorted(record))).sort();
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
