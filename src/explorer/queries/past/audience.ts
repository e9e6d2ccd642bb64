/** Lists of people, for the filter `since`: each list knows the changed records that can add people to it. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";
import { spacesOfSite } from "../../../store/directory/sites.ts";
import type { Access } from "../../../store/listings/access.ts";
import { memberAccess } from "../../../store/listings/palette.ts";
import {
  accessGivenOn,
  membersOfTeam as teamMembers,
  accessOnContent,
  accessOnSite,
} from "../../../store/listings/subject.ts";
import type { Reading } from "../../../store/reading.ts";
import type { ChangedRecord } from "../../../store/revisions/diff/log.ts";
import { memberSets } from "../../../store/schema/set-names.ts";
import type { Changed } from "./changed.ts";
import { recordsOn } from "./on-content.ts";

export interface Audience {
  /** Identifies the list within the revision. */
  readonly name: string;
  /** Returns `undefined` if the content, site or team does not exist in the revision. */
  access(reading: Reading): Promise<Access | undefined>;
  /** The changed records that can add people to the list. A record without a member can add any member. */
  records(changed: Changed): Promise<readonly ChangedRecord[]>;
}

export function everyoneOn(key: ContentKey): Audience {
  return {
    name: key,
    access: (reading) => accessOnContent(reading, key),
    records: (changed) => recordsOn(changed, [key]),
  };
}

export function everyoneOnSite(site: string): Audience {
  return {
    name: `site/${site}`,
    access: (reading) => accessOnSite(reading, site),
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
    access: (reading) => accessGivenOn(reading, key),
    records: ofMembers("permission", ({ content }) => content === key),
  };
}

export function membersOfTeam(team: string): Audience {
  return {
    name: `team/${team}`,
    access: (reading) => teamMembers(reading, team),
    records: ofMembers("teamMember", (record) => record.team === team),
  };
}

/** All members; with `role`, only members with this organization role. */
export function members(role: Role | undefined): Audience {
  return {
    name: role === undefined ? "members" : memberSets.withRole(role),
    access: async () => memberAccess(role),
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
