import { CommandError, UsageError } from "../../../domain/error.ts";
import { oneLine } from "../../../domain/text.ts";
import { plain } from "../../../domain/reason.ts";
import type { Explanation } from "../../../domain/why.ts";
import { memberOf } from "../../../store/directory/members.ts";
import { nearestMembers, nearestContentsAndSites } from "../../../store/directory/nearest.ts";
import type { Reading, Revision } from "../../../store/reading.ts";
import type { Store } from "../../../store/store.ts";
import { existingSource, effectOf, withoutOf, withoutText } from "./without.ts";
import { explanationFor, type ContentOrSite, contentsAndSitesById } from "../../../store/reports/why.ts";
import { chooseRevision } from "../../choose.ts";
import { print, say, withExistingStore } from "../../context.ts";
import { ladderText } from "../../output/ladder.ts";
import { readAt } from "../../options.ts";

export interface WhyArguments {
  readonly organization?: string;
  readonly at?: string;
  readonly database?: string;
  readonly without?: string;
}

/**
 * `rolebook why USER CONTENT` prints one sentence and the steps of the ladder. With `--without SOURCE`, it also prints
 * the sentence as it would be without the source, and the steps are those without it. With `--without SOURCE` and no
 * user, it prints how many people would lose access, get a lower or a higher role, or gain access. Throws a
 * CommandError with similar ids if the member, content or source does not exist.
 */
export async function whyCommand(
  user: string | undefined,
  content: string | undefined,
  options: WhyArguments,
): Promise<void> {
  const without = options.without === undefined ? undefined : withoutOf(options.without);
  if (user === undefined && without === undefined)
    throw new UsageError("USER and CONTENT are missing; see rolebook why --help.");
  if (user !== undefined && content === undefined) {
    throw new UsageError("CONTENT is missing; accepted: space/ID, collection/ID, site/ID, or an ID alone.");
  }
  const at = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const reading = store.reading(await chooseRevision(store, options.organization, at));
    const { revision, importedAt } = reading.at;
    if (at !== undefined) say(`As of revision ${revision} (${importedAt}):`);
    const source = without && (await existingSource(reading, without));
    if (user === undefined || content === undefined) {
      if (source !== undefined) await print(await effectOf(reading, source));
      return;
    }
    const thing = await contentOrSiteOf(store, reading, content);
    const explanation = await explanationFor(reading, user, thing);
    if (explanation === undefined) throw await absentContentOrSite(store, reading, thing.id, thing.kind);
    if ((await memberOf(reading, user)) === undefined) throw await absentMember(store, reading, user);
    const then = source && (await explanationFor(reading, user, thing, source.without));
    if (source === undefined || then === undefined) await print(whyText(explanation));
    else await print(withoutText(explanation, source, then));
  });
}

export function whyText(explanation: Explanation): string {
  const sentence = oneLine(plain(explanation.sentence));
  const ladder = ladderText(explanation);
  return ladder === "" ? sentence : `${sentence}\n\n${ladder}`;
}

async function contentOrSiteOf(store: Store, reading: Reading, text: string): Promise<ContentOrSite> {
  const slash = text.indexOf("/");
  if (slash >= 0) {
    const kind = text.slice(0, slash);
    if (kind === "space" || kind === "collection" || kind === "site")
      return { kind, id: text.slice(slash + 1) };
    throw new UsageError(
      `CONTENT is ${JSON.stringify(text)}; accepted: space/ID, collection/ID, site/ID, or an ID alone.`,
    );
  }
  const [only, ...others] = await contentsAndSitesById(reading, text);
  if (only === undefined) throw await absentContentOrSite(store, reading, text);
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ kind, id }) => `${kind}/${id}`);
  throw new UsageError(
    `The id ${JSON.stringify(text)} is used more than once; choose one: ${names.join(", ")}.`,
  );
}

async function absentContentOrSite(
  store: Store,
  { at }: Reading,
  id: string,
  kind?: ContentOrSite["kind"],
): Promise<CommandError> {
  const what = `${kind ?? "space, collection or site"} ${JSON.stringify(id)}`;
  return absent(at, what, await nearestContentsAndSites(store, at, id, kind));
}

async function absentMember(store: Store, { at }: Reading, user: string): Promise<CommandError> {
  return absent(at, `member ${JSON.stringify(user)}`, await nearestMembers(store, at, user));
}

function absent({ organization }: Revision, what: string, nearest: readonly string[]): CommandError {
  const offer = nearest.length === 0 ? "" : ` Did you mean one of these: ${nearest.map(oneLine).join(", ")}?`;
  return new CommandError(`There is no ${what} in organization ${organization}.${offer}`);
}
