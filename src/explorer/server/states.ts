/**
 * The two states that a list of differences compares, and who may compare them. A state is a revision, less a removed
 * source of access, or with the roles of another person; every list of differences names both in the same way.
 */
import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import { ApiError } from "../../domain/error.ts";
import { quote } from "../../domain/text.ts";
import { WITHOUT_SPELLING, type Without, ladderWithout, readWithout } from "../../domain/without.ts";
import { findContent } from "../../model/model.ts";
import { ancestryOf } from "../../model/why.ts";
import { sourceIn } from "../../model/without.ts";
import { modelOf } from "../../store/models.ts";
import type { DeclaredList } from "../wire/lists.ts";
import { type Query, type SubjectName, countOf, idIn, keyIn, refused } from "./query.ts";
import { type Asker, mayList, mustSeeAll, visible } from "./viewer.ts";

export interface State {
  /** By default, the revision that is read. */
  readonly revision?: number;
  readonly without?: Without;
  /** The person whose roles are compared. */
  readonly user?: string;
}

export interface States {
  readonly before: State;
  /** Without a `user`, a person is compared with their own role on the whole subject. */
  readonly after: State;
}

/** The states that the list of a request compares. Throws 400 if the request does not name two. */
export function statesIn(
  query: Query,
  { parameters }: DeclaredList,
  subject: SubjectName | undefined,
): States {
  if (parameters.includes("without")) return { before: {}, after: { without: withoutIn(query) } };
  if (parameters.includes("earlier")) {
    const [before, after] = [{ revision: countOf(query, "earlier") }, { revision: countOf(query, "later") }];
    if (before.revision < after.revision) return { before, after };
    throw new ApiError(
      "badRequest",
      `The parameters earlier and later are ${before.revision} and ${after.revision}; accepted: two revisions, the earlier one first.`,
    );
  }
  if (!parameters.includes("with")) return { before: {}, after: {} };
  const isOfMember = subject?.kind === "member";
  const user = isOfMember ? subject.id : idIn(query, "user");
  if (!isOfMember && !query.has("with")) return { before: { user }, after: {} };
  const other = idIn(query, "with");
  if (other !== user) return { before: { user }, after: { user: other } };
  throw new ApiError("badRequest", "The parameter with names the same person; accepted: somebody else.");
}

/** Throws 400 for a text that is not a source. */
export function withoutIn(query: Query): Without {
  const text = query.get("without") ?? "";
  const without = text.includes("\0") ? undefined : readWithout(text);
  if (without === undefined) throw refused("without", text, WITHOUT_SPELLING);
  return without;
}

/** The source of access that the later state lacks. */
export function removedIn({ after }: States): Without {
  if (after.without === undefined) throw new TypeError("The two states do not differ by a source of access.");
  return after.without;
}

/** Throws 403 or 404 unless the caller may compare two states, on `subject` or on all contents. */
export async function mayCompare(
  asker: Asker,
  { before, after }: States,
  subject: SubjectName | undefined,
): Promise<void> {
  const users = [before.user, after.user].filter((user) => user !== undefined);
  if (users.length > 0) mustSeeAll(asker, "compare people");
  if (subject === undefined) mustSeeAll(asker, "ask about all contents");
  else await mayList(asker, subject);
  for (const id of users) await mayList(asker, { kind: "member", id });
  if (after.without !== undefined) await mayRemove(asker, after.without, subject);
}

async function mayRemove(asker: Asker, without: Without, subject: SubjectName | undefined): Promise<void> {
  if (without.of === "site") mustSeeAll(asker, "ask about a site");
  else if (!("content" in without)) mustSeeAll(asker, "ask about a whole team");
  else {
    const { content } = without;
    await mayList(asker, { kind: kindOf(content), id: idOf(content) });
    if (without.of === "default" && subject !== undefined) {
      await maySeeNextLevel(asker, keyIn(subject), without);
    }
  }
  if (sourceIn(await modelOf(asker.current), without) !== undefined) return;
  throw new ApiError("notFound", `There is no such source: ${worded(without)}.`);
}

/**
 * Without this default level, an ancestor's default level decides. Throws 403 unless the caller sees every content of
 * the ladder up to this ancestor.
 */
async function maySeeNextLevel({ viewer, current }: Asker, key: ContentKey, without: Without): Promise<void> {
  if (viewer.all) return;
  const model = await modelOf(current);
  const content = findContent(model, key);
  const ladder = content === undefined ? [] : ladderWithout(ancestryOf(model, content), [without]);
  const keys = ladder.map(({ content }) => content);
  const seen = await visible(current, viewer, keys);
  if (ladder.at(-1)?.defaultLevel !== "inherit" && keys.every((each) => seen.has(each))) return;
  throw new ApiError(
    "forbidden",
    "This token may not see the effect of removing this default level, because it may not see what lies above; that takes an organization admin or an organization token.",
  );
}

function worded(without: Without): string {
  if (without.of === "team") return `team ${quote(without.team)}`;
  if (without.of === "site" && without.what === "everything")
    return `anything that site ${quote(without.site)} says`;
  const where =
    without.of === "site"
      ? `site ${quote(without.site)}`
      : `${kindOf(without.content)} ${quote(idOf(without.content))}`;
  const whom = without.of === "site" ? without.what : without;
  if (typeof whom === "string" || !("user" in whom || "team" in whom)) return `a default level on ${where}`;
  const who = "user" in whom ? `user ${quote(whom.user)}` : `team ${quote(whom.team)}`;
  return `a permission of ${who} on ${where}`;
}
