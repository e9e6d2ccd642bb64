/** Authorizes the explorer's requests (contract, section 7). */
import { ApiError } from "../../domain/error.ts";
import { absent, authorize } from "../../operations/authorize.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import { visible } from "../queries/tree/viewer.ts";
import type { Asking } from "./operation.ts";
import { isContent, keyOf, type Subject } from "./parameters/read.ts";

type Asker = Pick<Asking, "caller" | "viewer" | "current">;

/**
 * Throws 403 or 404 unless the caller may read the lists of a subject. Contents have the rules of endpoints 1 to 6,
 * sites those of endpoint 8, members those of endpoints 7 and 9. Teams require an organization token or an organization
 * admin.
 */
export async function mayList({ caller, viewer, current }: Asker, subject: Subject): Promise<void> {
  const { kind, id } = subject;
  const path = { id };
  if (kind === "site" || kind === "member")
    return authorize(current, caller, { of: kind, parameter: "id" }, path);
  if (kind !== "team") return authorize(current, caller, { of: "content", kind, parameter: "id" }, path);
  mustSeeAll({ viewer }, "list teams");
  if (!(await teamNodes(current, [id])).has(id)) throw absent("team", id);
}

/**
 * Throws 403 or 404 unless the caller may see that a subject exists. A content requires an effective role on it; other
 * subjects have the rules of {@link mayList}.
 */
export async function maySee(asker: Asker, subject: Subject): Promise<void> {
  if (!isContent(subject)) return mayList(asker, subject);
  const key = keyOf(subject);
  if (!(await visible(asker.current, asker.viewer, [key])).has(key)) throw absent(subject.kind, subject.id);
}

/**
 * Throws 403 unless the caller has an organization token or is an organization admin. `what` completes "This token may
 * not …".
 */
export function mustSeeAll({ viewer }: Pick<Asking, "viewer">, what: string): void {
  if (viewer.all) return;
  throw new ApiError(
    "forbidden",
    `This token may not ${what}; that takes an organization admin or an organization token.`,
  );
}
