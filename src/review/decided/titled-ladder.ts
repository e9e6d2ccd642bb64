/** A content with its ladder, and the titles that reasons on it mention. */
import type { ContentKey } from "../../domain/content.ts";
import { type Titles, plain, reasonOf } from "../../domain/reason.ts";
import type { Decision } from "../../domain/ladder.ts";
import type { Content } from "../../store/directory/content.ts";
import { contents, ladderOf } from "../../store/directory/inheritance.ts";
import { titlesFor } from "../../store/directory/titles.ts";
import type { Reading } from "../../store/reading.ts";

export interface TitledLadder {
  readonly key: ContentKey;
  readonly ladder: readonly Content[];
  readonly titles: Titles;
}

/** `undefined` if the content does not exist. */
export async function titledLadderOf(reading: Reading, key: ContentKey): Promise<TitledLadder | undefined> {
  const loaded = await contents(reading, [key]);
  const content = loaded.get(key);
  return content && { key, ladder: ladderOf(content, loaded), titles: await titlesFor(reading, loaded) };
}

/** What gives a role, in words. */
export function reasonAt({ key, titles }: TitledLadder, decision: Decision): string {
  return plain(reasonOf(key, decision, titles).because);
}
