/** The records that differ between two revisions, and which of them can change an effective role. */
import type { ContentKey, DefaultLevel } from "./content.ts";
import type { Event } from "./difference.ts";
import { compareIds } from "./id.ts";
import { accessFieldsOf, RECORD_KINDS, type RecordChange } from "./record-change.ts";
import { roleOf } from "./role.ts";

/** The kinds of records that say something about access. */
export const ACCESS_KINDS = [
  "member",
  "teamMember",
  "collection",
  "space",
  "site",
  "siteSpace",
  "permission",
] as const;

/** A record that differs between two revisions. */
export interface ChangedRecord extends RecordChange {
  /** The last revision that changed the record; of a record that affects access, what the record says about access. */
  readonly revision: number;
  /** The first revision that changed the record in this way: the revision that added a record which was missing before. */
  readonly first: number;
}

/** The order of causes: by revision, then by kind and ids of the record. */
export function compareCauses(a: ChangedRecord, b: ChangedRecord): number {
  return (
    a.revision - b.revision ||
    RECORD_KINDS.indexOf(a.kind) - RECORD_KINDS.indexOf(b.kind) ||
    compareIds(placeIn(a), placeIn(b)) ||
    compareIds(a.site ?? "", b.site ?? "") ||
    compareIds(a.team ?? "", b.team ?? "") ||
    compareIds(a.member ?? "", b.member ?? "")
  );
}

/** The content of a record, or else its site. */
function placeIn({ content, site }: ChangedRecord): string {
  return content ?? (site === undefined ? "" : `site/${site}`);
}

/** Whether a record is of a kind that says something about access, and its change can change an effective role. */
export function isEvent(record: ChangedRecord): boolean {
  return ACCESS_KINDS.some((kind) => kind === record.kind) && concernsAccess(record);
}

/** Whether a changed record can change an effective role. */
export function concernsAccess({ kind, was, becomes }: ChangedRecord): boolean {
  // A site without a default level says as much as no site.
  if (kind === "site") return levelIn(was) !== levelIn(becomes);
  if (was === undefined || becomes === undefined) return true;
  if (kind === "teamMember") return false;
  if (kind !== "collection" && kind !== "space") return true;
  const [old, now] = [accessFieldsOf(was), accessFieldsOf(becomes)];
  return old.parent !== now.parent || old.defaultLevel !== now.defaultLevel;
}

/** The default level in the document of a content or a site; `inherit` if there is none. */
export function levelIn(document: string | undefined): DefaultLevel {
  return document === undefined ? "inherit" : accessFieldsOf(document).defaultLevel;
}

/** Changed records that can change an effective role. */
export class AccessChanges {
  /** The members who joined or left, or whose organization role changed, by user id. */
  readonly people = new Map<string, ChangedRecord>();
  /** The contents that were added, removed or moved, or whose default level changed. */
  readonly contents = new Map<ContentKey, ChangedRecord>();
  /** The permissions and team memberships of each user, by user id. */
  readonly own = new Map<string, ChangedRecord[]>();
  /** The permissions of teams, by content. */
  readonly grants = new Map<ContentKey, ChangedRecord[]>();
  /** The default level of each site, and the permissions of teams on it, by its id. */
  readonly sites = new Map<string, ChangedRecord[]>();
  /** The links of each space to sites. */
  readonly links = new Map<ContentKey, ChangedRecord[]>();

  /** Leaves out records that cannot change an effective role. */
  constructor(records: readonly ChangedRecord[]) {
    for (const record of records) if (isEvent(record)) this.#add(record);
  }

  #add(record: ChangedRecord): void {
    const { kind, member, content, site } = record;
    if (kind === "member") this.people.set(member ?? "", record);
    else if (member !== undefined) append(this.own, member, record);
    else if (content === undefined) {
      if (site !== undefined) append(this.sites, site, record);
    } else if (kind === "siteSpace") append(this.links, content, record);
    else {
      if (kind === "permission") append(this.grants, content, record);
      else this.contents.set(content, record);
    }
  }

  /** All of them, in the order of causes. */
  get inOrder(): ChangedRecord[] {
    const { people, contents, own, grants, sites, links } = this;
    const all = [people, contents, own, grants, sites, links];
    return all.flatMap((each) => [...each.values()].flat()).sort(compareCauses);
  }

  /** Whether a change of the content itself, or of a team's permission there, may concern everybody. */
  isOn(content: ContentKey): boolean {
    return this.contents.has(content) || this.grants.has(content);
  }

  /** The changes of what a site says to a space: of the link between them, and of the site. */
  *ofSite(space: ContentKey, site: string): Generator<ChangedRecord> {
    for (const link of this.links.get(space) ?? []) if (link.site === site) yield link;
    yield* this.sites.get(site) ?? [];
  }

  /** The changes of a content itself and of the permissions of teams there. */
  *on(content: ContentKey): Generator<ChangedRecord> {
    const own = this.contents.get(content);
    if (own !== undefined) yield own;
    yield* this.grants.get(content) ?? [];
  }

  /** The contents on which {@link isOn} is true. */
  get changedContents(): Set<ContentKey> {
    return new Set([...this.contents.keys(), ...this.grants.keys()]);
  }
}

function append<Key>(to: Map<Key, ChangedRecord[]>, key: Key, record: ChangedRecord): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [record]);
  else known.push(record);
}

/** The event of a changed record that affects access. */
export function eventOf({ kind, member = "", team = "", content, site, was, becomes }: ChangedRecord): Event {
  if (kind === "member") {
    return {
      of: "member",
      user: member,
      ...given(was, memberRole, "was"),
      ...given(becomes, memberRole, "becomes"),
    };
  }
  if (kind === "teamMember") return { of: "membership", user: member, team, joined: was === undefined };
  const whom = member === "" ? { team } : { user: member };
  if (content === undefined) {
    if (site === undefined)
      throw new TypeError(`A ${kind} in the log of changes names no content and no site.`);
    if (kind === "site") return { of: "site", site, was: levelIn(was), becomes: levelIn(becomes) };
    return {
      of: "permission",
      on: { site },
      ...whom,
      ...given(was, memberRole, "was"),
      ...given(becomes, memberRole, "becomes"),
    };
  }
  if (site !== undefined) return { of: "link", content, site, isAdded: was === undefined };
  if (kind !== "permission") {
    return {
      of: "content",
      content,
      ...given(was, accessFieldsOf, "was"),
      ...given(becomes, accessFieldsOf, "becomes"),
    };
  }
  return {
    of: "permission",
    on: { content },
    ...whom,
    ...given(was, role, "was"),
    ...given(becomes, role, "becomes"),
  };
}

function given<Value, Name extends string>(
  text: string | undefined,
  read: (text: string) => Value,
  name: Name,
): { [key in Name]?: Value } {
  const found: { [key in Name]?: Value } = {};
  if (text !== undefined) found[name] = read(text);
  return found;
}

/** The role of a member, `null` for a guest, or on a site, `null` for no access. */
function memberRole(text: string) {
  return Number(text) === 0 ? null : role(text);
}

function role(text: string) {
  return roleOf(Number(text));
}
