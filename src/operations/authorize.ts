/** Decides who may ask what (docs/api.md). */
import { contentKey } from "../domain/content.ts";
import { ApiError } from "../domain/error.ts";
import { rank } from "../domain/role.ts";
import { codeOn } from "../model/members.ts";
import { ROLE } from "../model/code.ts";
import { ADMIN, findContent, findMember, findSite, findTeam, type Model, NOTHING } from "../model/model.ts";
import type { Caller, Operation, Subject } from "./operation.ts";

type Asked = Pick<Operation, "subject" | "asker" | "further">;
type Path = Readonly<Record<string, string>>;

/** Whoever has this role on a content may list who has access. */
const LISTS = rank("create");

/**
 * Checks that the caller may ask an operation, by `now`, the model of the current revision; and that what it is about
 * exists in `then`, the model of the revision that is asked for (docs/past.md). Throws 403 if the caller may not ask, in
 * the same words for every id; 404 if the subject does not exist or the caller cannot see it, in the same words.
 */
export function authorize(now: Model, then: Model, caller: Caller, asked: Asked, path: Path): void {
  const { organization, member } = caller;
  const { subject } = asked;
  if (member !== undefined && !isAdmin(now, member)) refuse(now, { organization, member }, asked, path);
  const { organizationId = organization } = path;
  if (organizationId !== organization) throw absent("organization", organizationId);
  if (subject.of === "caller" && member === undefined) {
    throw new ApiError(
      "notFound",
      "An organization token acts as no user; accepted: a token of a member (rolebook token create --member).",
    );
  }
  if (!exists(then, subject, idIn(subject, path, caller))) throw absentSubject(subject, path, caller);
}

/** Throws if a member who is no organization admin may not ask. */
function refuse(
  model: Model,
  caller: Caller & { readonly member: string },
  { subject, asker, further }: Asked,
  path: Path,
): void {
  const id = idIn(subject, path, caller);
  const isOwn = path.organizationId === undefined || path.organizationId === caller.organization;
  switch (asker) {
    case "lister":
    case "holder": {
      const content = subject.of === "content" ? findContent(model, contentKey(subject.kind, id)) : undefined;
      const role = content === undefined ? NOTHING : roleOfCaller(model, caller, content);
      if (role === NOTHING) throw absentSubject(subject, path, caller);
      if (asker === "holder" || role >= LISTS) return;
      throw new ApiError(
        "forbidden",
        `This token may see ${nameOf(subject)} ${JSON.stringify(id)} but not list who has access; that takes create or admin there, or an organization token.`,
      );
    }
    case "self":
      if (isOwn && id === caller.member) return;
      break;
    case "everyone":
      if (isOwn) return;
      break;
    case "nobody":
      break;
    default:
      asker satisfies never;
  }
  if (further !== true && subject.of === "member") {
    throw new ApiError(
      "forbidden",
      "This token may list only its own member; for others it takes an organization admin or an organization token.",
    );
  }
  if (further !== true && subject.of === "site") {
    throw new ApiError(
      "forbidden",
      "This token may not list sites; that takes an organization admin or an organization token.",
    );
  }
  if (further !== true && subject.of === "organization") {
    throw new ApiError(
      "forbidden",
      "This token may not list what the organization has; that takes an organization admin or an organization token.",
    );
  }
  throw new ApiError(
    "forbidden",
    "This token may not ask for this; that takes an organization admin or an organization token.",
  );
}

function exists(model: Model, subject: Subject, id: string): boolean {
  switch (subject.of) {
    case "content":
      return findContent(model, contentKey(subject.kind, id)) !== undefined;
    case "member":
    case "caller":
      return findMember(model, id) !== undefined;
    case "team":
      return findTeam(model, id) !== undefined;
    case "site":
      return findSite(model, id) !== undefined;
    case "organization":
      return true;
  }
}

function idIn(subject: Subject, path: Path, { member }: Caller): string {
  return (subject.of === "caller" ? member : path[subject.parameter]) ?? "";
}

function nameOf(subject: Subject): string {
  if (subject.of === "caller") return "member";
  return subject.of === "content" ? subject.kind : subject.of;
}

/**
 * The refusal if a subject does not exist or the caller cannot see it. The message does not say which of the two is
 * true.
 */
export function absent(what: string, id: string): ApiError {
  return new ApiError("notFound", `There is no ${what} ${JSON.stringify(id)} that this token can see.`);
}

export function absentSubject(subject: Subject, path: Path, caller: Caller): ApiError {
  return absent(nameOf(subject), idIn(subject, path, caller));
}

function isAdmin(model: Model, member: string): boolean {
  const found = findMember(model, member);
  return found !== undefined && model.members.roles[found] === ADMIN;
}

/** The rank of the role with which a caller acts on a content. */
export function roleOfCaller(model: Model, { member }: Caller, content: number): number {
  if (member === undefined) return ADMIN;
  const found = findMember(model, member);
  return found === undefined ? NOTHING : codeOn(model, found, content) & ROLE;
}
