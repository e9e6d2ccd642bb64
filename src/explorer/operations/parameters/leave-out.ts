/** Parses and authorizes the parameter `without`, which names a source of access to remove. */
import { type ContentKey, idOf, kindOf } from "../../../domain/content.ts";
import { ApiError } from "../../../domain/error.ts";
import { quote } from "../../../domain/text.ts";
import { ladderWithout, readWithout, type Without, WITHOUT_SPELLING } from "../../../domain/without.ts";
import { chainOf, chains } from "../../../store/directory/ancestors.ts";
import { visible } from "../../queries/tree/viewer.ts";
import { sourceOf } from "../../../store/listings/without/source.ts";
import { mayList, mustSeeAll } from "../allow.ts";
import type { Asking, Query } from "../operation.ts";
import { keyIn, type Subject } from "./read.ts";

type Asker = Pick<Asking, "caller" | "viewer" | "current">;

/** Throws 400 for a text that is not a source. */
export function withoutIn(query: Query): Without {
  const text = query.get("without") ?? "";
  const without = text.includes("\0") ? undefined : readWithout(text);
  if (without !== undefined) return without;
  throw new ApiError("badRequest", `The parameter without is ${quote(text)}; accepted: ${WITHOUT_SPELLING}.`);
}

/**
 * Returns if the caller may see the effect of removing the source, on `subject` or on all contents. Throws 403 or 404
 * otherwise.
 */
export async function mayLeaveOut(
  asker: Asker,
  without: Without,
  subject: Subject | undefined,
): Promise<void> {
  if (subject === undefined) mustSeeAll(asker, "ask about all contents");
  else await mayList(asker, subject);
  if (!("content" in without)) mustSeeAll(asker, "ask about a whole team");
  else {
    const { content } = without;
    await mayList(asker, { kind: kindOf(content), id: idOf(content) });
    if (without.of === "default" && subject !== undefined) {
      await maySeeNextLevel(asker, keyIn(subject), without);
    }
  }
  if ((await sourceOf(asker.current, without)) !== undefined) return;
  throw new ApiError("notFound", `There is no such source: ${absent(without)}.`);
}

/**
 * Without this default level, an ancestor's default level decides. Throws 403 unless the caller sees every content of
 * the ladder up to this ancestor.
 */
async function maySeeNextLevel({ viewer, current }: Asker, key: ContentKey, without: Without): Promise<void> {
  if (viewer.all) return;
  const loaded = await chains(current, [key]);
  const start = loaded.get(key);
  const ladder = start === undefined ? [] : ladderWithout(chainOf(start, loaded), without);
  const keys = ladder.map(({ content }) => content);
  const seen = await visible(current, viewer, keys);
  if (ladder.at(-1)?.defaultLevel !== "inherit" && keys.every((each) => seen.has(each))) return;
  throw new ApiError(
    "forbidden",
    "This token may not see the effect of removing this default level, because it may not see what lies above; that takes an organization admin or an organization token.",
  );
}

function absent(without: Without): string {
  if (without.of === "team") return `team ${quote(without.team)}`;
  const where = `${kindOf(without.content)} ${quote(idOf(without.content))}`;
  if (without.of === "default") return `a default level on ${where}`;
  const who = without.of === "user" ? `user ${quote(without.user)}` : `team ${quote(without.team)}`;
  return `a permission of ${who} on ${where}`;
}
