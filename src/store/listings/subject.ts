/** The access on a content, on a site, of a member, of a team, as of a revision. */
import type { ContentKey } from "../../domain/content.ts";
import type { CacheKind } from "../cache.ts";
import { ladderFor } from "../directory/contents.ts";
import { type Member } from "../directory/members.ts";
import { universeIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, SPACES } from "../schema/set-names.ts";
import type { Access } from "./access.ts";
import { givenOnSpaces } from "./given-on-spaces.ts";
import { accessOfMember, accessOn, type LeftOut, type Rung } from "./palette.ts";

const KIND: CacheKind<Access> = { name: "access", bytes: ({ size }) => size };

/** The access on a content; `undefined` if the content does not exist. */
export function accessOnContent(reading: Reading, key: ContentKey): Promise<Access | undefined> {
  return kept(reading, key, async () => {
    // The access needs the index.
    const [ladder] = await Promise.all([ladderFor(reading, key), universeIndex(reading, MEMBERS)]);
    return ladder && accessOnLadders(reading, [ladder]);
  });
}

async function kept<Made extends Access | undefined>(
  reading: Reading,
  key: string,
  make: () => Promise<Made>,
): Promise<Access | Made> {
  const known = reading.cache.get(KIND, reading.at, key);
  if (known !== undefined) return known;
  const access = await make();
  if (access !== undefined) reading.cache.keep(KIND, reading.at, key, access);
  return access;
}

/** The access on the contents with these ladders: on several, the highest role of each member. */
export async function accessOnLadders(
  reading: Reading,
  ladders: readonly (readonly Rung[])[],
  leftOut?: LeftOut,
): Promise<Access> {
  const index = await universeIndex(reading, MEMBERS);
  return accessOn(ladders, (name) => index.head(name), leftOut);
}

/** The access of a member on all spaces. */
export function accessOf(reading: Reading, member: Member): Promise<Access> {
  return kept(reading, `member/${member.id}`, async () => {
    const index = await universeIndex(reading, SPACES);
    return accessOfMember(member.role, await givenOnSpaces(reading, member, index));
  });
}
