import { utc } from "../date.ts";
import { DEEPEST, deepest } from "./nesting.ts";
import type { SnapshotRecord } from "../records.ts";

/**
 * The faults of an import (contract, section 8), one sentence each; empty for a valid import. The compiler checks the
 * types of fields.
 */
export function violations(records: readonly SnapshotRecord[]): string[] {
  return [...repeated(records), ...dangling(records), ...records.flatMap(malformed), ...nested(records)];
}

function key(...parts: (string | undefined)[]): string {
  return JSON.stringify(parts);
}

/** The unique id or pair of a record. */
function identity(record: SnapshotRecord): string {
  switch (record.object) {
    case "member":
      return key(record.object, record.organization, record.user);
    case "teamMember":
      return key(record.object, record.team, record.user);
    case "siteSpace":
      return key(record.object, record.site, record.space);
    case "permission":
      return key(record.object, record.space, record.collection, record.user, record.team);
    default:
      return key(record.object, record.id);
  }
}

function repeated(records: readonly SnapshotRecord[]): string[] {
  return [...Map.groupBy(records, identity)].flatMap(([name, group]) => {
    const different = new Set(group.map((record) => JSON.stringify(record))).size > 1;
    return group.length > 1 && (different || group[0]?.object !== "user") ? [`${name} is repeated`] : [];
  });
}

function dangling(records: readonly SnapshotRecord[]): string[] {
  // The organization of each record to which others can refer. A user has one per membership.
  const there = new Set<string>();
  const organizationOf = new Map<string, string>();
  for (const record of records) {
    if (record.object === "user" || record.object === "organization") there.add(identity(record));
    else if (record.object === "member") there.add(key("member", record.organization, record.user));
    else if ("id" in record) organizationOf.set(identity(record), record.organization);
  }
  const faults: string[] = [];
  const must = (holds: boolean, record: SnapshotRecord, what: string) => {
    if (!holds) faults.push(`${identity(record)} names ${what} that does not exist in its organization`);
  };
  for (const record of records) {
    if ("organization" in record) {
      must(there.has(key("organization", record.organization)), record, "an organization");
    }
    if (record.object === "member") must(there.has(key("user", record.user)), record, "a user");
    if ((record.object === "collection" || record.object === "space") && record.parent !== undefined) {
      const parent = organizationOf.get(key("collection", record.parent));
      must(parent === record.organization, record, "a parent");
    }
    if (record.object === "teamMember") {
      const organization = organizationOf.get(key("team", record.team));
      must(organization !== undefined, record, "a team");
      must(there.has(key("member", organization, record.user)), record, "a member");
    }
    if (record.object === "siteSpace") {
      const organization = organizationOf.get(key("site", record.site));
      must(organization !== undefined, record, "a site");
      must(organizationOf.get(key("space", record.space)) === organization, record, "a space");
    }
    if (record.object === "permission") {
      const content =
        record.space === undefined ? key("collection", record.collection) : key("space", record.space);
      const organization = organizationOf.get(content);
      must(organization !== undefined, record, "a content");
      const grantee =
        record.user === undefined
          ? organizationOf.get(key("team", record.team)) === organization
          : there.has(key("member", organization, record.user));
      must(grantee, record, "a grantee");
    }
  }
  return faults;
}

function nested(records: readonly SnapshotRecord[]): string[] {
  return deepest(records) > DEEPEST ? ["collections nest too deep, or in a cycle"] : [];
}

function malformed(record: SnapshotRecord): string[] {
  const faults: string[] = [];
  if ("id" in record && !(record.object === "user" ? isUserId(record.id) : isId(record.id))) {
    faults.push(`${record.object} has the id ${record.id}`);
  }
  if (!textsOf(record).every((text) => text.isWellFormed() && !text.includes("\0"))) {
    faults.push(`${identity(record)} holds text that is not allowed`);
  }
  if (record.object === "team" || record.object === "space") {
    const { createdAt } = record;
    const { updatedAt, deletedAt, gitSync } = record.object === "space" ? record : {};
    const dates = [createdAt, updatedAt, deletedAt, gitSync?.updatedAt];
    if (!dates.every((date) => date === undefined || isDate(date))) {
      faults.push(`${identity(record)} has a bad date`);
    }
  }
  if (record.object === "space") {
    const counts = Object.values(record).filter((value) => typeof value === "number");
    if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) {
      faults.push(`${identity(record)} has a bad count`);
    }
    const urls = [...Object.values(record.urls ?? {}), record.gitSync?.url];
    if (!urls.every(isUrl)) faults.push(`${identity(record)} has a bad URL`);
  }
  if (record.object === "user" && ![record.photoURL, record.urls?.location].every(isUrl)) {
    faults.push(`${identity(record)} has a bad URL`);
  }
  return faults;
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
}

function isId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(id);
}

function isUserId(id: string): boolean {
  const { length } = [...id];
  return length >= 1 && length <= 255 && !/\p{Cc}/u.test(id) && id !== "." && id !== "..";
}

function isUrl(url: string | undefined): boolean {
  return url === undefined || (/^https?:\/\//.test(url) && URL.canParse(url));
}

function isDate(date: string): boolean {
  try {
    return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(utc(date));
  } catch {
    return false;
  }
}
