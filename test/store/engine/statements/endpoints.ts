import type { SnapshotRecord } from "../../../oracle/records.ts";
import { isAdmin, SHAPE, shape, user } from "../../shape.ts";

/** A guest with permissions `admin`, who may list as much as a member who is not an organization admin. */
export const GUEST = user(4);
export const MEMBER = user(1);
export const ADMIN = user(13);
/** A member with more permissions than one read returns, on spaces throughout the organization. */
const RICH = user(11);

/** {@link shape} with permissions for the callers of the tests. */
export function endpointShape(members: number): SnapshotRecord[] {
  if (!isAdmin(13)) throw new Error(`${ADMIN} is to be an admin.`);
  const given = (record: { space: string } | { collection: string }, holder: string): SnapshotRecord => {
    return { object: "permission", ...record, user: holder, permission: "admin" };
  };
  const content = ["wide", "narrow"].map((space) => ({ space }));
  const collections = ["open", "closed"].map((collection) => ({ collection }));
  return [
    ...shape(members),
    ...[GUEST, MEMBER].flatMap((holder) =>
      [...content, ...collections].map((record) => given(record, holder)),
    ),
    ...Array.from({ length: Math.min(300, members / 5) }, (_, index) =>
      given({ space: `s${String(index).padStart(6, "0")}` }, RICH),
    ),
  ];
}

/** Every endpoint with several subjects. `{self}` stands for the caller; for an organization token, for a member. */
export const ENDPOINTS: readonly string[] = [
  ...["spaces/wide", "spaces/narrow", "spaces/s000003", "collections/open", "collections/closed"].flatMap(
    (content) => ["users", "teams", "aggregate"].map((list) => `/v1/${content}/permissions/${list}`),
  ),
  "/v1/spaces/wide/permissions/aggregate?role=comment",
  "/v1/spaces/narrow/permissions/aggregate?role=read",
  `/v1/orgs/${SHAPE}/members/{self}/spaces`,
  `/v1/orgs/${SHAPE}/members/{self}/spaces?order=asc`,
  `/v1/orgs/${SHAPE}/members/${GUEST}/spaces`,
  `/v1/orgs/${SHAPE}/members/${RICH}/spaces`,
  `/v1/orgs/${SHAPE}/members/{self}/teams`,
  `/v1/orgs/${SHAPE}/members/{self}/teams?title=Tea`,
  `/v1/orgs/${SHAPE}/sites/both/permissions/aggregate`,
  ...["members", "teams", "spaces", "collections", "sites"].map((list) => `/v1/orgs/${SHAPE}/${list}`),
  `/v1/orgs/${SHAPE}/sites/both/permissions/aggregate?role=read&search=a&sort=name`,
  `/v1/orgs/${SHAPE}/members?role=guest&search=a&sort=name`,
  `/v1/orgs/${SHAPE}/teams?title=t&owner={self}`,
  `/v1/orgs/${SHAPE}/teams/small/members`,
  ...["site-spaces", "permissions/users", "permissions/teams"].map(
    (list) => `/v1/orgs/${SHAPE}/sites/both/${list}`,
  ),
  "/v1/collections/open/spaces",
];

/** Every single thing. */
export const THINGS: readonly string[] = [
  `/v1/orgs/${SHAPE}`,
  `/v1/orgs/${SHAPE}/members/{self}`,
  `/v1/orgs/${SHAPE}/teams/small`,
  `/v1/orgs/${SHAPE}/sites/both`,
  "/v1/spaces/wide",
  "/v1/collections/open",
  "/v1/users/{self}",
];
