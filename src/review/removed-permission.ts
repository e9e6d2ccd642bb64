import { type ContentKey, idOf, kindOf } from "../domain/content.ts";

export type Grantee = { readonly user: string } | { readonly team: string };

/** The record of a change file that removes a permission (contract, section 11). */
export function removedPermission(content: ContentKey, grantee: Grantee): object {
  return { object: "permission", [kindOf(content)]: idOf(content), ...grantee, removed: true };
}
