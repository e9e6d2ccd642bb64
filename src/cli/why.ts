import { CommandError, UsageError } from "../domain/error.ts";
import { oneLine } from "../domain/one-line.ts";
import { plain } from "../domain/phrase.ts";
import type { Explanation } from "../domain/why.ts";
import type { Reading } from "../store/reading.ts";
import { explanationFor, type Thing, thingsNamed } from "../store/why.ts";
import { chooseOrganization } from "./choose.ts";
import { print, withExistingStore } from "./context.ts";
import { ladderText } from "./ladder.ts";

export interface WhyArguments {
  readonly organization?: string;
  readonly database?: string;
}

/** `rolebook why USER CONTENT`: one sentence, then the steps of the ladder. */
export async function whyCommand(user: string, content: string, options: WhyArguments): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    const reading = store.reading(await chooseOrganization(store, options.organization));
    const thing = await thingOf(reading, content);
    const explanation = await explanationFor(reading, user, thing);
    if (explanation === undefined) throw absent(reading, `${thing.kind} ${JSON.stringify(thing.id)}`);
    await print(whyText(explanation));
  });
}

/** What the command prints. */
export function whyText(explanation: Explanation): string {
  const sentence = oneLine(plain(explanation.sentence));
  const ladder = ladderText(explanation);
  return ladder === "" ? sentence : `${sentence}\n\n${ladder}`;
}

async function thingOf(reading: Reading, text: string): Promise<Thing> {
  const slash = text.indexOf("/");
  if (slash >= 0) {
    const kind = text.slice(0, slash);
    if (kind === "space" || kind === "collection" || kind === "site")
      return { kind, id: text.slice(slash + 1) };
    throw new UsageError(
      `CONTENT is ${JSON.stringify(text)}; accepted: space/ID, collection/ID, site/ID, or an ID alone.`,
    );
  }
  const [only, ...others] = await thingsNamed(reading, text);
  if (only === undefined) throw absent(reading, `space, collection or site ${JSON.stringify(text)}`);
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ kind, id }) => `${kind}/${id}`);
  throw new UsageError(
    `The id ${JSON.stringify(text)} is used more than once; say which: ${names.join(", ")}.`,
  );
}

function absent(reading: Reading, what: string): CommandError {
  return new CommandError(`There is no ${what} in organization ${reading.at.organization}.`);
}
