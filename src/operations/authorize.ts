/** Decides who may list what (docs/api.md). */
import { contentKey } from "../domain/content.ts";
import { ApiError } from "../domain/error.ts";
import { rank } from "../domain/role.ts";
import { codeOn } from "../model/members.ts";
import { ADMIN, findContent, findMember, findSite, type Model, NOTHING } from "../model/model.ts";
import { ROLE } from "../model/paint.ts";
import type { ListingSubject } from "./operation.ts";

/** Whoever sends a request: the organization itself, which may list everything it has, or one `member`. */
export interface Caller {
  readonly organization: string;
  readonly member: string | undefined;
}

/** Whoever has this role on a content may list who has access. */
const LISTS = rank("create");

/**
 * Checks that the subject exists in the model of the current revision, and that the caller may list it. Throws 403 if the caller may
 * see the subject but not list it; 404 if it does not exist or the caller cannot see it, in the same words.
 */
export function authorize(
  model: Model,
  { member }: Caller,
  subject: ListingSubject,
  path: Readonly<Record<string, string>>,
): void {
  const id = path[subject.parameter] ?? "";
  switch (subject.of) {
    case "content": {
      const content = findContent(model, contentKey(subject.kind, id));
      if (content === undefined) throw absent(subject.kind, id);
      if (member === undefined) return;
      const found = findMember(model, member);
      const role = found === undefined ? NOTHING : codeOn(model, found, content) & ROLE;
      if (role === NOTHING) throw absent(subject.kind, id);
      if (role >= LISTS) return;
      throw new ApiError(
        "forbidden",
        `This token may see ${subject.kind} ${JSON.stringify(id)} but not list who has access; that takes create or admin there, or an organization token.`,
      );
    }
    case "member":
      if (member !== undefined && member !== id && !isAdmin(model, member)) {
        throw new ApiError(
          "forbidden",
          "This token may list only its own member; for others it takes an organization admin or an organization token.",
        );
      }
      if (findMember(model, id) === undefined) throw absent("member", id);
      return;
    case "site":
      if (member !== undefined && !isAdmin(model, member)) {
        throw new ApiError(
          "forbidden",
          "This token may not list sites; that takes an organization admin or an organization token.",
        );
      }
      if (findSite(model, id) === undefined) throw absent("site", id);
      return;
    case "organization":
      // Routing refuses any other organization than the caller's.
      if (member === undefined || isAdmin(model, member)) return;
      throw new ApiError(
        "forbidden",
        "This token may not list what the organization has; that takes an organization admin or an organization token.",
      );
    default:
      subject satisfies never;
  }
}

/**
 * Checks that the caller may list the subject in `then`, the model of a past revision. Anyone but an organization admin
 * must be allowed to list it in `now`, the model of the current one; the subject must exist in `then` (docs/past.md).
 * Throws as {@link authorize} does.
 */
export function authorizeAsOf(
  then: Model,
  now: Model,
  caller: Caller,
  subject: ListingSubject,
  path: Readonly<Record<string, string>>,
): void {
  const { organization, member } = caller;
  if (member !== undefined && !isAdmin(now, member)) authorize(now, caller, subject, path);
  authorize(then, { organization, member: undefined }, subject, path);
}

/**
 * The refusal if a subject does not exist or the caller cannot see it. The message does not say which of the two is
 * true.
 */
export function absent(what: string, id: string): ApiError {
  return new ApiError("notFound", `There is no ${what} ${JSON.stringify(id)} that this token can see.`);
}

function isAdmin(model: Model, member: string): boolean {
  const found = findMember(model, member);
  return found !== undefined && model.members.roles[found] === ADMIN;
}
