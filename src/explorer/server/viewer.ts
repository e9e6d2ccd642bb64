/** Who may see what: authorizes the explorer's requests (docs/api.md), and hides what a caller does not see. */
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { ApiError } from "../../domain/error.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import type { Person } from "../../domain/why.ts";
import { ADMIN, findContent, findMember, findTeam, keyOf, type Model, NOTHING } from "../../model/model.ts";
import { ROLE } from "../../model/code.ts";
import { codesHeldBy } from "../../model/sheets.ts";
import { absent, authorize } from "../../operations/authorize.ts";
import type { Caller, Operation } from "../../operations/operation.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { workInTurns } from "../../store/turns.ts";
import { type SubjectName, isContent, keyIn } from "./query.ts";

/** The member whose token asks. */
export interface AskingMember extends Pick<Person, "id" | "displayName"> {
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
}

/**
 * The user for whom contents are read. `all` is true for an organization token and for an organization admin, who see
 * everything.
 */
export type Viewer =
  | { readonly all: true; readonly member?: AskingMember }
  /**
   * `now` reads the current revision if a past one is shown: the viewer's current roles decide what the viewer sees.
   */
  | { readonly all: false; readonly member: AskingMember; readonly now?: Reading | undefined };

/** An organization as of a revision, as a viewer sees it. */
export interface View {
  readonly model: Model;
  readonly viewer: Viewer;
  /** The rank of the viewer's effective role on a content, {@link NOTHING} for what they do not see. */
  roleOn(content: number): number;
}

/** Viewers who see everything have the rank of `admin` everywhere. At a past revision, the current roles decide. */
export async function viewOf(reading: Reading, viewer: Viewer): Promise<View> {
  const model = await modelOf(reading);
  if (viewer.all) return { model, viewer, roleOn: () => ADMIN };
  const decides = await modelOf(decidesAt(reading, viewer));
  const member = findMember(decides, viewer.member.id);
  const codes = member === undefined ? undefined : await workInTurns(codesHeldBy(decides, member));
  const roleIn = (content: number | undefined) =>
    content === undefined ? NOTHING : (codes?.[content] ?? NOTHING) & ROLE;
  return {
    model,
    viewer,
    roleOn: (content) => roleIn(decides === model ? content : findContent(decides, keyOf(model, content))),
  };
}

export function sees(view: View, content: number): boolean {
  return view.roleOn(content) !== NOTHING;
}

/**
 * The contents of `keys` that the viewer sees, each with the viewer's effective role; `admin` for viewers who see
 * everything. At a past revision, the viewer's current roles decide.
 */
export async function visible(
  looked: Reading,
  viewer: Viewer,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Role>> {
  const view = await viewOf(decidesAt(looked, viewer), viewer.all ? viewer : { ...viewer, now: undefined });
  const found = new Map<ContentKey, Role>();
  for (const key of keys) {
    const content = findContent(view.model, key);
    const role = content === undefined ? NOTHING : view.roleOn(content);
    if (role !== NOTHING) found.set(key, roleOf(role));
  }
  return found;
}

/** The reading whose roles decide what a viewer sees. */
export function decidesAt(looked: Reading, viewer: Viewer): Reading {
  return viewer.all ? looked : (viewer.now ?? looked);
}

/** A caller, and the revision that authorizes them. */
export interface Asker {
  readonly caller: Caller;
  readonly viewer: Viewer;
  /**
   * The revision that authorizes the caller: the current one or, for a request of the past by a caller who sees
   * everything, the requested one.
   */
  readonly current: Reading;
}

/**
 * Throws 403 or 404 unless the caller may read the lists of a subject. Contents have the rules of endpoints 1 to 6,
 * sites those of endpoint 8, members those of endpoints 7 and 9. Teams require an organization token or an organization
 * admin.
 */
export async function mayList({ caller, viewer, current }: Asker, subject: SubjectName): Promise<void> {
  const { kind, id } = subject;
  if (kind === "team") {
    mustSeeAll({ viewer }, "list teams");
    if (findTeam(await modelOf(current), id) === undefined) throw absent("team", id);
    return;
  }
  const asked = ((): Pick<Operation, "subject" | "asker"> => {
    if (kind === "site") return { subject: { of: kind, parameter: "id" }, asker: "nobody" };
    if (kind === "member") return { subject: { of: kind, parameter: "id" }, asker: "self" };
    return { subject: { of: "content", kind, parameter: "id" }, asker: "lister" };
  })();
  const model = await modelOf(current);
  authorize(model, model, caller, asked, { id });
}

/**
 * Throws 403 or 404 unless the caller may see that a subject exists. A content requires an effective role on it; other
 * subjects have the rules of {@link mayList}.
 */
export async function maySee(asker: Asker, subject: SubjectName): Promise<void> {
  if (!isContent(subject)) return mayList(asker, subject);
  const key = keyIn(subject);
  if (!(await visible(asker.current, asker.viewer, [key])).has(key)) throw absent(subject.kind, subject.id);
}

/**
 * Throws 403 unless the caller has an organization token or is an organization admin. `what` completes "This token may
 * not …".
 */
export function mustSeeAll({ viewer }: Pick<Asker, "viewer">, what: string): void {
  if (viewer.all) return;
  throw new ApiError(
    "forbidden",
    `This token may not ${what}; that takes an organization admin or an organization token.`,
  );
}

/** The text that replaces the name of a content that the viewer does not see. */
const UNSEEN = "something that you do not see";

/**
 * Removes contents that the viewer does not see now from the reasons and sentences of an answer about the past. Whoever
 * may list a content may see everything that gives a role on it now, but not everything that gave one in the past.
 */
export async function withoutUnseen<Value extends object>(viewer: Viewer, value: Value): Promise<Value> {
  if (viewer.all || viewer.now === undefined) return value;
  const named = new Set<ContentKey>();
  JSON.stringify(value, (_, part: unknown) => {
    const key = namedBy(part);
    if (key !== undefined) named.add(key);
    return part;
  });
  const seen = await visible(viewer.now, viewer, [...named]);
  const text = JSON.stringify(value, (_, part: unknown) => {
    const key = namedBy(part);
    if (key === undefined || seen.has(key)) return part;
    return isReason(part) ? { ...part, content: undefined } : UNSEEN;
  });
  const kept: Value = JSON.parse(text);
  return kept;
}

/** The content that a part of an answer names; the part is a link in a sentence, or a reason. */
function namedBy(part: unknown): ContentKey | undefined {
  if (isReason(part)) return contentIn(part.content);
  return typeof part === "object" && part !== null && "name" in part && "of" in part
    ? contentIn(part.of)
    : undefined;
}

function isReason(part: unknown): part is { readonly content: unknown } {
  return (
    typeof part === "object" && part !== null && "rule" in part && "because" in part && "content" in part
  );
}

function contentIn(thing: unknown): ContentKey | undefined {
  if (typeof thing !== "object" || thing === null || !("kind" in thing && "id" in thing)) return undefined;
  const { kind, id } = thing;
  const isContent = (kind === "space" || kind === "collection") && typeof id === "string";
  return isContent ? contentKey(kind, id) : undefined;
}

/**
 * The viewer for answers that may name contents of the past: {@link withoutUnseen} hides the names of contents that
 * this viewer does not see now.
 */
export function lookingBack(viewer: Viewer, current: Reading): Viewer {
  return viewer.all ? viewer : { ...viewer, now: viewer.now ?? current };
}
