/** Decides who may list what (docs/api.md). */
import { contentKey } from "../domain/content.ts";
import { ApiError } from "../domain/error.ts";
import { atLeast } from "../domain/role.ts";
import { ladderFor } from "../store/directory/contents.ts";
import { decisionFor, isMember, memberOf } from "../store/directory/members.ts";
import type { Reading } from "../store/reading.ts";
import { spacesOfSite } from "../store/directory/sites.ts";
import type { ListingSubject } from "./operation.ts";

/** Whoever sends a request: the organization itself, which may list everything it has, or one `member`. */
export interface Caller {
  readonly organization: string;
  readonly member: string | undefined;
}

/**
 * Checks that the subject exists at the current revision and that the caller may list it. Throws 403 if the caller may
 * see the subject but not list it; 404 if it does not exist or the caller cannot see it, in the same words.
 */
export async function authorize(
  reading: Reading,
  { member }: Caller,
  subject: ListingSubject,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const id = path[subject.parameter] ?? "";
  switch (subject.of) {
    case "content": {
      const key = contentKey(subject.kind, id);
      if (member === undefined) {
        if ((await ladderFor(reading, key)) === undefined) throw absent(subject.kind, id);
        return;
      }
      const decision = await decisionFor(reading, key, member);
      if (decision === undefined) throw absent(subject.kind, id);
      if (atLeast(decision.role, "create")) return;
      throw new ApiError(
        "forbidden",
        `This token may see ${subject.kind} ${JSON.stringify(id)} but not list who has access; that takes create or admin there, or an organization token.`,
      );
    }
    case "member": {
      // Both are read together: from a remote database, this takes one wait instead of two.
      const [admin, found] = await Promise.all([
        member === undefined || member === id || isAdmin(reading, member),
        isMember(reading, id),
      ]);
      if (!admin) {
        throw new ApiError(
          "forbidden",
          "This token may list only its own member; for others it takes an organization admin or an organization token.",
        );
      }
      if (!found) throw absent("member", id);
      return;
    }
    case "site": {
      const [admin, spaces] = await Promise.all([
        member === undefined || isAdmin(reading, member),
        spacesOfSite(reading, id),
      ]);
      if (!admin) {
        throw new ApiError(
          "forbidden",
          "This token may not list sites; that takes an organization admin or an organization token.",
        );
      }
      if (spaces === undefined) throw absent("site", id);
      return;
    }
    case "organization":
      // Routing refuses any other organization than the caller's.
      if (member === undefined || (await isAdmin(reading, member))) return;
      throw new ApiError(
        "forbidden",
        "This token may not list what the organization has; that takes an organization admin or an organization token.",
      );
    default:
      subject satisfies never;
  }
}

/**
 * Checks that the caller may list the subject at `then`, a past revision. Anyone but an organization admin must be
 * allowed to list it at `now`, the current revision; the subject must exist at `then` (docs/past.md). Throws as
 * {@link authorize} does.
 */
export async function authorizeAsOf(
  then: Reading,
  now: Reading,
  caller: Caller,
  subject: ListingSubject,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const { organization, member } = caller;
  if (member !== undefined && !(await isAdmin(now, member))) await authorize(now, caller, subject, path);
  await authorize(then, { organization, member: undefined }, subject, path);
}

/**
 * The refusal if a subject does not exist or the caller cannot see it. The message does not say which of the two is
 * true.
 */
export function absent(what: string, id: string): ApiError {
  return new ApiError("notFound", `There is no ${what} ${JSON.stringify(id)} that this token can see.`);
}

async function isAdmin(reading: Reading, member: string): Promise<boolean> {
  return (await memberOf(reading, member))?.role === "admin";
}
