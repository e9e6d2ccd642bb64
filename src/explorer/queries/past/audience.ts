/** Lists of people, for the filter `since`: each list knows the changed records that can add people to it. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";
import { spacesOfSite } from "../../../store/directory/sites.ts";
import type { AccessQuery } from "../../../store/listings/access-query/query.ts";
import {
  everyMember,
  givenOn,
  ofTeam,
  onContent,
  onSite,
} from "../../../store/listings/access-query/subject.ts";
import type { Reading } from "../../../store/reading.ts";
import type { ChangedRecord } from "../../../store/revisions/diff/log/log.ts";
import { memberSets } from "../../../store/schema/set-names.ts";
import type { Changed } from "./changed.ts";
import { recordsOn } from "./on-content.ts";

export interface Audience {
  /** Identifies the list within the revision. */
  readonly name: string;
  /** Returns `undefined` if the content, site or team does not exist in the revision. */
  query(reading: Reading): Promise<AccessQuery | undefined>;
  /** The changed records that can add people to the list. A record without a member can add any member. */
  records(changed: Changed): Promise<readonly ChangedRecord[]>;
}

export function everyoneOn(key: ContentKey): Audience {
  return {
    name: key,
    query: (reading) => onContent(reading, key),
    records: (changed) => recordsOn(changed, [key]),
  };
}

export function everyoneOnSite(site: string): Audience {
  return {
    name: `site/${site}`,
    query: (reading) => onSite(reading, site),
    async records(changed) {
      const { before, after } = changed.sides;
      const [then = [], now = []] = [await spacesOfSite(before, site), await spacesOfSite(after, site)];
      const spaces = changed.records.filter(({ kind, site: of }) => kind === "siteSpace" && of === site);
      return [...spaces, ...(await recordsOn(changed, [...new Set([...then, ...now])]))];
    },
  };
}

export function givenPeople(key: ContentKey): Audience {
  return {
    name: `given/${key}`,
    query: async (reading) => givenOn(reading, key),
    records: ofMembers("permission", ({ content }) => content === key),
  };
}

export function membersOfTeam(team: string): Audience {
  return {
    name: `team/${team}`,
    query: async (reading) => ofTeam(reading, team),
    records: ofMembers("teamMember", (record) => record.team === team),
  };
}

/** All members; with `role`, only members with this organization role. */
export function members(role: Role | undefined): Audience {
  return {
    name: role === undefined ? "members" : memberSets.withRole(role),
    query: async (reading) => everyMember(reading, role),
    records: ofMembers("member", () => true),
  };
}

function ofMembers(
  kind: ChangedRecord["kind"],
  concerns: (record: ChangedRecord) => boolean,
): Audience["records"] {
  return async ({ records }) =>
    records.filter((record) => record.kind === kind && record.member !== undefined && concerns(record));
}
