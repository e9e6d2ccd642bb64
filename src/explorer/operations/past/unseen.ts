import { type ContentKey, contentKey } from "../../../domain/content.ts";
import { visible, type Viewer } from "../../queries/tree/viewer.ts";

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
  if (isReason(part)) return keyIn(part.content);
  return typeof part === "object" && part !== null && "name" in part && "of" in part
    ? keyIn(part.of)
    : undefined;
}

function isReason(part: unknown): part is { readonly content: unknown } {
  return (
    typeof part === "object" && part !== null && "rule" in part && "because" in part && "content" in part
  );
}

function keyIn(thing: unknown): ContentKey | undefined {
  if (typeof thing !== "object" || thing === null || !("kind" in thing && "id" in thing)) return undefined;
  const { kind, id } = thing;
  const isContent = (kind === "space" || kind === "collection") && typeof id === "string";
  return isContent ? contentKey(kind, id) : undefined;
}
